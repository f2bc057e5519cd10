import { Field, InputType } from 'type-graphql';
import { type Expression, expression } from '../database/typed-queries.js';
import { DateTime } from '../json/scalars.js';

/** What lists that go by time are narrowed by. */
@InputType({ description: 'A span of time.' })
export abstract class TimeFilter {
  @Field(() => DateTime, { nullable: true, description: 'Made at this moment or later.' })
  createdAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Made before this moment.' })
  createdBefore?: Date | null;
}

/** The conditions on a column of moments, for typed queries. */
export function timeWithin({ createdAfter, createdBefore }: TimeFilter, column: string): Expression<boolean>[] {
  const moment = expression.ref(column);
  return [
    ...(createdAfter ? [expression<boolean>`${moment} >= ${createdAfter}`] : []),
    ...(createdBefore ? [expression<boolean>`${moment} < ${createdBefore}`] : []),
  ];
}
