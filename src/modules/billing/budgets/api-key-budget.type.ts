import { Field, ObjectType } from 'type-graphql';
import { Money } from '../../../platform/money/money.type.js';

@ObjectType({ description: 'The spending limit of an API key, and how far it has come.' })
export class ApiKeyBudget {
  @Field(() => Money, {
    description: 'The most that chat completions made with the key may cost, over its whole life.',
  })
  limit!: Money;

  @Field(() => Money, { description: 'What they have cost so far.' })
  spent!: Money;

  @Field(() => Money, { description: 'Set aside for calls under way: what they may cost at most.' })
  reserved!: Money;

  @Field(() => Money, { description: 'What is left for new calls; zero past the limit.' })
  remaining!: Money;
}
