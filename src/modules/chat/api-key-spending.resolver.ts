import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { Currencies } from '../../platform/money/money.js';
import { Money } from '../../platform/money/money.type.js';
import { ApiKey } from '../accounts/api-keys/api-key.js';

@Resolver(() => ApiKey)
export class ApiKeySpendingResolver {
  constructor(private readonly currencies: Currencies) {}

  @FieldResolver(() => Money, { description: 'Total cost of the chat completions made with this key.' })
  totalSpent(@Root() { spentUsd }: ApiKey) {
    return this.currencies.of(spentUsd);
  }
}
