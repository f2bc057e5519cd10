import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { hourlongRun, openStage } from '../deeds.js';
import { Fleet } from '../fleet.js';
import { type Context, layGround } from '../ground.js';
import type { Outcome } from '../outcome.js';
import { Workload } from '../workload.js';

const RUNS = 1_000;
/** After so many workers a run takes down no more. */
const ATTEMPTS = 5;

/** A run that crashes each worker that takes it, among others: it ends, and they go on. */
export async function poison(context: Context): Promise<Outcome> {
  const ground = await layGround(context);
  const { environment } = ground;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 1);
  // Nothing but a run that waits comes to this point.
  const dying = { ...environment, ROLE: 'worker', CRASH_AT: 'suspend.before' };
  const workers = new Fleet({ environment: dying }, 3, () => true);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const stage = await openStage(ground, apis.urls[0]!);
    const client = new RetryingClient(() => apis.urls);
    const workload = new Workload(ground, { client, workflow: stage.workflow, callers: 4, backlog: 100 });
    workload.start();
    const doing = await (await hourlongRun(stage))(stage.url);
    let allowed = 0;
    while (!(await doing.isOver())) {
      // The others go on all the while.
      if (workload.ended >= allowed - 20 && allowed < context.scaled(RUNS, 200)) allowed += 20;
      workload.allow(allowed);
      await delay(200);
    }
    await workload.finish();
    const stuck = await converge(ground);
    const { examples, reasons, repeatedCalls, ...verdict } = await check(ground, stage.workflow, workload.tickets);
    const [row] = await ground.sql<{ state: string; attempts: number; code: string }>(
      `select r.state, r.attempts, p.result->'error'->>'code' as code
         from workflow_run r join workflow_run_payload p on p.run_id = r.id where r.workflow_id <> $1`,
      [stage.workflow],
    );
    const failures = [...workload.faults, ...client.faults, ...apis.faults, ...(stuck ? [stuck] : [])];
    if (row?.state !== 'failed' || row.code !== 'worker_lost') failures.push(`the run is ${JSON.stringify(row)}`);
    if (workers.deaths !== ATTEMPTS) failures.push(`${workers.deaths} workers died of it, ${ATTEMPTS} should`);
    return {
      procedure: 'poison',
      fault: `a run that kills each worker that takes it, ${workers.deaths} of them`,
      runs: allowed,
      ...verdict,
      recoveryP99Ms: null,
      failures,
      details: { examples, reasons, repeatedCalls, run: row },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await ground.close();
  }
}
