import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import { type Outcome, percentile } from '../outcome.js';
import { Probes } from '../probes.js';
import { createTicketWorkflow, Workload } from '../workload.js';

const KILLS = 63;
const RUNS_PER_RETURN = 40;
/** Milliseconds from the return of the database to the first answer that needs it. */
const MAX_RETURN_MS = 5_000;

/** Stops PostgreSQL hard under load, at times again during recovery. Nothing else is restarted. */
export async function databaseKills(context: Context): Promise<Outcome> {
  const kills = context.scaled(KILLS, 4);
  const fixture = await createFixture(context);
  const { environment } = fixture;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 2);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker' } }, 2);
  const probes = new Probes(() => apis.urls);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const workflow = await createTicketWorkflow(apis.urls[0]!, fixture.upstream.origin);
    const client = new RetryingClient(() => apis.urls);
    const workload = new Workload(fixture, { client, workflow, callers: 8, backlog: 200 });
    workload.start();
    probes.start();
    const returns: number[] = [];
    const failures: string[] = [];
    let killed = 0;
    let allowed = 0;
    while (killed < kills && workload.faults.length === 0 && !context.isTimeUp()) {
      allowed += RUNS_PER_RETURN;
      workload.allow(allowed);
      const before = workload.ended;
      for (const until = Date.now() + 2_000; workload.ended < before + 5 && Date.now() < until; ) await delay(10);
      killed += await stopHard(fixture);
      const returned = Date.now();
      const firstMs = await probes.firstSuccess(returned, 30_000);
      if (firstMs === null) failures.push('no success within 30 s of the return of the database');
      else returns.push(firstMs);
      if (killed % 5 === 0) context.log(`${killed} × stopped, ${workload.ended} runs ended`);
    }
    await workload.finish();
    const stallReason = await converge(fixture);
    await probes.stop();
    const slowestMs = Math.max(0, ...returns);
    if (slowestMs > MAX_RETURN_MS) failures.push(`the first success came ${slowestMs} ms after the return`);
    const { examples, repeatedCalls, reasons, ...result } = await check(fixture, workflow, workload.tickets);
    const faults = [workload, client, apis, workers, probes].flatMap(each => each.faults);
    return {
      procedure: 'database-kills',
      fault: `PostgreSQL stopped hard ${killed} ×, also in recovery`,
      runs: allowed,
      ...result,
      recoveryP99Ms: percentile(returns, 0.99),
      failures: [...failures, ...faults, ...(stallReason ? [stallReason] : [])].slice(0, 10),
      details: {
        examples,
        reasons,
        repeatedCalls,
        slowestReturnMs: slowestMs,
        longestAnswerMs: probes.longestMs,
        probes: probes.counts,
        statuses: client.statuses,
      },
    };
  } finally {
    await probes.stop();
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}

/** Stops PostgreSQL and restarts it. Returns the number of stops. */
async function stopHard({ cluster, random }: Fixture): Promise<number> {
  let times = 1;
  await cluster.crash(random.pick(['quick', 'dead']));
  await delay(random.between(0, 1_500));
  while (random.chance(0.35)) {
    await cluster.crashInRecovery(random.between(10, 500));
    times++;
  }
  await cluster.start();
  return times;
}
