import { Batcher } from '../../base/batcher.js';
import { Bus } from '../../base/bus.js';
import { type Database, isDatabaseAway } from '../../base/database.js';
import { failpoint } from '../../base/failpoint.js';
import type { JournalEvent } from './run-journal.js';
import type { ClaimedRun } from './run-leases.js';
import { LEDGER_COLUMNS, type LedgerRow, RAISE_TOTALS } from './run-ledger.js';

/** What a run reports at once: events with their ledger rows, and perhaps its end. */
export interface RunRecord {
  run: ClaimedRun;
  events: JournalEvent[];
  sealedContents: string | null;
  ledger: LedgerRow[];
  costUsd: string;
  /** Reservations of calls that `ledger` charges, or that cost nothing. */
  settled: string[];
  end: { state: 'succeeded' | 'failed'; result: unknown } | null;
}

/** The run is no longer this worker's: whatever it still wants to write is refused. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of the run was lost');
    this.name = 'LeaseLostError';
  }
}

// One statement, one commit: state, journal, result, ledger, settled reservations, project totals and notification become
// visible together. The end of a run drops whatever it had reserved.
// `held` demands the fencing token, and that the same record was not written before (an answer lost on the way).
// Projects are locked in the order of their ids, so that two workers never wait for each other.
const RECORD = `
  with given as (
    select * from unnest($1::uuid[], $2::bigint[], $3::int[], $4::int[], $5::json[], $6::text[], $7::text[], $8::json[], $9::numeric[])
      as g(run_id, token, first_sequence, last_sequence, events, sealed_contents, end_state, result, cost_usd)),
  held as (
    update workflow_run r
       set sequence = g.last_sequence, state = coalesce(g.end_state, r.state), cost_usd = r.cost_usd + g.cost_usd,
           run_finished_at = case when g.end_state is not null then now() end,
           lease_until = case when g.end_state is null then r.lease_until end, updated_at = now()
      from given g
     where r.id = g.run_id and r.lease_token = g.token and r.state = 'running' and r.sequence < g.last_sequence
    returning r.id, r.created_at, r.project_id, r.user_id, g.first_sequence, g.last_sequence, g.events, g.sealed_contents,
              g.end_state, g.result),
  journal as (
    insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events, sealed_contents)
    select id, created_at, first_sequence, last_sequence, events, sealed_contents from held),
  results as (
    update workflow_run_payload p set result = h.result
      from held h where h.end_state is not null and p.run_id = h.id and p.run_created_at = h.created_at),
  ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage)
    select h.project_id, h.id, l."nodeId", l.iteration, h.user_id, l.operation, l.status, l."amountUsd", l.reason, l.description, l.usage
      from json_to_recordset($10::json) as l(${LEDGER_COLUMNS})
      join held h on h.id = l."runId"
    on conflict (run_id, node_id, iteration, operation) do nothing
    returning project_id, amount_usd),
  freed as (
    delete from budget_reservation b using held h
     where b.holder = h.id and (h.end_state is not null or b.id = any($12::uuid[]))
    returning b.project_id, b.amount_usd),
  ${RAISE_TOTALS},
  told as (select pg_notify('scenarium', payload) from unnest($11::text[]) as payload)
  select g.run_id as id,
         exists (select 1 from held h where h.id = g.run_id)
           or coalesce(r.lease_token = g.token and r.sequence >= g.last_sequence, false) as written,
         (select count(*) from told) as told
    from given g left join workflow_run r on r.id = g.run_id`;

const RETRY_MS = 200;

/** Writes what runs report, many runs in one statement, and only for as long as their leases are ours. */
export class RunRecorder {
  readonly #batches: Batcher<RunRecord, boolean>;

  constructor(private readonly database: Database) {
    this.#batches = new Batcher(records => this.#write(records), {
      lanes: 2,
      maxBatch: 100,
      isolate: error => !isDatabaseAway(error),
    });
  }

  /** Resolves after the commit. Throws LeaseLostError when another worker has taken the run, or it has ended. */
  async record(record: RunRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        if (await this.#batches.add(record)) return;
        throw new LeaseLostError();
      } catch (error) {
        // While the database is away nothing can be decided; the lease runs out by its clock, not by ours.
        if (!isTransient(error) || signal.aborted) throw error;
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #write(given: RunRecord[]): Promise<boolean[]> {
    failpoint('record.before');
    // In the order of their ids: two batches that share rows never wait for each other in a circle.
    const records = given.toSorted((a, b) => (a.run.id < b.run.id ? -1 : 1));
    const rows = await this.database.query<{ id: string; written: boolean }>(RECORD, [
      records.map(record => record.run.id),
      records.map(record => record.run.token),
      records.map(record => record.events[0]!.sequence),
      records.map(record => record.events.at(-1)!.sequence),
      records.map(record => JSON.stringify(record.events)),
      records.map(record => record.sealedContents),
      records.map(record => record.end?.state ?? null),
      records.map(record => (record.end ? JSON.stringify(record.end.result) : null)),
      records.map(record => record.costUsd),
      JSON.stringify(records.flatMap(record => record.ledger)),
      Bus.payloads(records.map(record => `run:${record.run.id}`)),
      records.flatMap(record => record.settled),
    ]);
    failpoint('record.after');
    const written = new Map(rows.map(row => [row.id, row.written]));
    return given.map(record => written.get(record.run.id) ?? false);
  }
}

function isTransient(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '');
  return isDatabaseAway(error) || code === '40001' || code === '40P01';
}
