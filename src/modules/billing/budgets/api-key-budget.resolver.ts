import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import { Decimal } from '../../../platform/json/scalars.js';
import { ApiKey } from '../../accounts/api-keys/api-key.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { ApiKeyBudgetService } from './api-key-budget.service.js';
import { ApiKeyBudget } from './api-key-budget.type.js';

@Resolver(() => ApiKey)
export class ApiKeyBudgetResolver {
  constructor(private readonly budgets: ApiKeyBudgetService) {}

  @Mutation(() => ApiKey, {
    name: 'apiKeyBudgetSet',
    description:
      'Sets the spending limit of an API key: what chat completions made with it may cost. Past it they are refused with `budget_exceeded`; calls already made when it is set are charged all the same. A key with a limit creates no keys. For administrators, by another credential than a key with a limit.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The key.' }) id: number,
    @Arg('limitUsd', () => Decimal, {
      nullable: true,
      description: 'US dollars, 0-1000000000 with at most 12 decimal places. Required: null takes the limit away.',
    })
    limitUsd: string | null | undefined,
  ) {
    return this.budgets.set(viewer, id, limitUsd);
  }

  @FieldResolver(() => ApiKeyBudget, { nullable: true, description: 'The spending limit; null when there is none.' })
  budget(@Root() key: ApiKey) {
    return this.budgets.of(key);
  }
}
