import type { Database } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { containing, type Page, type PageArgs, window } from '../../platform/lists/page.js';
import type { Currencies } from '../../platform/money/money.js';
import { Totals } from '../../platform/sql/totals.js';
import type { Viewer } from '../accounts/viewer.js';
import { WorkflowListOrder } from '../marketplace/listing.inputs.js';
import {
  checkListingFilter,
  listingConditions,
  type MarketItemRow,
  marketItemColumns,
  marketItemOf,
} from '../marketplace/listing.js';
import { locateWorkflow } from '../workflows/locate-workflow.js';
import type { CatalogFilter } from './catalog.inputs.js';
import type { CatalogWorkflow } from './catalog-workflow.type.js';

type Row = MarketItemRow &
  Omit<CatalogWorkflow, 'marketplacePriceAverage' | 'lastRunCost' | 'totalCost'> & {
    lastRunCostUsd: string | null;
    totalCostUsd: string;
  };

const ORDERS: Record<WorkflowListOrder, string> = {
  [WorkflowListOrder.CREATED_AT_ASC]: 'w.created_at, w.id',
  [WorkflowListOrder.CREATED_AT_DESC]: 'w.created_at desc, w.id desc',
  [WorkflowListOrder.LAST_RUN_AT_ASC]: 'f.last_run_at nulls first, f.workflow_id',
  [WorkflowListOrder.LAST_RUN_AT_DESC]: 'f.last_run_at desc nulls last, f.workflow_id desc',
  [WorkflowListOrder.TOTAL_COST_ASC]: 'f.total_cost_usd, f.workflow_id',
  [WorkflowListOrder.TOTAL_COST_DESC]: 'f.total_cost_usd desc, f.workflow_id desc',
};

const READ = `
  select ${marketItemColumns('$2')}, w.project_id as "projectId", w.title, w.slug, w.is_published as "isPublished",
         w.copied_from_id as "copiedFromId", w.updated_at as "updatedAt", f.last_run_at as "lastRunAt",
         (select r.cost_usd from workflow_run r where r.id = f.last_run_id) as "lastRunCostUsd",
         case when f.runs_count > 0 then f.duration_ms::float8 / f.runs_count / 1000 end as "averageRunDuration",
         coalesce(f.total_cost_usd, 0) as "totalCostUsd",
         ${bookmarkedBy('$2')} as "isBookmarked"
    from workflow w left join workflow_figures f on f.workflow_id = w.id
   where w.id = any($1::int[]) and w.archived_at is null`;

const IS_BOOKMARKED = bookmarkedBy('$1');

interface Listed {
  /** Conditions of the workflows `w`, and their values: the viewer first. */
  where: string;
  values: unknown[];
  order: string;
  /** Sees all: a list in the order of an index is read to the end of its page alone. */
  isAdmin: boolean;
}

/** The unarchived workflows of the viewer's projects. */
export class CatalogService {
  readonly #totals: Totals;

  constructor(
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {
    this.#totals = new Totals(database);
  }

  /** In the order asked for, what the viewer has bookmarked first. */
  async list(
    viewer: Viewer,
    filter: CatalogFilter,
    order: WorkflowListOrder,
    page: PageArgs,
  ): Promise<Page<CatalogWorkflow>> {
    const { limit, offset } = window(page);
    const { search, titleContains } = filter;
    checkListingFilter(filter, { search, titleContains }).throwIfAny();
    const values: unknown[] = [viewer.userId];
    const conditions = ['w.archived_at is null'];
    // From the viewer's few projects to their workflows, however many there are of others. Every statement takes $1.
    if (viewer.isAdmin) conditions.push('$1::int is not null');
    else conditions.push('w.project_id in (select m.project_id from project_member m where m.user_id = $1)');
    if (filter.project != null) conditions.push(`w.project_id = $${values.push(filter.project)}`);
    if (filter.ownScripts) conditions.push('w.created_by_id = $1 and w.copied_from_id is null');
    if (search) {
      const pattern = `$${values.push(containing(search))}`;
      conditions.push(`(w.title ilike ${pattern} or w.market_title ilike ${pattern})`);
    }
    if (titleContains) conditions.push(`w.title ilike $${values.push(containing(titleContains))}`);
    conditions.push(...listingConditions(filter, values));
    const where = conditions.join(' and ');
    const listed = { where, values, order: ORDERS[order], isAdmin: viewer.isAdmin };
    const [ids, total] = await Promise.all([
      this.#page(listed, limit, offset),
      this.#totals.count(`workflow w where ${where}`, values),
    ]);
    return { ...page, total, items: await this.#read(viewer, ids) };
  }

  /** Bookmarked workflows are few and read apart: the rest then comes in the order of an index. */
  async #page(listed: Listed, limit: number, offset: number): Promise<number[]> {
    const first = await this.#idsOf(listed, IS_BOOKMARKED, limit, offset);
    if (first.length === limit) return first;
    // A page on which bookmarked ones end begins the rest at its start.
    const skipped = first.length > 0 || offset === 0 ? 0 : Math.max(offset - (await this.#bookmarks(listed)), 0);
    return [...first, ...(await this.#idsOf(listed, `not ${IS_BOOKMARKED}`, limit - first.length, skipped))];
  }

  async #bookmarks({ where, values }: Listed): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from workflow w where ${where} and ${IS_BOOKMARKED}`,
      values,
    );
    return row!.count;
  }

  async #idsOf({ where, values, order, isAdmin }: Listed, which: string, limit: number, offset: number) {
    const rows = await this.database.query<{ id: number }>(
      `with listed as ${isAdmin ? 'not materialized' : 'materialized'} (
         select w.id, w.created_at from workflow w where ${where} and ${which})
       select w.id from listed w join workflow_figures f on f.workflow_id = w.id
        order by ${order} limit $${values.length + 1} offset $${values.length + 2}`,
      [...values, limit, offset],
    );
    return rows.map(({ id }) => id);
  }

  async get(viewer: Viewer, id: number): Promise<CatalogWorkflow> {
    await locateWorkflow(this.database, viewer, id, 'project.read');
    const [workflow] = await this.#read(viewer, [id]);
    if (!workflow) throw new NotFoundError();
    return workflow;
  }

  /** Bookmarks a workflow; once more changes nothing. */
  async addBookmark(viewer: Viewer, id: number): Promise<CatalogWorkflow> {
    await locateWorkflow(this.database, viewer, id, 'project.read');
    await this.database.query(
      'insert into workflow_bookmark (user_id, workflow_id) values ($1, $2) on conflict do nothing',
      [viewer.userId, id],
    );
    return this.get(viewer, id);
  }

  /** Takes the bookmark away; harmless where there is none. */
  async removeBookmark(viewer: Viewer, id: number): Promise<CatalogWorkflow> {
    await locateWorkflow(this.database, viewer, id, 'project.read');
    await this.database.query('delete from workflow_bookmark where user_id = $1 and workflow_id = $2', [
      viewer.userId,
      id,
    ]);
    return this.get(viewer, id);
  }

  /** In the order of the ids; one that was archived meanwhile is left out. */
  async #read(viewer: Viewer, ids: number[]): Promise<CatalogWorkflow[]> {
    const rows = await this.database.query<Row>(READ, [ids, viewer.userId]);
    const byId = new Map(rows.map(row => [row.id, row]));
    return ids.flatMap(id => {
      const row = byId.get(id);
      if (!row) return [];
      const { lastRunCostUsd, totalCostUsd, ...rest } = row;
      const lastRunCost = lastRunCostUsd === null ? null : this.currencies.of(lastRunCostUsd);
      return [{ ...marketItemOf(rest, this.currencies), lastRunCost, totalCost: this.currencies.of(totalCostUsd) }];
    });
  }
}

/** SQL condition of the workflows `w` that the user behind this parameter has bookmarked. */
function bookmarkedBy(user: string): string {
  return `exists (select 1 from workflow_bookmark b where b.workflow_id = w.id and b.user_id = ${user}::int)`;
}
