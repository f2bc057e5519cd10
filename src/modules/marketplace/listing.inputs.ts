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
  description: 'The order of the marketplace and of the catalog.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    LAST_RUN_AT_ASC: { description: 'Workflows that never ran first, then by their last run, oldest first.' },
    LAST_RUN_AT_DESC: { description: 'By the last run, newest first. Workflows that never ran are last.' },
    TOTAL_COST_ASC: { description: 'By the total cost of all runs, lowest first.' },
    TOTAL_COST_DESC: { description: 'By the total cost of all runs, highest first.' },
  },
});

/**
 * The filter fields that the marketplace (published workflows of all projects) and the catalog (workflows of the projects of
 * the caller) have in common.
 */
@InputType({ description: 'Filters workflows.' })
export abstract class ListingFilter {
  @Field(() => [Int], {
    nullable: true,
    description: 'The ids of at most 100 categories. Lists workflows in any of them.',
  })
  categoryIds?: number[] | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'The ids of at most 100 subcategories. Lists workflows in any of them.',
  })
  subcategoryIds?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'At most 100 language codes, separated by commas, for example `en,de`. Lists workflows in any of these languages.',
  })
  languages?: string | null;
}

@InputType({ description: 'Filters the marketplace. All given conditions must match.' })
export class MarketplaceFilter extends ListingFilter {
  @Field(() => String, {
    nullable: true,
    description: 'A part of the market title, at most 255 characters. Case-insensitive; `%` and `_` are literal.',
  })
  search?: string | null;

  @Field(() => CalendarDate, {
    nullable: true,
    description: 'Lists workflows that were last published on this day (UTC) or later, for example `2026-01-31`.',
  })
  publishedAfter?: string | null;

  @Field(() => CalendarDate, {
    nullable: true,
    description: 'Lists workflows that were last published on this day (UTC) or earlier, for example `2026-01-31`.',
  })
  publishedBefore?: string | null;
}
