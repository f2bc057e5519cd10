import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../request-context.js';
import { ApiKeyCreateInput, ApiKeyPage, ApiKeyUpdateInput } from './api-key.inputs.js';
import { ApiKey } from './api-key.js';
import type { ApiKeyService } from './api-key.service.js';

const ID = { description: 'The key.' };

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  constructor(private readonly keys: ApiKeyService) {}

  @Query(() => ApiKeyPage, { name: 'apiKeys', description: 'The API keys of the caller, newest first.' })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('userId', () => Int, { nullable: true, description: 'Another user’s keys; for administrators.' })
    userId: number | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.keys.list(viewer, userId ?? null, page);
  }

  @Mutation(() => ApiKey, {
    name: 'apiKeyCreate',
    description:
      'Creates an API key; its text is in this answer alone. FORBIDDEN unless an administrator has allowed the user to use the API, CONFLICT beyond 100 keys of a user.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ApiKeyCreateInput, { description: 'The new key.' }) input: ApiKeyCreateInput,
  ) {
    return this.keys.create(viewer, input);
  }

  @Mutation(() => ApiKey, { name: 'apiKeyUpdate', description: 'Changes an API key. For administrators.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ApiKeyUpdateInput, { description: 'What changes.' }) input: ApiKeyUpdateInput,
  ) {
    return this.keys.update(viewer, id, input);
  }

  @Mutation(() => ApiKey, {
    name: 'apiKeyDelete',
    description: 'Deletes an API key and answers what it was; it opens nothing from now on.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keys.delete(viewer, id);
  }

  @FieldResolver(() => Int, { description: 'Whose key it is.' })
  userId(@Root() key: ApiKey): number {
    return key.userId;
  }
}
