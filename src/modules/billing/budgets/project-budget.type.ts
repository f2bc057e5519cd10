import { Field, ObjectType } from 'type-graphql';
import { Money } from '../../../platform/money/money.type.js';

@ObjectType({ description: 'The spending limit of a project and its use.' })
export class ProjectBudget {
  @Field(() => Money, { description: 'The maximum amount that the project may spend, over its whole lifetime.' })
  limit!: Money;

  @Field(() => Money, { description: 'The amount spent so far.' })
  spent!: Money;

  @Field(() => Money, { description: 'The maximum cost of paid calls in progress, which is reserved.' })
  reserved!: Money;

  @Field(() => Money, { description: 'The amount left for new calls. Zero if the limit is reached.' })
  remaining!: Money;
}
