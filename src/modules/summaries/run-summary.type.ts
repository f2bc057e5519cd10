import { Field, Float, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { Money } from '../../platform/money/money.type.js';

@ObjectType({ description: 'Counts, durations and costs of ended workflow runs.' })
export class RunFigures {
  @Field(() => Int, { description: 'The number of ended runs.' })
  runs!: number;

  @Field(() => Int, { description: 'The number of runs that succeeded.' })
  succeeded!: number;

  @Field(() => Int, { description: 'The number of runs that failed.' })
  failed!: number;

  @Field(() => Int, { description: 'The number of runs that were cancelled.' })
  cancelled!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'The share of failed runs among those that were not cancelled, 0-1. Null without such runs.',
  })
  errorRate!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The median duration in milliseconds, accurate to 5 %. Null without runs.',
  })
  durationP50Ms!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The duration in milliseconds that 95 % of the runs did not exceed, accurate to 5 %. Null without runs.',
  })
  durationP95Ms!: number | null;

  @Field(() => Money, { description: 'The sum of the costs of the runs.' })
  cost!: Money;
}

@ObjectType({ description: 'The ended workflow runs of one interval.' })
export class RunSummaryItem extends RunFigures {
  @Field(() => DateTime, { description: 'The start of the interval.' })
  start!: Date;
}

@ObjectType({ description: 'The ended workflow runs of a project or a workflow in a time range.' })
export class RunSummary extends RunFigures {
  @Field(() => DateTime, { description: 'The start of the range, a full hour.' })
  from!: Date;

  @Field(() => DateTime, { description: 'The end of the range, a full hour. Not included.' })
  to!: Date;

  @Field(() => [RunSummaryItem], {
    description: 'The intervals with runs, oldest first, at most 1,000. Empty without `interval`.',
  })
  items!: RunSummaryItem[];
}
