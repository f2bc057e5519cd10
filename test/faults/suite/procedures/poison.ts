import { setTimeout as delay } from 'node:timers/promises';
import { createActionTarget, hourlongRun } from '../actions.js';
import { check, OUTCOME } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Outcome } from '../outcome.js';
import { Workload } from '../workload.js';

const RUNS = 1_000;
/** A run crashes at most this number of workers. */
const ATTEMPTS = 5;
/** Ends the wait for the end of that run if it never ends. */
const TIMEOUT_MS = 1_800_000;

/** A run that crashes every worker that claims it ends, and the other runs continue. */
export async function poison(context: Context): Promise<Outcome> {
  const fixture = await createFixture(context);
  const { environment } = fixture;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 1);
  // Only a run that waits reaches this point.
  const dying = { ...environment, ROLE: 'worker', CRASH_AT: 'suspend.before' };
  const mayEnd = () => true;
  const workers = new Fleet({ environment: dying }, 3, mayEnd);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const target = await createActionTarget(fixture, apis.urls[0]!);
    const client = new RetryingClient(() => apis.urls);
    const workload = new Workload(fixture, { client, workflow: target.workflow, callers: 4, backlog: 100 });
    workload.start();
    const startRun = await hourlongRun(target);
    const pending = await startRun(target.url);
    let allowed = 0;
    const until = Date.now() + TIMEOUT_MS;
    while (!(await pending.isFinished()) && Date.now() < until) {
      // The other runs continue all the while.
      if (workload.ended >= allowed - 20 && allowed < context.scaled(RUNS, 200)) allowed += 20;
      workload.allow(allowed);
      await delay(200);
    }
    await workload.finish();
    const stallReason = await converge(fixture);
    const { examples, reasons, repeatedCalls, ...result } = await check(fixture, target.workflow, workload.tickets);
    const [row] = await fixture.sql<{ state: string; attempts: number; code: string }>(
      `select r.state, r.attempts, ${OUTCOME}->'error'->>'code' as code
         from workflow_run r join workflow_run_payload p on p.run_id = r.id where r.workflow_id <> $1`,
      [target.workflow],
    );
    const failures = [...workload.faults, ...client.faults, ...apis.faults, ...(stallReason ? [stallReason] : [])];
    if (row?.state !== 'failed' || row.code !== 'worker_lost') failures.push(`the run is ${JSON.stringify(row)}`);
    if (workers.deaths !== ATTEMPTS) failures.push(`${workers.deaths} workers died of it, ${ATTEMPTS} should`);
    return {
      procedure: 'poison',
      fault: `a run that kills each worker that takes it, ${workers.deaths} of them`,
      runs: allowed,
      ...result,
      recoveryP99Ms: null,
      failures,
      details: { examples, reasons, repeatedCalls, run: row },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}
