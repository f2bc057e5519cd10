import pg from 'pg';
import type { Bench } from '../bench.js';
import { executeStatements, runIdSql } from '../databases/databases.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { measureInRounds, measureMs, median, WARM_UP } from '../load/measurements.js';
import { makeWorkflow, pureGraph, restStart, runsPerSecond } from '../load/run-calls.js';
import { type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = 50;
const RUNS = 1_000_000;

/** A service with its own database. */
interface SeededService {
  pool: pg.Pool;
  start: HttpCall;
  service: StartedProcess;
}

/** Compares accepted runs per second on a database with a million runs and on an empty one. */
export async function benchFull(bench: Bench): Promise<Figure[]> {
  const services: SeededService[] = [];
  const open = async (stored: number) => {
    const seeded = await startSeeded(bench, stored);
    services.push(seeded);
    return seeded;
  };
  try {
    const empty = await open(0);
    const stored = bench.isSmoke ? 100 : RUNS;
    const large = await open(stored);
    const options = { clients: bench.isSmoke ? 2 : CLIENTS, ms: bench.roundMs };
    if (!bench.isSmoke) for (const { pool, start } of services) await runsPerSecond(pool, start, WARM_UP);
    bench.log('full: accepting');
    const accepted =
      ({ pool, start }: SeededService) =>
      async () => {
        const { accepting } = await runsPerSecond(pool, start, options);
        return accepting.perSecond;
      };
    const measured = await measureInRounds({ full: accepted(large), empty: accepted(empty) }, bench.rounds);
    return [
      figureOf({
        bench: 'full',
        what: `${options.clients} clients, ${stored} stored runs`,
        measure: 'accepted/s',
        ours: median(measured.full),
        comparison: 'empty database',
        theirs: median(measured.empty),
      }),
    ];
  } finally {
    for (const { pool, service } of services) {
      await pool.end();
      await service.stop();
    }
  }
}

/** Starts a service whose database has `stored` succeeded runs. */
async function startSeeded({ databases, log, note }: Bench, stored: number): Promise<SeededService> {
  const database = await databases.create();
  const service = await startService(database, databases.folder);
  const pool = new pg.Pool({ connectionString: database, max: 2 });
  try {
    const workflow = await makeWorkflow(service.url, pureGraph());
    if (stored > 0) {
      log(`full: making ${stored} runs`);
      const ms = await measureMs(() => executeStatements(database, storedRunsSql(workflow, stored)));
      note(`full: making ${stored} runs with their results, journals and ledger rows took ${(ms / 1000).toFixed(0)} s`);
    }
    return { pool, service, start: restStart(service.url, workflow) };
  } catch (error) {
    await pool.end();
    await service.stop();
    throw error;
  }
}

const createdAtSql = (runs: number) => `date_trunc('milliseconds', now() - (${runs} - n) * interval '10 milliseconds')`;

const storedRunsSql = (workflow: number, runs: number): string[] => [
  `insert into workflow_run (id, project_id, workflow_id, revision_id, state, sequence, created_at, updated_at,
                             queued_at, run_started_at, run_finished_at)
   select ${runIdSql('n')}, w.project_id, w.id, w.revision_id, 'succeeded', 9, at, at, at, at, at
     from workflow w, (select n, ${createdAtSql(runs)} as at from generate_series(1, ${runs}) n) made where w.id = ${workflow}`,
  `insert into workflow_run_payload (run_id, run_created_at, input, result)
   select id, created_at, '{}', '{"data":{},"output":"true is what was found."}' from workflow_run`,
  `insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
   select id, created_at, 1, 9, '[]' from workflow_run`,
  `insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd, created_at)
   select project_id, id, 'one', 'output-node', 'Success', 0, created_at from workflow_run`,
  'vacuum analyze',
];
