import type { RunSlots } from '../../../durable/assignment/run-slots.js';
import { ASSIGNMENT_CHANNEL_PREFIX, assignmentSql, MESSAGE_BYTES } from '../../../durable/assignment/slot-messages.js';
import { type JobStatements, jobJsonSql } from '../../../durable/job-statements.js';
import { assignedTokenSql, nextTokenSql } from '../../../durable/lease-token.js';
import type { Database } from '../../../platform/database/database.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { type ColumnTypes, columnArrays, columnsTable } from '../../../platform/sql/column-arrays.js';
import { insertEntriesSql } from '../../billing/ledger.sql.js';
import { deliveriesSql } from '../../webhooks/webhook-outbox.sql.js';
import { isStillLocatedSql } from '../../workflows/locate-workflow.js';
import { marketTermsJoin } from '../../workflows/market-terms.js';
import { addFiguresSql, insertRevisionsSql } from '../../workflows/run-writes.sql.js';
import { assignedColumnsSql } from '../execution/assigned-columns.js';
import { endedRunsSql } from '../execution/run-webhooks.sql.js';
import { LEDGER_COLUMNS, type LedgerRow, numberLedgers } from '../journal/run-ledger.js';

/** One run to insert. */
export interface RunRow {
  id: string;
  projectId: number;
  workflowId: number | null;
  revisionId: number;
  userId: number | null;
  parentRunId?: string | null | undefined;
  scenarioRunId?: number | null | undefined;
  ancestry?: readonly number[] | undefined;
  forkedFromId?: string | null | undefined;
  /** `running`: the process that inserts the run, or a worker to which it is assigned, executes it without a job. */
  state: 'queued' | 'running' | 'draft' | 'failed' | 'succeeded';
  /** Whether the run was executed to its end before it was inserted. */
  isExecuted: boolean;
  input: Record<string, unknown>;
  sealedInput: string | null;
  result: unknown;
  events?: readonly object[] | undefined;
  sealedContents?: string | null | undefined;
  ledger?: readonly LedgerRow[] | undefined;
  /** The revision of a run without a workflow. */
  graph?: object | undefined;
  runsAhead?: number | undefined;
  traceparent?: string | undefined;
  /** Null: the default environment. */
  environment?: string | null | undefined;
  /**
   * Set for a run whose workflow is remembered from an earlier request: whether the viewer is an administrator. The run is omitted
   * unless the workflow is still correct for the viewer (`isStillLocatedSql`).
   */
  viewerIsAdmin?: boolean | undefined;
}

/** An inserted run. */
export interface InsertedRun {
  id: string;
  token: number;
  createdAt: Date;
  marketWorkflowId: number | null;
  runFee: number | null;
}

/** A run without its ledger. `ancestry` is an array literal. */
type NewRow = Omit<RunRow, 'ledger' | 'ancestry'> & { ancestry: string };

const RUN_COLUMNS: ColumnTypes<NewRow> = {
  id: 'uuid',
  projectId: 'int',
  workflowId: 'int',
  revisionId: 'int',
  userId: 'int',
  parentRunId: 'uuid',
  scenarioRunId: 'int',
  ancestry: 'text',
  forkedFromId: 'uuid',
  state: 'text',
  isExecuted: 'boolean',
  input: 'json',
  sealedInput: 'text',
  result: 'json',
  events: 'json',
  sealedContents: 'text',
  graph: 'json',
  runsAhead: 'int',
  traceparent: 'text',
  environment: 'text',
  viewerIsAdmin: 'boolean',
};
// Parameters: the columns of the runs, those of the ledger, the topics, then those of the parts of the statement.
const FIRST_OF_LEDGER = Object.keys(RUN_COLUMNS).length + 1;
const TOPICS = FIRST_OF_LEDGER + Object.keys(LEDGER_COLUMNS).length;

// Rows are inserted in the order of their ids, so that two batches with common ids cannot deadlock. A run of a
// marketplace copy stores the terms that the copy has now.
const acceptedCtes = (firstToken: string, condition: string) => `
  accepted as (
    insert into workflow_run
      (id, project_id, workflow_id, revision_id, user_id, parent_run_id, scenario_run_id, ancestry, forked_from_id, state,
       queued_at, run_started_at, run_finished_at, lease_token, attempts,
       graph_digest, sequence, market_workflow_id, run_fee, free_runs, traceparent, environment)
    select g.id, g."projectId", g."workflowId", g."revisionId", g."userId", g."parentRunId", g."scenarioRunId",
           g.ancestry::int[], g."forkedFromId", g.state,
           case when g.state in ('queued', 'running') or g."isExecuted" then now() end,
           case when g.state = 'running' or g."isExecuted" then now() end,
           case when g.state in ('succeeded', 'failed') then now() end,
           case when g.state = 'running' then ${firstToken} when g."isExecuted" then 1 else 0 end,
           case when g.state = 'running' or g."isExecuted" then 1 else 0 end,
           decode(g.graph->>'digest', 'hex'), coalesce(json_array_length(g.events), 0),
           m.id, case when m.id is not null then t.run_fee end, case when m.id is not null then t.free_runs end,
           g.traceparent, g.environment
      from new_runs g
      left join workflow w on w.id = g."workflowId"
      left join workflow_revision v on v.id = g."revisionId"
      ${marketTermsJoin('w', 'v', 'g."projectId"', `(g.graph->>'marketTermsId')::int`)}
     where (g."viewerIsAdmin" is null or ${isStillLocatedSql('workflow.run')}) ${condition}
     order by g.id
    on conflict (id) do nothing
    returning *),
  written as materialized (
    select a.*, g.input, g."sealedInput", g.result, g.graph, g.events, g."sealedContents", g."isExecuted", g."runsAhead", g.nth
      from accepted a join new_runs g on g.id = a.id)`;

const PARTS = `
  revisions as (${insertRevisionsSql(
    `select revision_id, project_id, null, graph->'data', graph->>'sealedSecrets', (graph->>'marketTermsId')::int
       from written where graph is not null`,
  )}),
  journals as (
    insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events, sealed_contents)
    select id, created_at, 1, sequence, events, "sealedContents" from written where sequence > 0),
  payloads as (
    insert into workflow_run_payload (run_id, run_created_at, input, sealed_input, result)
    select id, created_at, input, "sealedInput", result from written),
  ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage',
    `select e.project_id, e.id, l."nodeId", l.iteration, e.user_id, l.operation, l.status, l."amountUsd", l.reason, nullif(l.description, l.operation), l.usage
      from written e join ${columnsTable(LEDGER_COLUMNS, 'l', FIRST_OF_LEDGER)} on l.owner = e.nth`,
    // A run that was just inserted has no other rows.
    '',
  )})`;

// A queued run comes after the other queued runs of its project.
const JOB = jobJsonSql({ id: 'id', groupId: 'project_id::text', priority: '-coalesce("runsAhead", 0)' });
const JOBS = `select coalesce(json_agg(${JOB}), '[]') from written where state = 'queued'`;

/** Returns the CTEs for runs that were executed to their end. Their nodes cost nothing, so no totals change. */
const endedRunsCtes = (webhookJobs: string, srPerUsd: string) => `
  ended as (select *, state as end_state from written where "isExecuted"),
  ${addFiguresSql('ended')},
  ended_events as (${endedRunsSql('ended', srPerUsd)}),
  ${deliveriesSql('ended_events')},
  ${webhookJobs},`;

// A worker that accepts runs holds its lock exclusively. One that stops releases it and then waits for the insertions that share the lock
// `assignment`, which they take first. In a subquery the condition is evaluated once.
const acceptsRunsSql = (workerId: string) => `(select case
      when pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.assignment}, ${workerId}::int)
      then not pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.worker}, ${workerId}::int) else false end)`;

// Materialized, so that the JSON text is built once.
const notifyWorkerCtes = (workerId: string, offeredAt: string) => `
  assignments as materialized (
    select id, case when octet_length(input::text) < ${MESSAGE_BYTES}
                     and (forked_from_id is not null or coalesce(octet_length(events::text), 0) < ${MESSAGE_BYTES})
                    then ${assignedColumnsSql({ offeredAt })}::text end as run
      from written where state = 'running'),
  assigned as (
    select pg_notify('${ASSIGNMENT_CHANNEL_PREFIX}' || ${workerId}, ${assignmentSql('id', 'run')}) from assignments),`;

/** The parts of a statement that only some runs need. */
export interface InsertedParts {
  /** The jobs of queued runs. */
  hasJobs: boolean;
  /** The effects of runs that were executed to their end. */
  hasEnds: boolean;
  /** The started runs are assigned to the worker of another process. If that accepts no more runs, none is inserted. */
  isAssigned: boolean;
}

/** Returns the name of the statement with these parts. */
export function insertionName({ hasJobs, hasEnds, isAssigned }: InsertedParts): string {
  return `insert-runs${hasJobs ? '-jobs' : ''}${hasEnds ? '-ends' : ''}${isAssigned ? '-assigned' : ''}`;
}

/**
 * Returns the statement that inserts runs with revision, payload, journal, ledger and pg-boss job. A run whose id
 * exists is omitted, and one whose workflow is no longer as remembered. Foreign keys are checked at the end of the statement.
 * Parameters: those of `insertRuns`. Starting the parts for jobs takes 0.1 ms, and those for ends 0.2. `webhookJobs`:
 * `WebhookOutbox.wakeSql`.
 */
export function insertRunsSql(
  { jobs, webhookJobs }: { jobs: JobStatements; webhookJobs: string },
  { hasJobs, hasEnds, isAssigned }: InsertedParts,
): string {
  const [workerId, offeredAt] = [`$${TOPICS + 1}::bigint`, `$${TOPICS + 2}::bigint`];
  const srPerUsd = `$${TOPICS + (isAssigned ? 3 : 1)}`;
  const ended = hasEnds ? endedRunsCtes(webhookJobs, srPerUsd) : '';
  const queued = hasJobs ? `${jobs.insert('jobs', JOBS)},` : '';
  const assigned = isAssigned ? notifyWorkerCtes(workerId, offeredAt) : '';
  const accepted = isAssigned
    ? acceptedCtes(assignedTokenSql(workerId), `and ${acceptsRunsSql(workerId)}`)
    : acceptedCtes(nextTokenSql('0::bigint'), '');
  const notifying = ['notified'];
  if (hasEnds) notifying.push('project_jobs');
  if (hasJobs) notifying.push('jobs');
  if (isAssigned) notifying.push('assigned');
  return `
  with new_runs as (select * from ${columnsTable(RUN_COLUMNS, 'g')}),
  ${accepted},
  ${PARTS},
  ${ended}
  ${queued}
  ${assigned}
  notified as (select pg_notify('scenarium', payload) from unnest($${TOPICS}::text[]) as payload)
  select a.id, a.lease_token as token, a.created_at as "createdAt", a.market_workflow_id as "marketWorkflowId", a.run_fee as "runFee",
         ${notifying.map(name => `(select count(*) from ${name})`).join(' + ')} as notified
    from accepted a`;
}

/** Inserts runs with the statement of `insertRunsSql` for these parts. `topics`: payloads of notifications. */
export function insertRuns(
  database: Database,
  {
    text,
    parts,
    rows,
    topics,
    offer,
    srPerUsd,
  }: {
    text: string;
    parts: InsertedParts;
    rows: readonly RunRow[];
    topics: string[];
    offer: RunSlots<unknown>['offer'];
    srPerUsd: string;
  },
): Promise<InsertedRun[]> {
  return database.byKey(insertionName(parts), text, [
    ...columnArrays(
      RUN_COLUMNS,
      rows.map(row => ({ ...row, ancestry: `{${row.ancestry ?? ''}}` })),
    ),
    ...columnArrays(LEDGER_COLUMNS, numberLedgers(rows)),
    topics,
    ...(offer ? [offer.workerId, offer.offeredAt] : []),
    ...(parts.hasEnds ? [srPerUsd] : []),
  ]);
}
