import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Member } from '../member.js';
import type { Outcome } from '../outcome.js';
import { createTicketWorkflow, Workload } from '../workload.js';

const RUNS = 40;
/** Maximum time until two calls are in progress. Then the table is locked. */
const MAX_CALLS_WAIT_MS = 3_000;

interface Lock {
  procedure: string;
  fault: string;
  table: string;
  /** Statement timeout of the database for the service. */
  statementTimeout: string;
  /** Duration of a lock at the full scale, and its minimum at a smaller one. */
  seconds: number;
  leastSeconds: number;
  /** Number of locks at the full scale. */
  times: number;
}

/** Another session locks the ledger for minutes; waiting statements are canceled long before. */
export const ledgerLock = (context: Context) =>
  runWithLockedTable(context, {
    procedure: 'ledger-lock',
    fault: 'the ledger locked',
    table: 'billing_transaction',
    statementTimeout: '5s',
    seconds: 130,
    leastSeconds: 30,
    times: 5,
  });

/** Every statement that writes a run or a lease is canceled after a second, for longer than leases last. */
export const statementTimeout = (context: Context) =>
  runWithLockedTable(context, {
    procedure: 'statement-timeout',
    fault: 'every write of runs and leases canceled',
    table: 'workflow_run',
    statementTimeout: '1s',
    seconds: 15,
    leastSeconds: 15,
    times: 30,
  });

/** Locks a table repeatedly under load. All runs must succeed without a repeated call, because no process dies. */
async function runWithLockedTable(context: Context, lock: Lock): Promise<Outcome> {
  const times = context.scaled(lock.times);
  const seconds = context.scaled(lock.seconds, lock.leastSeconds);
  const fixture = await createFixture(context);
  const { environment, sql } = fixture;
  const database = new URL(environment.DATABASE_URL as string).pathname.slice(1);
  await sql(`alter database ${database} set statement_timeout = '${lock.statementTimeout}'`);
  // The startup of a process may take longer than the timeout; the process is then started again.
  const mayEnd = (member: Member) => !member.isReady;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 1, mayEnd);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker' } }, 2, mayEnd);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const workflow = await createTicketWorkflow(apis.urls[0]!, fixture.upstream.origin);
    const client = new RetryingClient(() => apis.urls);
    const workload = new Workload(fixture, { client, workflow, callers: 8, backlog: RUNS });
    workload.start();
    let allowed = 0;
    for (let nth = 1; nth <= times && workload.faults.length === 0 && !context.isTimeUp(); nth++) {
      allowed += RUNS;
      workload.allow(allowed);
      for (const until = Date.now() + MAX_CALLS_WAIT_MS; fixture.upstream.open < 2 && Date.now() < until; )
        await delay(5);
      await lockFor(environment.DATABASE_URL as string, lock.table, seconds);
      for (const until = Date.now() + 60_000; workload.ended < allowed && Date.now() < until; ) await delay(50);
      context.log(`${nth} × locked for ${seconds} s, ${workload.ended} of ${allowed} runs ended`);
    }
    await workload.finish();
    const stallReason = await converge(fixture);
    const { examples, repeatedCalls, reasons, ...result } = await check(fixture, workflow, workload.tickets);
    const again = await sql('select id from workflow_run where attempts > 1');
    const failures = [workload, client, apis, workers].flatMap(each => each.faults);
    if (result.succeeded < workload.tickets.length)
      failures.push(`${workload.tickets.length - result.succeeded} runs failed: ${JSON.stringify(reasons)}`);
    if (repeatedCalls > 0) failures.push(`${repeatedCalls} calls were made again, though no process died`);
    if (again.length > 0) failures.push(`${again.length} runs were taken over, though no process died`);
    return {
      procedure: lock.procedure,
      fault: `${lock.fault} for ${seconds} s, ${times} ×, under a statement timeout of ${lock.statementTimeout}`,
      runs: allowed,
      ...result,
      recoveryP99Ms: null,
      failures: [...failures, ...(stallReason ? [stallReason] : [])].slice(0, 10),
      details: { examples, reasons, repeatedCalls, takenOver: again.length, statuses: client.statuses },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}

async function lockFor(url: string, table: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, statement_timeout: 0 });
  await client.connect();
  await client.query('set statement_timeout = 0');
  await client.query(`begin; lock table ${table} in exclusive mode`);
  await delay(seconds * 1_000);
  await client.query('rollback');
  await client.end();
}
