import { Field, ObjectType } from 'type-graphql';
import { Money } from '../../../platform/money/money.type.js';

@ObjectType({ description: 'The spending limit of a project, and how far it has come.' })
export class ProjectBudget {
  @Field(() => Money, { description: 'The most that the project may spend, over its whole life.' })
  limit!: Money;

  @Field(() => Money, { description: 'What it has spent so far.' })
  spent!: Money;

  @Field(() => Money, { description: 'Set aside for paid calls under way: what they may cost at most.' })
  reserved!: Money;

  @Field(() => Money, { description: 'What is left for new calls; zero past the limit.' })
  remaining!: Money;
}
