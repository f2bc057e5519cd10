import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../request-context.js';
import { ApiKeyCreateInput, ApiKeyPage, ApiKeyUpdateInput } from './api-key.inputs.js';
import { ApiKey } from './api-key.js';
import type { ApiKeyService } from './api-key.service.js';

const ID = { description: 'The id of the API key.' };

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  constructor(private readonly keys: ApiKeyService) {}

  @Query(() => ApiKeyPage, { name: 'apiKeys', description: 'The API keys of the caller, newest first.' })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('userId', () => Int, {
      nullable: true,
      description: 'Lists the keys of this user instead. Requires an administrator.',
    })
    userId: number | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.keys.list(viewer, userId ?? null, page);
  }

  @PayloadMutation({
    returns: { apiKey: () => ApiKey },
    name: 'apiKeyCreate',
    description:
      'Creates an API key. Only this response contains the key itself. FORBIDDEN unless an administrator has set `isApiAllowed` for the user, or when the request uses a key with a spending limit. CONFLICT when the user has 100 keys.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ApiKeyCreateInput, { description: 'The new key.' }) input: ApiKeyCreateInput,
  ) {
    return this.keys.create(viewer, input);
  }

  @PayloadMutation({
    returns: { apiKey: () => ApiKey },
    name: 'apiKeyUpdate',
    description: 'Changes an API key. Requires an administrator.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ApiKeyUpdateInput, { description: 'The fields to change.' }) input: ApiKeyUpdateInput,
  ) {
    return this.keys.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { apiKey: () => ApiKey },
    name: 'apiKeyDelete',
    description:
      'Deletes an API key of the caller and returns its last state. Requests with the key are refused from now on. Administrators may delete the keys of all users.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keys.delete(viewer, id);
  }

  @FieldResolver(() => Int, { description: 'The id of the user who owns the key.' })
  userId(@Root() key: ApiKey): number {
    return key.userId;
  }
}
