import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { Money } from '../../platform/money/money.type.js';

@ObjectType({ description: 'The costs of one group in one interval.' })
export class CostSummaryItem {
  @Field(() => DateTime, { nullable: true, description: 'The start of the interval. Null without `interval`.' })
  start!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'The model, for example `gpt-4o`. Null for charges without a model, and unless grouped by `MODEL`.',
  })
  model!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the workflow. Null for charges without one, and unless grouped by `WORKFLOW`.',
  })
  workflowId!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the API key. Null for charges without one, and unless grouped by `API_KEY`.',
  })
  apiKeyId!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the user. Null for charges of deleted users, and unless grouped by `USER`.',
  })
  userId!: number | null;

  @Field(() => Money, { description: 'The sum of the charges.' })
  cost!: Money;

  @Field(() => Int, { description: 'The number of ledger rows.' })
  transactions!: number;

  @Field(() => Float, { description: 'The number of input tokens. A whole number.' })
  promptTokens!: number;

  @Field(() => Float, { description: 'The number of output tokens. A whole number.' })
  completionTokens!: number;
}

@ObjectType({ description: 'The costs of a project in a time range.' })
export class CostSummary {
  @Field(() => DateTime, { description: 'The start of the range, a full hour.' })
  from!: Date;

  @Field(() => DateTime, { description: 'The end of the range, a full hour. Not included.' })
  to!: Date;

  @Field(() => Money, { description: 'The sum of all charges in the range.' })
  total!: Money;

  @Field(() => [CostSummaryItem], {
    description: 'The groups, by interval and then by cost, at most 1,000. Groups without charges are left out.',
  })
  items!: CostSummaryItem[];

  @Field(() => Boolean, { description: 'Whether there are more than 1,000 groups. `total` includes all of them.' })
  isShortened!: boolean;
}
