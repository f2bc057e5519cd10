import { Batcher } from '../../base/batcher.js';
import type { Database, Sql } from '../../base/database.js';
import { isDataFault } from '../../base/database.js';
import { UnavailableError } from '../../base/errors.js';
import { failpoint } from '../../base/failpoint.js';
import type { Queue } from '../../base/queue.js';
import { presentTraceparent } from '../../base/scope.js';
import { marketTermsSql } from './run-fees.js';
import type { JournalEvent } from './run-journal.js';

/** The queue of wake-ups: a job's id is the id of the run it is for. */
export const RUN_QUEUE = 'workflow-run';

/** Runs that may wait for their commit in this process; beyond, callers are told to come again. */
const MAX_WAITING = 5_000;

/** A run about to be recorded. `failed` is one that was refused: it has its result at once and never starts. */
export interface NewRun {
  id: string;
  projectId: number;
  workflowId: number | null;
  revisionId: number;
  userId: number | null;
  parentRunId?: string | null;
  ancestry?: readonly number[];
  forkedFromId?: string | null;
  state: 'queued' | 'draft' | 'failed';
  /** Secret fields hold the mask. */
  input: Record<string, unknown>;
  sealedInput: string | null;
  result: unknown;
  /** Of a fork: what it takes over, as its first events. */
  journal?: { events: JournalEvent[]; sealedContents: string | null };
  /** The trace that it is accepted in; set by the acceptor. */
  traceparent?: string | undefined;
  /** Of a run without a workflow: its revision, written with it, and what its request was, in hexadecimals. */
  graph?: { data: Record<string, unknown>; sealedSecrets: string | null; digest: string };
}

// A run whose id is taken is left out, and with it all that belongs to it. In the order of the ids: two batches that
// share some never wait for each other in a circle. References are checked at the end of the statement. A run of a copy
// keeps the author's terms of this moment.
const INSERT_RUNS = `
  with given as (
    select * from json_to_recordset($1::json) as g(
      id uuid, "projectId" int, "workflowId" int, "revisionId" int, "userId" int, "parentRunId" uuid, ancestry int[],
      "forkedFromId" uuid, state text, input json, "sealedInput" text, result json, graph json,
      journal json, traceparent text)),
  accepted as (
    insert into workflow_run
      (id, project_id, workflow_id, revision_id, user_id, parent_run_id, ancestry, forked_from_id, state,
       queued_at, run_finished_at, graph_digest, sequence, market_workflow_id, run_fee, free_runs, traceparent)
    select g.id, g."projectId", g."workflowId", g."revisionId", g."userId", g."parentRunId", coalesce(g.ancestry, '{}'),
           g."forkedFromId", g.state, case when g.state = 'queued' then now() end,
           case when g.state = 'failed' then now() end,
           decode(g.graph->>'digest', 'hex'), coalesce(json_array_length(g.journal->'events'), 0),
           m.id, m.run_fee, m.free_runs_per_user, g.traceparent
      from given g
      left join workflow w on w.id = g."workflowId"
      left join workflow m on ${marketTermsSql('m', 'w')}
     order by g.id
    on conflict (id) do nothing
    returning id, created_at),
  revisions as (
    insert into workflow_revision (id, project_id, workflow_id, data, sealed_secrets)
    select g."revisionId", g."projectId", null, g.graph->'data', g.graph->>'sealedSecrets'
      from accepted a join given g on g.id = a.id where g.graph is not null),
  journals as (
    insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events, sealed_contents)
    select a.id, a.created_at, 1, json_array_length(g.journal->'events'), g.journal->'events', g.journal->>'sealedContents'
      from accepted a join given g on g.id = a.id where json_array_length(g.journal->'events') > 0)
  insert into workflow_run_payload (run_id, run_created_at, input, sealed_input, result)
  select a.id, a.created_at, g.input, g."sealedInput", g.result
    from accepted a join given g on g.id = a.id
  returning run_id as id`;

/**
 * Takes runs in. Those that arrive together are written by one transaction, rows and wake-up jobs alike; each caller
 * is answered after the commit that holds its own row.
 */
export class RunAcceptor {
  readonly #batches: Batcher<NewRun, boolean>;

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {
    this.#batches = new Batcher(runs => this.#write(runs), { lanes: 2, maxBatch: 200, isolate: isDataFault });
  }

  /** False when there is a run of this id already, which stays as it is. */
  async accept(run: NewRun): Promise<boolean> {
    if (this.#batches.waiting >= MAX_WAITING)
      throw new UnavailableError('Too many runs are being accepted at once.', 1);
    const traceparent = presentTraceparent();
    return this.#batches.add(traceparent === undefined ? run : { ...run, traceparent });
  }

  /** Sends the wake-ups of runs that are queued, in the transaction that queued them. */
  async wake(runIds: string[], sql: Sql): Promise<void> {
    await this.queue.send(
      RUN_QUEUE,
      runIds.map(id => ({ id })),
      sql,
    );
  }

  async #write(runs: NewRun[]): Promise<boolean[]> {
    const first = new Map<string, NewRun>();
    for (const run of runs) if (!first.has(run.id)) first.set(run.id, run);
    const accepted = await this.database.transaction(async sql => {
      const rows = await sql.query<{ id: string }>(INSERT_RUNS, [JSON.stringify([...first.values()])]);
      const accepted = new Set(rows.map(({ id }) => id));
      const queued = [...first.values()].filter(run => run.state === 'queued' && accepted.has(run.id));
      if (queued.length > 0)
        await this.wake(
          queued.map(run => run.id),
          sql,
        );
      failpoint('accept.before-commit');
      return accepted;
    });
    failpoint('accept.after-commit');
    return runs.map(run => first.get(run.id) === run && accepted.has(run.id));
  }
}
