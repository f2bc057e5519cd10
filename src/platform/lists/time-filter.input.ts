import { Field, InputType } from 'type-graphql';
import { type Expression, expression } from '../database/typed-queries.js';
import { DateTime } from '../json/scalars.js';

/** The filter of lists that are ordered by time. */
@InputType({ description: 'A time range, by time of creation.' })
export abstract class TimeFilter {
  @Field(() => DateTime, { nullable: true, description: 'Only items created at this time or later.' })
  createdAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Only items created earlier than this time.' })
  createdBefore?: Date | null;
}

/** Returns the conditions on a timestamp column for typed queries. */
export function timeWithin({ createdAfter, createdBefore }: TimeFilter, column: string): Expression<boolean>[] {
  const moment = expression.ref(column);
  return [
    ...(createdAfter ? [expression<boolean>`${moment} >= ${createdAfter}`] : []),
    ...(createdBefore ? [expression<boolean>`${moment} < ${createdBefore}`] : []),
  ];
}
