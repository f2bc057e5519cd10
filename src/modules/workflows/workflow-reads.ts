import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../platform/database/typed-queries.js';
import { type PageValue, preparedPage } from '../../platform/lists/counted-page.js';
import { isVisible, type ViewerParameters, viewersRole } from '../projects/access.js';
import type { ProjectTables } from '../projects/project-tables.js';
import { isBookmarkedBy } from './bookmarks/bookmarks.js';
import { WorkflowOrder } from './workflow.inputs.js';
import type { Workflow } from './workflow.js';
import type { WorkflowTables } from './workflow-tables.js';

export interface ReadTables extends WorkflowTables, ProjectTables {}

/** Selects workflows `w` without graphs and guides, which are loaded only when a query selects them. */
export function selectWorkflows(tables: QueryCreator<ReadTables>) {
  return tables
    .selectFrom('workflow as w')
    .select(['w.id', 'w.project_id as projectId', 'w.title', 'w.sort_id as sortId', 'w.market_title as marketTitle'])
    .select(['w.short_description as shortDescription', 'w.available_languages as availableLanguages'])
    .select(['w.run_fee as runFee', 'w.free_runs_per_user as freeRunsPerUser', 'w.category_id as categoryId'])
    .select(['w.subcategory_id as subcategoryId', 'w.slug', 'w.is_published as isPublished'])
    .select(['w.published_at as publishedAt', 'w.copied_from_id as copiedFromId', 'w.revision_id as revisionId'])
    .select(['w.published_revision_id as publishedRevisionId', 'w.paused_at as pausedAt'])
    .select(['w.created_at as createdAt', 'w.updated_at as updatedAt'])
    .$castTo<Workflow>();
}

const ORDERS = {
  [WorkflowOrder.POSITION]: { columns: ['w.project_id', 'w.sort_id'], direction: 'asc' },
  [WorkflowOrder.TITLE_ASC]: { columns: ['w.title'], direction: 'asc' },
  [WorkflowOrder.TITLE_DESC]: { columns: ['w.title'], direction: 'desc' },
  [WorkflowOrder.CREATED_AT_ASC]: { columns: ['w.created_at'], direction: 'asc' },
  [WorkflowOrder.CREATED_AT_DESC]: { columns: ['w.created_at'], direction: 'desc' },
  [WorkflowOrder.UPDATED_AT_ASC]: { columns: ['w.updated_at'], direction: 'asc' },
  [WorkflowOrder.UPDATED_AT_DESC]: { columns: ['w.updated_at'], direction: 'desc' },
} as const satisfies Record<WorkflowOrder, unknown>;

/**
 * Selects the unarchived workflows that a viewer can read, with the viewer's role, in a given order. With `areBookmarkedFirst`,
 * the ones that the viewer has bookmarked come first.
 */
export function visibleWorkflows(
  tables: QueryCreator<ReadTables>,
  viewer: ViewerParameters,
  order: WorkflowOrder,
  areBookmarkedFirst = false,
) {
  const { columns, direction } = ORDERS[order];
  const shown = selectWorkflows(tables)
    .select(viewersRole(viewer, 'w.project_id').as('viewersRole'))
    .where(isVisible(viewer, 'w.project_id'))
    .where('w.archived_at', 'is', null)
    .$if(areBookmarkedFirst, query => query.orderBy(isBookmarkedBy(viewer.userId), 'desc'))
    .$castTo<Workflow>();
  return columns.reduce((query, column) => query.orderBy(column, direction), shown).orderBy('w.id', direction);
}

/** Queries for pages of the workflows that a viewer can read, by sort order. Queries for administrators check no membership. */
export const WORKFLOW_PAGES = Object.fromEntries(
  Object.values(WorkflowOrder).map(order => [
    order,
    { ofAdmin: preparePage(order, true), ofMember: preparePage(order, false) },
  ]),
) as Record<WorkflowOrder, Record<'ofAdmin' | 'ofMember', ReturnType<typeof preparePage>>>;

function preparePage(order: WorkflowOrder, isAdmin: boolean) {
  return preparedPage(
    `workflows ${order}${isAdmin ? '-admin' : ''}`,
    (tables: QueryCreator<ReadTables>, value: PageValue<{ userId: number }>) =>
      visibleWorkflows(
        tables,
        { userId: expression<number>`${value('userId')}::int`, isAdmin: expression.lit(isAdmin) },
        order,
      ),
  );
}

interface WorkflowValues {
  id: number;
  userId: number;
  isAdmin: boolean;
}

/** One unarchived workflow with the role of the viewer in its project. */
export const READ_WORKFLOW = keyedQuery(
  'workflow',
  (tables: QueryCreator<ReadTables>, value: Placeholder<WorkflowValues>) =>
    selectWorkflows(tables)
      .select('w.readme_guide as readmeGuide')
      .select(viewersRole({ userId: value('userId'), isAdmin: value('isAdmin') }, 'w.project_id').as('viewersRole'))
      .where('w.id', '=', value('id'))
      .where('w.archived_at', 'is', null),
);

/** One workflow, archived or not. The caller must have authorized the viewer. */
export const READ_ANY_WORKFLOW = keyedQuery(
  'any-workflow',
  (tables: QueryCreator<ReadTables>, value: Placeholder<{ id: number }>) =>
    selectWorkflows(tables).select('w.readme_guide as readmeGuide').where('w.id', '=', value('id')),
);

/** Workflows by id, including archived ones. */
export const READ_WORKFLOWS = keyedQuery(
  'workflows-by-id',
  (tables: QueryCreator<ReadTables>, value: Placeholder<{ ids: readonly number[] }>) =>
    selectWorkflows(tables).where('w.id', '=', ({ fn }) => fn.any(expression<number[]>`${value('ids')}::int[]`)),
);
