import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { type Expression, expression, type QueryCreator } from '../../../platform/database/typed-queries.js';
import type { Keyset } from '../../../platform/lists/connection.js';
import { viewersRole } from '../../projects/access.js';
import type { ProjectTables } from '../../projects/project-tables.js';
import type { WorkflowTables } from '../../workflows/workflow-tables.js';
import { type JournalBatch, journalBatches } from '../journal/run-journal.js';
import type { RunTables } from '../run-tables.js';
import { isExpired, runColumns } from './run-columns.js';
import { WorkflowRunOrder } from './workflow-run.inputs.js';

export interface ReadTables extends RunTables, WorkflowTables, ProjectTables {}

const ORDERS = {
  [WorkflowRunOrder.CREATED_AT_ASC]: ['r.created_at', 'asc'],
  [WorkflowRunOrder.CREATED_AT_DESC]: ['r.created_at', 'desc'],
  [WorkflowRunOrder.COST_ASC]: ['r.cost_usd', 'asc'],
  [WorkflowRunOrder.COST_DESC]: ['r.cost_usd', 'desc'],
} as const satisfies Record<WorkflowRunOrder, unknown>;

interface Slice {
  limit: number | Expression<number>;
  offset: number | Expression<number>;
}

/** Selects the ids of the run rows `r` that meet all conditions, in the given order. */
export function runIds(
  tables: QueryCreator<ReadTables>,
  conditions: readonly Expression<boolean>[],
  order: WorkflowRunOrder,
) {
  const [column, direction] = ORDERS[order];
  return tables
    .selectFrom('workflow_run as r')
    .select('r.id')
    .where(({ and }) => and([...conditions]))
    .orderBy(column, direction)
    .orderBy('r.id', direction);
}

/** Selects a page of runs. Rows in front of the page are skipped by an index scan that does not read the table. */
export function runPage(
  tables: QueryCreator<ReadTables>,
  conditions: readonly Expression<boolean>[],
  order: WorkflowRunOrder,
  { limit, offset, ttlDays }: Slice & { ttlDays: number | Expression<number> },
) {
  const [column, direction] = ORDERS[order];
  return tables
    .selectFrom(runIds(tables, conditions, order).limit(limit).offset(offset).as('page'))
    .innerJoin('workflow_run as r', 'r.id', 'page.id')
    .select(runColumns(ttlDays))
    .orderBy(column, direction)
    .orderBy('r.id', direction);
}

/** The order of runs as the key of cursors. */
export function runKeyset(order: WorkflowRunOrder): Keyset {
  const [ref, direction] = ORDERS[order];
  const type = ref === 'r.cost_usd' ? 'numeric' : 'timestamptz';
  return {
    name: `workflowRuns ${order}`,
    columns: [
      { ref, type },
      { ref: 'r.id', type: 'uuid' },
    ],
    order: direction,
  };
}

/** Counts the runs that meet all conditions. */
export function runTotal(tables: QueryCreator<ReadTables>, conditions: readonly Expression<boolean>[]) {
  return tables
    .selectFrom('workflow_run as r')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(({ and }) => and([...conditions]));
}

interface PageValues {
  workflowId: number;
  limit: number;
  offset: number;
  ttlDays: number;
}

/** The page queries of a workflow, by order. */
export const RUN_PAGES = Object.fromEntries(
  Object.values(WorkflowRunOrder).map(order => [order, pageOfWorkflow(order)]),
) as Record<WorkflowRunOrder, ReturnType<typeof pageOfWorkflow>>;

function pageOfWorkflow(order: WorkflowRunOrder) {
  return keyedQuery(`runs-${order}`, (tables: QueryCreator<ReadTables>, value: Placeholder<PageValues>) =>
    runPage(tables, [ofWorkflow(value)], order, {
      limit: value('limit'),
      offset: value('offset'),
      ttlDays: value('ttlDays'),
    }),
  );
}

function ofWorkflow(value: Placeholder<Pick<PageValues, 'workflowId'>>) {
  return expression<boolean>`r.workflow_id = ${value('workflowId')}`;
}

/** Counts the runs of a workflow. */
export const RUN_TOTAL = keyedQuery(
  'run-total',
  (tables: QueryCreator<ReadTables>, value: Placeholder<Pick<PageValues, 'workflowId'>>) =>
    runTotal(tables, [ofWorkflow(value)]),
);

interface RunValues {
  id: string;
  /** Null: the workflow is not checked. */
  workflowId: number | null;
  userId: number;
  isAdmin: boolean;
  ttlDays: number;
}

type ReaderValues = Omit<RunValues, 'workflowId'>;

/** Selects one run with the role of the viewer in its project. */
function runWithRole(tables: QueryCreator<ReadTables>, value: Placeholder<ReaderValues>) {
  return tables
    .selectFrom('workflow_run as r')
    .select(viewersRole({ userId: value('userId'), isAdmin: value('isAdmin') }, 'r.project_id').as('role'))
    .where('r.id', '=', value('id'));
}

/**
 * Reads one run of `runWithRole`. With `workflowId`, the run must belong to that workflow, which must not be archived. By its
 * id only, a run of an archived workflow is found too: it may be in progress.
 */
export const READ_RUN = keyedQuery('run', (tables: QueryCreator<ReadTables>, value: Placeholder<RunValues>) =>
  runWithRole(tables, value)
    .leftJoin('workflow as w', 'w.id', 'r.workflow_id')
    .select(runColumns(value('ttlDays')))
    .where(
      expression<boolean>`(${value('workflowId')}::int is null
        or (r.workflow_id = ${value('workflowId')} and w.archived_at is null))`,
    ),
);

/**
 * Reads the state and the result of a run at one moment, for `resultOfRow` or `resultInProgress`. A run in progress has no
 * stored result, and the stored result of an ended run may omit what its journal contains.
 */
export const READ_RESULT = keyedQuery(
  'run-result',
  (tables: QueryCreator<ReadTables>, value: Placeholder<ReaderValues>) => {
    const isShown = expression<boolean>`r.state <> 'draft' and not ${isExpired(value('ttlDays'))}`;
    const journal = journalBatches('r.id', 'r.created_at');
    return runWithRole(tables, value)
      .leftJoin('workflow_run_payload as p', join =>
        join.onRef('p.run_id', '=', 'r.id').onRef('p.run_created_at', '=', 'r.created_at'),
      )
      .select(['r.state', 'r.sequence', isExpired(value('ttlDays')).as('isExpired')])
      .select([
        expression<unknown>`case when ${isShown} then p.result end`.as('result'),
        expression<JournalBatch[] | null>`case when ${isShown} and p.result -> 'data' is null then ${journal} end`.as(
          'journal',
        ),
      ]);
  },
);
