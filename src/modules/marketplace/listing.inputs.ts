import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { CalendarDate } from '../../platform/json/scalars.js';

export enum WorkflowListOrder {
  CREATED_AT_ASC = 'created_at',
  CREATED_AT_DESC = '-created_at',
  LAST_RUN_AT_ASC = 'last_run_at',
  LAST_RUN_AT_DESC = '-last_run_at',
  TOTAL_COST_ASC = 'total_cost',
  TOTAL_COST_DESC = '-total_cost',
}
registerEnumType(WorkflowListOrder, {
  name: 'WorkflowListOrder',
  description: 'Orders of the marketplace and of the catalog.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    LAST_RUN_AT_ASC: { description: 'Those that never ran first, then by their last run.' },
    LAST_RUN_AT_DESC: { description: 'The one that ran last first, those that never ran last.' },
    TOTAL_COST_ASC: { description: 'By what all runs have cost together, the least first.' },
    TOTAL_COST_DESC: { description: 'By what all runs have cost together, the most first.' },
  },
});

/** What the marketplace and the catalog are both searched by. */
@InputType({ description: 'Which workflows to list.' })
export abstract class ListingFilter {
  @Field(() => [Int], { nullable: true, description: 'Those of any of these categories, at most 100.' })
  categories?: number[] | null;

  @Field(() => [Int], { nullable: true, description: 'Those of any of these subcategories, at most 100.' })
  subcategories?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Those in any of these languages: codes separated by commas, at most 100.',
  })
  languages?: string | null;
}

@InputType({ description: 'Which workflows of the marketplace to list. All that is given must hold.' })
export class MarketplaceFilter extends ListingFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Part of the market title, in any case; `%` and `_` are literal.',
  })
  search?: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'Last published on this day or later.' })
  publishedAfter?: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'Last published on this day or earlier.' })
  publishedBefore?: string | null;
}
