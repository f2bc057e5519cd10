import type { Database } from '../../platform/database/database.js';
import { type Expression, expression, type QueryCreator, queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { hasUnstorableText } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../platform/lists/page.js';
import type { Currencies } from '../../platform/money/money.js';
import { Totals } from '../../platform/sql/totals.js';
import type { Viewer } from '../accounts/viewer.js';
import { type MarketplaceFilter, WorkflowListOrder } from './listing.inputs.js';
import { listingConditions, listingFaults, type MarketItemRow, marketItemColumns, marketItemOf } from './listing.js';
import type { MarketplaceWorkflow } from './market-item.type.js';
import type { MarketTables } from './market-tables.js';

type Row = MarketItemRow & Omit<MarketplaceWorkflow, 'marketplacePriceAverage'>;

const IS_PUBLISHED = expression<boolean>`w.is_published`;

/** Each order has an index, so that a page of published workflows is read without sorting. */
const ORDERS = {
  [WorkflowListOrder.CREATED_AT_ASC]: { by: 'age', direction: 'asc' },
  [WorkflowListOrder.CREATED_AT_DESC]: { by: 'age', direction: 'desc' },
  [WorkflowListOrder.LAST_RUN_AT_ASC]: { by: 'f.market_last_run_at', direction: 'asc' },
  [WorkflowListOrder.LAST_RUN_AT_DESC]: { by: 'f.market_last_run_at', direction: 'desc' },
  [WorkflowListOrder.TOTAL_COST_ASC]: { by: 'f.market_cost_usd', direction: 'asc' },
  [WorkflowListOrder.TOTAL_COST_DESC]: { by: 'f.market_cost_usd', direction: 'desc' },
} as const satisfies Record<WorkflowListOrder, unknown>;

/** Reads the marketplace. It is public and shows published workflows, but nothing about their authors. */
export class MarketplaceService {
  readonly #totals = new Totals();

  constructor(
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {}

  /** Lists published workflows. `caller` determines `copiedWorkflowId`; it is null for an anonymous request. */
  async list(
    caller: Viewer | null,
    filter: MarketplaceFilter,
    order: WorkflowListOrder,
    page: PageArgs,
  ): Promise<Page<MarketplaceWorkflow>> {
    const { limit, offset } = toLimitOffset(page);
    // `search` is not a member of the filter that the catalog has, too.
    listingFaults(filter, { search: filter.search }).throwIfAny();
    const conditions = [IS_PUBLISHED, ...listingConditions(filter), ...marketConditions(filter)];
    const tables = queryBuilder<MarketTables>(this.database);
    const total = tables
      .selectFrom('workflow as w')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(({ and }) => and(conditions));
    const [ids, count] = await Promise.all([
      selectIds(tables, order)
        .where(({ and }) => and(conditions))
        .limit(limit)
        .offset(offset)
        .execute(),
      this.#totals.read(total),
    ]);
    const rows = await this.#rows(caller)
      .where('w.id', '=', ({ fn }) => fn.any(expression<number[]>`${ids.map(({ id }) => id)}::int[]`))
      .execute();
    const byId = new Map(rows.map(row => [row.id, row]));
    const rowsInOrder = ids.flatMap(({ id }) => byId.get(id) ?? []);
    return { ...page, total: count, items: rowsInOrder.map(row => marketItemOf(row, this.currencies)) };
  }

  /** Returns a published workflow. `caller` as in `list`. @throws NotFoundError */
  async get(caller: Viewer | null, slug: string): Promise<MarketplaceWorkflow> {
    if (hasUnstorableText(slug)) throw new NotFoundError();
    const row = await this.#rows(caller).where('w.slug', '=', slug).executeTakeFirst();
    if (!row) throw new NotFoundError();
    return marketItemOf(row, this.currencies);
  }

  #rows(caller: Viewer | null) {
    return queryBuilder<MarketTables>(this.database)
      .selectFrom('workflow as w')
      .innerJoin('workflow_figures as f', 'f.workflow_id', 'w.id')
      .select(marketItemColumns(caller?.userId ?? null))
      .select(['w.slug', 'w.published_at as publishedAt', 'f.market_last_run_at as lastRunAt'])
      .where(IS_PUBLISHED)
      .$castTo<Row>();
  }
}

function marketConditions({ search, publishedAfter, publishedBefore }: MarketplaceFilter): Expression<boolean>[] {
  return [
    ...(search ? [expression<boolean>`w.market_title ilike ${toContainsPattern(search)}`] : []),
    ...(publishedAfter
      ? [expression<boolean>`w.published_at >= ${publishedAfter}::date::timestamp at time zone 'UTC'`]
      : []),
    ...(publishedBefore
      ? [expression<boolean>`w.published_at < (${publishedBefore}::date + 1)::timestamp at time zone 'UTC'`]
      : []),
  ];
}

/** Selects the ids of workflows in an order, by age or by their figures. */
function selectIds(tables: QueryCreator<MarketTables>, order: WorkflowListOrder) {
  const { by, direction } = ORDERS[order];
  if (by === 'age')
    return tables
      .selectFrom('workflow as w')
      .select('w.id')
      .orderBy('w.created_at', direction)
      .orderBy('w.id', direction);
  return tables
    .selectFrom('workflow_figures as f')
    .innerJoin('workflow as w', join =>
      join.onRef('w.id', '=', 'f.workflow_id').on('f.is_published', '=', expression.lit(true)),
    )
    .select('w.id')
    .orderBy(by, item => (direction === 'asc' ? item.asc().nullsFirst() : item.desc().nullsLast()))
    .orderBy('f.workflow_id', direction);
}
