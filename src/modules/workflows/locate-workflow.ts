import { LRUCache } from 'lru-cache';
import type { Database, Sql } from '../../platform/database/database.js';
import { compiledText, keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator, queryBuilder } from '../../platform/database/typed-queries.js';
import { BatchedReads } from '../../platform/sql/batched-reads.js';
import type { Viewer } from '../accounts/viewer.js';
import { isBudgetSpent } from '../billing/budgets/budget.js';
import { assertAllowed, viewersRole } from '../projects/access.js';
import type { ProjectTables } from '../projects/project-tables.js';
import { type Action, type ProjectRole, rolesAllowed } from '../projects/rights.js';
import type { WorkflowTables } from './workflow-tables.js';

/** The columns of a workflow that services need before an operation. */
export interface LocatedWorkflow {
  id: number;
  projectId: number;
  /** The revision that was saved last: the draft where the project uses drafts. */
  savedRevisionId: number;
  /** The revision that new runs use: the published one where the project uses drafts. Null: none is published yet. */
  runnableRevisionId: number | null;
  sortId: number;
  /** Whether the spending limit of the project is reached. No run starts then. */
  isBudgetSpent: boolean;
  categoryId: number | null;
  subcategoryId: number | null;
  isPublished: boolean;
  /** When its triggers were paused. Null: they start runs. */
  pausedAt: Date | null;
  /** Whether it is a copy from the marketplace, whose runs may cost a fee. */
  isCopy: boolean;
}

interface Tables extends WorkflowTables, ProjectTables {}

const COLUMNS = [
  'w.id',
  'w.project_id as projectId',
  'w.revision_id as savedRevisionId',
  'w.sort_id as sortId',
  'w.category_id as categoryId',
  'w.subcategory_id as subcategoryId',
  'w.is_published as isPublished',
  'w.paused_at as pausedAt',
] as const;
/** The revision of workflow `w` of project `p` that new runs use. Every way in which a run starts reads it by this expression. */
export const RUNNABLE_REVISION = expression<number | null>`
  case when p.uses_drafts then w.published_revision_id else w.revision_id end`;
const IS_COPY = expression<boolean>`w.market_terms_id is not null`.as('isCopy');

type LocatedWithRole = LocatedWorkflow & { role: ProjectRole | null };

/** Whether the project has the unarchived workflow. */
export async function isWorkflowOf(sql: Sql, id: number, projectId: number): Promise<boolean> {
  const row = await queryBuilder<WorkflowTables>(sql)
    .selectFrom('workflow')
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns an unarchived workflow that the viewer may do `action` with. Every access to a workflow by id uses this check.
 * With `lock`, the row stays locked until the transaction ends.
 * @throws NotFoundError when the viewer cannot read it, ForbiddenError when the role does not allow `action`.
 */
export async function locateWorkflow(
  sql: Sql,
  viewer: Viewer,
  id: number,
  action: Action,
  { lock = false } = {},
): Promise<LocatedWorkflow> {
  const locate = lock ? LOCATE_LOCKED : LOCATE;
  const [row] = await locate(sql, { id, userId: viewer.userId, isAdmin: viewer.isAdmin });
  assertAllowed(row?.role ?? null, action);
  return row as LocatedWithRole;
}

interface LocateValues {
  id: number;
  userId: number;
  isAdmin: boolean;
}

const LOCATE = keyedQuery('locate-workflow', locateQuery);
const LOCATE_LOCKED = keyedQuery(
  'locate-workflow-locked',
  (tables: QueryCreator<Tables>, value: Placeholder<LocateValues>) => locateQuery(tables, value).forNoKeyUpdate('w'),
);

function locateQuery(tables: QueryCreator<Tables>, value: Placeholder<LocateValues>) {
  return tables
    .selectFrom('workflow as w')
    .innerJoin('project as p', 'p.id', 'w.project_id')
    .select(COLUMNS)
    .select([IS_COPY, RUNNABLE_REVISION.as('runnableRevisionId'), isBudgetSpent('p').as('isBudgetSpent')])
    .select(viewersRole({ userId: value('userId'), isAdmin: value('isAdmin') }, 'w.project_id').as('role'))
    .where('w.id', '=', value('id'))
    .where('w.archived_at', 'is', null);
}

/**
 * SQL condition that a remembered workflow is still correct for the run `g` with the columns `projectId`, `workflowId`, `revisionId`,
 * `userId` and `viewerIsAdmin`: `locateWorkflow` would find it for the viewer with the same project and runnable revision, money is
 * left, and it is not a copy from the marketplace.
 */
export function isStillLocatedSql(action: Action): string {
  const columns = { id: 'g.workflowId', userId: 'g.userId', isAdmin: 'g.viewerIsAdmin' };
  const roles = rolesAllowed(action).map(role => expression.lit(role));
  const text = compiledText((tables: QueryCreator<Tables>) =>
    tables
      .selectFrom(locateQuery(tables, name => expression.ref(columns[name])).as('located'))
      .select(expression.lit(1).as('one'))
      .where('located.projectId', '=', expression.ref<number>('g.projectId'))
      .where('located.runnableRevisionId', '=', expression.ref<number>('g.revisionId'))
      .where('located.role', 'in', roles)
      .where('located.isBudgetSpent', '=', expression.lit(false))
      .where('located.isCopy', '=', expression.lit(false)),
  );
  return `exists (${text})`;
}

const LOCATE_MANY = keyedQuery(
  'locate-workflows',
  (tables: QueryCreator<Tables>, value: Placeholder<{ ids: number[]; userIds: number[]; areAdmins: boolean[] }>) =>
    tables
      .selectFrom(
        expression<{ id: number; user_id: number; is_admin: boolean; nth: number }>`
          unnest(${value('ids')}::int[], ${value('userIds')}::int[], ${value('areAdmins')}::boolean[])
          with ordinality`.as<'a'>(expression`a(id, user_id, is_admin, nth)`),
      )
      .innerJoin('workflow as w', join => join.onRef('w.id', '=', 'a.id').on('w.archived_at', 'is', null))
      .innerJoin('project as p', 'p.id', 'w.project_id')
      .select('a.nth')
      .select(COLUMNS)
      .select([IS_COPY, RUNNABLE_REVISION.as('runnableRevisionId'), isBudgetSpent('p').as('isBudgetSpent')])
      .select(({ ref }) =>
        viewersRole({ userId: ref('a.user_id'), isAdmin: ref('a.is_admin') }, 'w.project_id').as('role'),
      ),
);

/** Maximum number of workflows, each for one viewer, that a process remembers. */
const MAX_REMEMBERED = 2_000;

/** `locateWorkflow` for many concurrent requests: one statement per batch, and one row for equal requests. */
export class WorkflowLocator {
  readonly #workflows: BatchedReads<{ viewer: Viewer; id: number }, LocatedWithRole>;
  readonly #remembered = new LRUCache<string, LocatedWorkflow>({ max: MAX_REMEMBERED });

  constructor(database: Database) {
    this.#workflows = new BatchedReads(
      ({ viewer, id }) => keyOf(viewer, id),
      async requests => {
        const rows = await LOCATE_MANY(database, {
          ids: requests.map(({ id }) => id),
          userIds: requests.map(({ viewer }) => viewer.userId),
          areAdmins: requests.map(({ viewer }) => viewer.isAdmin),
        });
        return rows.map(({ nth, ...workflow }) => [requests[nth - 1]!, workflow as LocatedWithRole] as const);
      },
    );
  }

  async locate(viewer: Viewer, id: number, action: Action): Promise<LocatedWorkflow> {
    const key = keyOf(viewer, id);
    this.#remembered.delete(key);
    const workflow = await this.#workflows.read({ viewer, id });
    assertAllowed(workflow?.role ?? null, action);
    this.#remembered.set(key, workflow!);
    return workflow!;
  }

  /**
   * What `locate` found for the viewer last. It may be outdated and permits nothing: only a statement that checks `isStillLocatedSql`
   * may rely on it.
   */
  remembered(viewer: Viewer, id: number): LocatedWorkflow | undefined {
    return this.#remembered.get(keyOf(viewer, id));
  }
}

function keyOf({ userId, isAdmin }: Viewer, id: number): string {
  return `${id} ${userId} ${isAdmin}`;
}
