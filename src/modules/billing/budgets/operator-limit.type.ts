import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { Decimal } from '../../../platform/json/scalars.js';
import { Money } from '../../../platform/money/money.type.js';

@ObjectType({
  description:
    'The operator’s limit on what a user or a project spends with the provider keys of the service, and how far it has come. Owners cannot change it.',
})
export class OperatorLimit {
  @Field(() => Money, { description: 'The most that may be spent, over the whole life of the user or project.' })
  limit!: Money;

  @Field(() => Boolean, {
    description: 'Whether it is the default of the service, USER_LIMIT_USD or PROJECT_LIMIT_USD.',
  })
  isDefault!: boolean;

  @Field(() => Money, { description: 'What is spent, with and without a limit; calls on keys of projects are not.' })
  spent!: Money;

  @Field(() => Money, { description: 'Reserved for calls in progress: what they may cost at most.' })
  reserved!: Money;

  @Field(() => Money, { description: 'What is left for new calls; zero past the limit.' })
  remaining!: Money;
}

@InputType({ description: 'Of a user or of a project: exactly one of the two ids is required.' })
export class OperatorLimitInput {
  @Field(() => Int, { nullable: true, description: 'The user.' })
  userId?: number | null;

  @Field(() => Int, { nullable: true, description: 'The project.' })
  projectId?: number | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'US dollars, 0-1000000000 with at most 12 decimal places; 0: the provider keys of the service may not be used. Required: null brings back the default of the service.',
  })
  limitUsd?: string | null;
}
