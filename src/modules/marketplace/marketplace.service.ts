import type { Database } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { hasUnstorableText } from '../../platform/errors/fields.js';
import { containing, type Page, type PageArgs, window } from '../../platform/lists/page.js';
import type { Currencies } from '../../platform/money/money.js';
import { Totals } from '../../platform/sql/totals.js';
import type { Viewer } from '../accounts/viewer.js';
import { type MarketplaceFilter, WorkflowListOrder } from './listing.inputs.js';
import {
  checkListingFilter,
  listingConditions,
  type MarketItemRow,
  marketItemColumns,
  marketItemOf,
} from './listing.js';
import type { MarketplaceWorkflow } from './market-item.type.js';

type Row = MarketItemRow & Omit<MarketplaceWorkflow, 'marketplacePriceAverage'>;

const WORKFLOWS = 'workflow w';
const FIGURES = 'workflow_figures f join workflow w on w.id = f.workflow_id and f.is_published';

/** Where each order has an index that yields published workflows page by page. */
const ORDERS: Record<WorkflowListOrder, { from: string; by: string }> = {
  [WorkflowListOrder.CREATED_AT_ASC]: { from: WORKFLOWS, by: 'w.created_at, w.id' },
  [WorkflowListOrder.CREATED_AT_DESC]: { from: WORKFLOWS, by: 'w.created_at desc, w.id desc' },
  [WorkflowListOrder.LAST_RUN_AT_ASC]: { from: FIGURES, by: 'f.market_last_run_at nulls first, f.workflow_id' },
  [WorkflowListOrder.LAST_RUN_AT_DESC]: {
    from: FIGURES,
    by: 'f.market_last_run_at desc nulls last, f.workflow_id desc',
  },
  [WorkflowListOrder.TOTAL_COST_ASC]: { from: FIGURES, by: 'f.market_cost_usd, f.workflow_id' },
  [WorkflowListOrder.TOTAL_COST_DESC]: { from: FIGURES, by: 'f.market_cost_usd desc, f.workflow_id desc' },
};

const READ = `
  select ${marketItemColumns('$2')}, w.slug, w.published_at as "publishedAt", f.market_last_run_at as "lastRunAt"
    from workflow w left join workflow_figures f on f.workflow_id = w.id`;

/** What the marketplace shows, to everybody: what is published, and nothing of whoever published it. */
export class MarketplaceService {
  readonly #totals: Totals;

  constructor(
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {
    this.#totals = new Totals(database);
  }

  /** `caller` null: nobody is logged in. */
  async list(
    caller: Viewer | null,
    filter: MarketplaceFilter,
    order: WorkflowListOrder,
    page: PageArgs,
  ): Promise<Page<MarketplaceWorkflow>> {
    const { limit, offset } = window(page);
    checkListingFilter(filter, { search: filter.search }).throwIfAny();
    const values: unknown[] = [];
    const conditions = ['w.is_published', ...listingConditions(filter, values)];
    if (filter.search) conditions.push(`w.market_title ilike $${values.push(containing(filter.search))}`);
    if (filter.publishedAfter)
      conditions.push(`w.published_at >= $${values.push(filter.publishedAfter)}::date::timestamp at time zone 'UTC'`);
    if (filter.publishedBefore)
      conditions.push(
        `w.published_at < ($${values.push(filter.publishedBefore)}::date + 1)::timestamp at time zone 'UTC'`,
      );
    const where = conditions.join(' and ');
    const { from, by } = ORDERS[order];
    const [ids, total] = await Promise.all([
      this.database.query<{ id: number }>(
        `select w.id from ${from} where ${where} order by ${by} limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, limit, offset],
      ),
      this.#totals.count(`workflow w where ${where}`, values),
    ]);
    const rows = await this.#read(caller, 'w.id = any($1::int[]) and w.is_published', [ids.map(row => row.id)]);
    const byId = new Map(rows.map(row => [row.id, row]));
    return { ...page, total, items: ids.flatMap(({ id }) => byId.get(id) ?? []) };
  }

  async get(caller: Viewer | null, slug: string): Promise<MarketplaceWorkflow> {
    if (hasUnstorableText(slug)) throw new NotFoundError();
    const [row] = await this.#read(caller, 'w.slug = $1 and w.is_published', [slug]);
    if (!row) throw new NotFoundError();
    return row;
  }

  async #read(caller: Viewer | null, where: string, values: unknown[]): Promise<MarketplaceWorkflow[]> {
    const rows = await this.database.query<Row>(`${READ} where ${where}`, [...values, caller?.userId ?? null]);
    return rows.map(row => marketItemOf(row, this.currencies));
  }
}
