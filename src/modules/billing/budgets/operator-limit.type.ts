import { Extensions, Field, InputType, Int, ObjectType } from 'type-graphql';
import { Decimal } from '../../../platform/json/scalars.js';
import { Money } from '../../../platform/money/money.type.js';

@ObjectType({
  description:
    'The operator limit on the spending of a user or a project with provider keys of the service, and its use. Owners cannot change it.',
})
export class OperatorLimit {
  @Field(() => Money, { description: 'The maximum amount, over the whole lifetime of the user or project.' })
  limit!: Money;

  @Field(() => Boolean, {
    description: 'Whether the limit is the default of the service: USER_LIMIT_USD or PROJECT_LIMIT_USD.',
  })
  isDefault!: boolean;

  @Field(() => Money, {
    description:
      'The amount spent with provider keys of the service, also before the limit was set. Calls with keys of projects do not count.',
  })
  spent!: Money;

  @Field(() => Money, { description: 'The maximum cost of calls in progress, which is reserved.' })
  reserved!: Money;

  @Field(() => Money, { description: 'The amount left for new calls. Zero if the limit is reached.' })
  remaining!: Money;
}

@InputType({ description: 'The user or the project that has an operator limit.' })
@Extensions({ oneOf: true })
export class OperatorLimitHolderInput {
  @Field(() => Int, { nullable: true, description: 'The id of the user.' })
  userId?: number;

  @Field(() => Int, { nullable: true, description: 'The id of the project.' })
  projectId?: number;
}

@InputType({ description: 'A new operator limit.' })
export class OperatorLimitInput {
  @Field(() => OperatorLimitHolderInput, { description: 'The user or the project.' })
  holder!: OperatorLimitHolderInput;

  @Field(() => Decimal, {
    nullable: true,
    description:
      'The limit in US dollars, 0-1000000000 with at most 12 decimal places. 0 forbids the provider keys of the service. Required; null restores the default of the service.',
  })
  limitUsd?: string | null;
}
