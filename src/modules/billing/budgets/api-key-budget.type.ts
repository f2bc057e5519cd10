import { Field, ObjectType } from 'type-graphql';
import { Money } from '../../../platform/money/money.type.js';

@ObjectType({ description: 'The spending limit of an API key and its use.' })
export class ApiKeyBudget {
  @Field(() => Money, {
    description: 'The maximum cost of all chat completions with the key, over its whole lifetime.',
  })
  limit!: Money;

  @Field(() => Money, { description: 'The cost of the chat completions so far.' })
  spent!: Money;

  @Field(() => Money, { description: 'The maximum cost of calls in progress, which is reserved.' })
  reserved!: Money;

  @Field(() => Money, { description: 'The amount left for new calls. Zero if the limit is reached.' })
  remaining!: Money;
}
