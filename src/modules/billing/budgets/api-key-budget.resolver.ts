import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { Decimal } from '../../../platform/json/scalars.js';
import { ApiKey } from '../../accounts/api-keys/api-key.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { ApiKeyBudgetService } from './api-key-budget.service.js';
import { ApiKeyBudget } from './api-key-budget.type.js';

@Resolver(() => ApiKey)
export class ApiKeyBudgetResolver {
  constructor(private readonly budgets: ApiKeyBudgetService) {}

  @PayloadMutation({
    returns: { apiKey: () => ApiKey },
    name: 'apiKeyBudgetSet',
    description:
      'Sets the spending limit of an API key for chat completions. When the limit is reached, completions fail with `budget_exceeded`. Calls in progress are still charged. A key with a limit cannot create keys. Requires an administrator, and not an API key with a spending limit.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the API key.' }) id: number,
    @Arg('limitUsd', () => Decimal, {
      nullable: true,
      description:
        'The limit in US dollars, 0-1000000000 with at most 12 decimal places, for example `"25.50"`. Required; null removes the limit.',
    })
    limitUsd: string | null | undefined,
  ) {
    return this.budgets.set(viewer, id, limitUsd);
  }

  @FieldResolver(() => ApiKeyBudget, { nullable: true, description: 'The spending limit of the key. Null: no limit.' })
  budget(@Root() key: ApiKey) {
    return this.budgets.of(key);
  }
}
