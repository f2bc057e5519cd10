import type { Database } from '../../platform/database/database.js';
import { type Expression, expression, expressionBuilder, queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { type Page, type PageArgs, toContainsPattern, toLimitOffset } from '../../platform/lists/page.js';
import type { Currencies } from '../../platform/money/money.js';
import { Totals } from '../../platform/sql/totals.js';
import type { Viewer } from '../accounts/viewer.js';
import { WorkflowListOrder } from '../marketplace/listing.inputs.js';
import {
  listingConditions,
  listingFaults,
  type MarketItemRow,
  marketItemColumns,
  marketItemOf,
} from '../marketplace/listing.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { RunTables } from '../workflow-runs/run-tables.js';
import { addBookmark, isBookmarkedBy, removeBookmark } from '../workflows/bookmarks/bookmarks.js';
import { locateWorkflow } from '../workflows/locate-workflow.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import type { CatalogFilter } from './catalog.inputs.js';
import type { CatalogWorkflow } from './catalog-workflow.type.js';

type Row = MarketItemRow &
  Omit<CatalogWorkflow, 'marketplacePriceAverage' | 'lastRunCost' | 'totalCost'> & {
    lastRunCostUsd: string | null;
    totalCostUsd: string;
  };

/** Column, direction, and the id that orders equal values, from the same table so that one index serves both. */
const ORDERS = {
  [WorkflowListOrder.CREATED_AT_ASC]: ['w.created_at', 'asc', 'w.id'],
  [WorkflowListOrder.CREATED_AT_DESC]: ['w.created_at', 'desc', 'w.id'],
  [WorkflowListOrder.LAST_RUN_AT_ASC]: ['f.last_run_at', 'asc', 'f.workflow_id'],
  [WorkflowListOrder.LAST_RUN_AT_DESC]: ['f.last_run_at', 'desc', 'f.workflow_id'],
  [WorkflowListOrder.TOTAL_COST_ASC]: ['f.total_cost_usd', 'asc', 'f.workflow_id'],
  [WorkflowListOrder.TOTAL_COST_DESC]: ['f.total_cost_usd', 'desc', 'f.workflow_id'],
} as const satisfies Record<WorkflowListOrder, unknown>;

interface Tables extends WorkflowTables, ProjectTables, RunTables {}

interface CatalogQuery {
  viewer: Viewer;
  /** Conditions on the workflow `w`. */
  conditions: Expression<boolean>[];
  order: WorkflowListOrder;
}

/** Reads the catalog: the unarchived workflows of the viewer's projects. */
export class CatalogService {
  readonly #totals = new Totals();

  constructor(
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {}

  /** Lists workflows in the requested order, bookmarked workflows first. */
  async list(
    viewer: Viewer,
    filter: CatalogFilter,
    order: WorkflowListOrder,
    page: PageArgs,
  ): Promise<Page<CatalogWorkflow>> {
    const { limit, offset } = toLimitOffset(page);
    const { search, titleContains } = filter;
    listingFaults(filter, { search, titleContains }).throwIfAny();
    const query = { viewer, conditions: conditionsOf(viewer, filter), order };
    const total = this.#tables()
      .selectFrom('workflow as w')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(({ and }) => and(query.conditions));
    const [ids, count] = await Promise.all([this.#page(query, limit, offset), this.#totals.read(total)]);
    return { ...page, total: count, items: await this.#read(viewer, ids) };
  }

  /**
   * Returns the ids of one page. Bookmarked workflows are few and read separately, so that the rest can be read
   * in index order.
   */
  async #page(query: CatalogQuery, limit: number, offset: number): Promise<number[]> {
    const isBookmarked = isBookmarkedBy(query.viewer.userId);
    const first = await this.#idsOf(query, isBookmarked, limit, offset);
    if (first.length === limit) return first;
    // If this page still contains bookmarked workflows, the rest starts at offset 0.
    const restOffset = first.length > 0 || offset === 0 ? 0 : Math.max(offset - (await this.#countBookmarks(query)), 0);
    const isOther = expression<boolean>`not ${isBookmarked}`;
    return [...first, ...(await this.#idsOf(query, isOther, limit - first.length, restOffset))];
  }

  async #countBookmarks({ viewer, conditions }: CatalogQuery): Promise<number> {
    const { count } = await this.#tables()
      .selectFrom('workflow as w')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(({ and }) => and([...conditions, isBookmarkedBy(viewer.userId)]))
      .executeTakeFirstOrThrow();
    return count;
  }

  async #idsOf(
    { viewer, conditions, order }: CatalogQuery,
    condition: Expression<boolean>,
    limit: number,
    offset: number,
  ) {
    const [by, direction, id] = ORDERS[order];
    const rows = await this.#tables()
      .with(
        // A member of projects sees few workflows: materialized, they are read first and then sorted. An administrator sees all
        // workflows: without materialization, they are read in the order of an index up to the end of the page.
        listed => (viewer.isAdmin ? listed('listed').notMaterialized() : listed('listed').materialized()),
        tables =>
          tables
            .selectFrom('workflow as w')
            .select(['w.id', 'w.created_at'])
            .where(({ and }) => and([...conditions, condition])),
      )
      .selectFrom('listed as w')
      .innerJoin('workflow_figures as f', 'f.workflow_id', 'w.id')
      .select('w.id')
      .orderBy(by, item => (direction === 'asc' ? item.asc().nullsFirst() : item.desc().nullsLast()))
      .orderBy(id, direction)
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(row => row.id);
  }

  async get(viewer: Viewer, id: number): Promise<CatalogWorkflow> {
    await locateWorkflow(this.database, viewer, id, 'project.read');
    const [workflow] = await this.#read(viewer, [id]);
    if (!workflow) throw new NotFoundError();
    return workflow;
  }

  /** Bookmarks a workflow. Idempotent. */
  async addBookmark(viewer: Viewer, id: number): Promise<CatalogWorkflow> {
    await locateWorkflow(this.database, viewer, id, 'project.read');
    await addBookmark(this.database, viewer.userId, id);
    return this.get(viewer, id);
  }

  /** Removes the bookmark of a workflow. Idempotent. */
  async removeBookmark(viewer: Viewer, id: number): Promise<CatalogWorkflow> {
    await locateWorkflow(this.database, viewer, id, 'project.read');
    await removeBookmark(this.database, viewer.userId, id);
    return this.get(viewer, id);
  }

  /** Reads workflows in the order of the ids. Omits workflows that have been archived meanwhile. */
  async #read(viewer: Viewer, ids: number[]): Promise<CatalogWorkflow[]> {
    const rows: Row[] = await this.#rows(viewer, ids).execute();
    const byId = new Map(rows.map(row => [row.id, row]));
    return ids.flatMap(id => {
      const row = byId.get(id);
      if (!row) return [];
      const { lastRunCostUsd, totalCostUsd, ...rest } = row;
      const lastRunCost = lastRunCostUsd === null ? null : this.currencies.of(lastRunCostUsd);
      return [{ ...marketItemOf(rest, this.currencies), lastRunCost, totalCost: this.currencies.of(totalCostUsd) }];
    });
  }

  #rows({ userId }: Viewer, ids: number[]) {
    return this.#tables()
      .selectFrom('workflow as w')
      .innerJoin('workflow_figures as f', 'f.workflow_id', 'w.id')
      .select(marketItemColumns(userId))
      .select(['w.project_id as projectId', 'w.title', 'w.slug', 'w.is_published as isPublished'])
      .select(['w.copied_from_id as copiedFromId', 'w.updated_at as updatedAt', 'f.last_run_at as lastRunAt'])
      .select(({ selectFrom }) =>
        selectFrom('workflow_run as r')
          .select('r.cost_usd')
          .whereRef('r.id', '=', 'f.last_run_id')
          .as('lastRunCostUsd'),
      )
      .select(
        expression<number | null>`case when f.runs_count > 0 then f.duration_ms::float8 / f.runs_count / 1000 end`.as(
          'averageRunDuration',
        ),
      )
      .select('f.total_cost_usd as totalCostUsd')
      .select(isBookmarkedBy(userId).as('isBookmarked'))
      .where('w.id', '=', ({ fn }) => fn.any(expression<number[]>`${ids}::int[]`))
      .where('w.archived_at', 'is', null);
  }

  #tables() {
    return queryBuilder<Tables>(this.database);
  }
}

/** Returns the conditions on the workflow `w` for a list. */
function conditionsOf(viewer: Viewer, filter: CatalogFilter): Expression<boolean>[] {
  const { search, titleContains, projectId: project, ownScripts } = filter;
  const ownProjects = expressionBuilder<Tables>()
    .selectFrom('project_member as m')
    .select('m.project_id')
    .where('m.user_id', '=', viewer.userId);
  const pattern = search ? toContainsPattern(search) : '';
  return [
    expression<boolean>`w.archived_at is null`,
    // The subquery starts from the few projects of the viewer, so that its cost does not depend on the number
    // of other projects.
    ...(viewer.isAdmin ? [] : [expression<boolean>`w.project_id in ${ownProjects}`]),
    ...(project != null ? [expression<boolean>`w.project_id = ${project}`] : []),
    ...(ownScripts ? [expression<boolean>`w.created_by_id = ${viewer.userId} and w.copied_from_id is null`] : []),
    ...(search ? [expression<boolean>`(w.title ilike ${pattern} or w.market_title ilike ${pattern})`] : []),
    ...(titleContains ? [expression<boolean>`w.title ilike ${toContainsPattern(titleContains)}`] : []),
    ...listingConditions(filter),
  ];
}
