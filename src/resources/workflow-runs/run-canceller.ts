import { Bus } from '../../base/bus.js';
import type { Database, Sql } from '../../base/database.js';
import { progressOf, resultOf } from '../../engine/workflow/progress.js';
import type { RunEvent } from '../../engine/workflow/run-event.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import { engineEvents, type JournalEvent, type RunCancelled, RunJournal } from './run-journal.js';
import { CLOSE_LEDGER, ledgerRow, unbilledUsage } from './run-ledger.js';

/** The topic on which the worker that executes a run hears that it was cancelled. */
export function cancelTopic(runId: string): string {
  return `cancel:${runId}`;
}

interface LockedRun {
  revisionId: number;
  createdAt: Date;
  sequence: number;
}

const LOCK = `
  select revision_id as "revisionId", created_at as "createdAt", sequence from workflow_run
   where id = $1 and state in ('draft', 'queued', 'running') for update`;

const END = `
  update workflow_run
     set state = 'cancelled', sequence = $2, lease_token = lease_token + 1, lease_until = null, run_finished_at = now(),
         updated_at = now()
   where id = $1`;

const REPORT = `
  insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events) values ($1, $2, $3, $4, $5)`;

const RESULT = 'update workflow_run_payload set result = $3 where run_id = $1 and run_created_at = $2';

/**
 * Ends runs on request. The end is written here, at once, whoever executes the run: the raised fencing token refuses
 * whatever that worker still wants to write, and the notification makes it abort the calls in flight.
 */
export class RunCanceller {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
  ) {}

  /** Does nothing to a run that has ended: cancelling twice, or too late, is harmless. */
  async cancel(runId: string): Promise<void> {
    await this.database.transaction(async sql => {
      const [run] = await sql.query<LockedRun>(LOCK, [runId]);
      if (run) await this.#end(runId, run, sql);
    });
  }

  async #end(runId: string, run: LockedRun, sql: Sql): Promise<void> {
    const earlier = (await new RunJournal(sql).read(runId))?.events ?? [];
    const { graph } = await this.revisions.get(run.revisionId, sql);
    const at = new Date().toISOString();
    const error = { code: 'cancelled', message: 'The run was cancelled.' };
    // A node in flight was executed: it has its end, and its row on the ledger, like any other.
    const ends = [...progressOf(engineEvents(earlier)).nodes.values()]
      .filter(node => node.status === 'in progress')
      .map(({ id }) => ({ type: 'node.failed' as const, node: id, at, error, continued: false }));
    const reported: (RunEvent | RunCancelled)[] = [...ends, { type: 'run.cancelled', at }];
    const events = reported.map((event, index): JournalEvent => ({ ...event, sequence: run.sequence + 1 + index }));
    const progress = progressOf(engineEvents([...earlier, ...events]));
    const last = run.sequence + events.length;

    await sql.query(REPORT, [runId, run.createdAt, run.sequence + 1, last, JSON.stringify(events)]);
    await sql.query(RESULT, [runId, run.createdAt, JSON.stringify({ ...resultOf(progress), error })]);
    const unbilled = unbilledUsage(earlier);
    const ledger = ends.map(end =>
      ledgerRow({
        runId,
        event: end,
        usages: unbilled.get(end.node) ?? [],
        graph: 'byId' in graph ? graph : null,
      }),
    );
    await sql.query(CLOSE_LEDGER, [runId, JSON.stringify(ledger)]);
    await sql.query(END, [runId, last]);
    await sql.query(Bus.notifySql, [Bus.payloads([`run:${runId}`, cancelTopic(runId)])]);
  }
}
