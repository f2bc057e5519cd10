import { Batcher } from '../../base/batcher.js';
import type { Database, Sql } from '../../base/database.js';
import { isDataFault } from '../../base/database.js';
import { UnavailableError } from '../../base/errors.js';
import { failpoint } from '../../base/failpoint.js';
import type { Queue } from '../../base/queue.js';

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
}

const INSERT_RUNS = `
  with given as (
    select * from json_to_recordset($1::json) as g(
      id uuid, "projectId" int, "workflowId" int, "revisionId" int, "userId" int, "parentRunId" uuid, ancestry int[],
      "forkedFromId" uuid, state text, input json, "sealedInput" text, result json)),
  accepted as (
    insert into workflow_run (id, project_id, workflow_id, revision_id, user_id, parent_run_id, ancestry, forked_from_id,
                              state, queued_at, run_finished_at)
    select id, "projectId", "workflowId", "revisionId", "userId", "parentRunId", coalesce(ancestry, '{}'), "forkedFromId", state,
           case when state = 'queued' then now() end, case when state = 'failed' then now() end
      from given
    returning id, created_at)
  insert into workflow_run_payload (run_id, run_created_at, input, sealed_input, result)
  select a.id, a.created_at, g.input, g."sealedInput", g.result
    from accepted a join given g on g.id = a.id`;

/**
 * Takes runs in. Those that arrive together are written by one transaction, rows and wake-up jobs alike; each caller
 * is answered after the commit that holds its own row.
 */
export class RunAcceptor {
  readonly #batches: Batcher<NewRun, true>;

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {
    this.#batches = new Batcher(runs => this.#write(runs), { lanes: 2, maxBatch: 200, isolate: isDataFault });
  }

  async accept(run: NewRun): Promise<void> {
    if (this.#batches.waiting >= MAX_WAITING)
      throw new UnavailableError('Too many runs are being accepted at once.', 1);
    await this.#batches.add(run);
  }

  /** Sends the wake-ups of runs that are queued, in the transaction that queued them. */
  async wake(runIds: string[], sql: Sql): Promise<void> {
    await this.queue.send(
      RUN_QUEUE,
      runIds.map(id => ({ id })),
      sql,
    );
  }

  async #write(runs: NewRun[]): Promise<true[]> {
    await this.database.transaction(async sql => {
      await sql.query(INSERT_RUNS, [JSON.stringify(runs)]);
      const queued = runs.filter(run => run.state === 'queued').map(run => run.id);
      if (queued.length > 0) await this.wake(queued, sql);
      failpoint('accept.before-commit');
    });
    failpoint('accept.after-commit');
    return runs.map(() => true);
  }
}
