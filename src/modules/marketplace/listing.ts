import { type Expression, expression, expressionBuilder } from '../../platform/database/typed-queries.js';
import { Faults } from '../../platform/errors/fields.js';
import type { Currencies } from '../../platform/money/money.js';
import type { ListingFilter } from './listing.inputs.js';
import type { MarketItem } from './market-item.type.js';
import type { MarketTables } from './market-tables.js';

const MAX_VALUES = 100;

/** Checks a filter and returns its faults. `texts` are further texts of the filter by member, at most 255 characters each. */
export function listingFaults(filter: ListingFilter, texts: Record<string, string | null | undefined>): Faults {
  const faults = new Faults();
  for (const [member, text] of Object.entries(texts)) faults.text(member, text, { max: 255 });
  for (const member of ['categoryIds', 'subcategoryIds'] as const)
    if ((filter[member]?.length ?? 0) > MAX_VALUES)
      faults.add(member, `Ensure this list has no more than ${MAX_VALUES} items.`);
  faults.languageCodes('languages', languagesOf(filter));
  return faults;
}

/** Returns the conditions of a filter on the workflow `w`. */
export function listingConditions(filter: ListingFilter): Expression<boolean>[] {
  const { categoryIds: categories, subcategoryIds: subcategories } = filter;
  const languages = languagesOf(filter);
  return [
    ...(categories?.length ? [expression<boolean>`w.category_id = any(${categories}::int[])`] : []),
    ...(subcategories?.length ? [expression<boolean>`w.subcategory_id = any(${subcategories}::int[])`] : []),
    ...(languages.length > 0 ? [expression<boolean>`w.available_languages && ${languages}::text[]`] : []),
  ];
}

function languagesOf({ languages }: ListingFilter): string[] {
  return (languages ?? '')
    .split(',')
    .map(code => code.trim())
    .filter(code => code !== '');
}

/** A row with the columns of a `MarketItem`. */
export type MarketItemRow = Omit<MarketItem, 'marketplacePriceAverage'> & { priceUsd: string };

/**
 * Returns the columns of `MarketItemRow`, selected from the workflow `w` and its figures `f`. `userId` is null for an
 * anonymous caller.
 */
export function marketItemColumns(userId: number | null) {
  const copy = expressionBuilder<MarketTables>()
    .selectFrom('marketplace_use as u')
    .innerJoin('workflow as c', 'c.id', 'u.copy_id')
    .select('u.copy_id')
    .where('u.workflow_id', '=', expression.ref<number>('w.id'))
    .where('u.user_id', '=', expression<number>`${userId}::int`)
    .where('c.archived_at', 'is', null);
  return [
    ...(['w.id', 'w.market_title as marketTitle', 'w.short_description as shortDescription'] as const),
    ...(['w.available_languages as availableLanguages', 'w.free_runs_per_user as freeRunsPerUser'] as const),
    ...(['w.category_id as categoryId', 'w.subcategory_id as subcategoryId', 'w.created_at as createdAt'] as const),
    expression<string>`w.run_fee::text`.as('runFee'),
    ...(['f.market_users_count as totalUsersCount', 'f.market_runs_count as totalRunsCount'] as const),
    expression<string>`case when f.market_runs_count > 0
      then round(f.market_cost_usd / f.market_runs_count, 12) else 0 end`.as('priceUsd'),
    expression<number>`coalesce(${copy}, -1)`.as('copiedWorkflowId'),
  ] as const;
}

/** Converts a row to an item, whose average price is in each available currency. */
export function marketItemOf<R extends MarketItemRow>({ priceUsd, ...row }: R, currencies: Currencies) {
  return { ...row, marketplacePriceAverage: currencies.of(priceUsd) };
}
