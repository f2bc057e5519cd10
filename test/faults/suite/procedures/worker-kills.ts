import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { Deaths } from '../deaths.js';
import { type Context, createFixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Outcome } from '../outcome.js';
import { createTicketWorkflow, Workload } from '../workload.js';

const RUNS = 10_000;
const KILLS = 105;
const WORKERS = 3;

/** Three workers execute runs of five nodes and are killed one after the other. */
export async function workerKills(context: Context): Promise<Outcome> {
  const runs = context.scaled(RUNS, 200);
  const kills = context.scaled(KILLS, 4);
  const fixture = await createFixture(context);
  const { environment, random } = fixture;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 1);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker', WORKER_CONCURRENCY: '20' } }, WORKERS);
  try {
    await apis.start();
    await workers.start();
    const workflow = await createTicketWorkflow(apis.urls[0]!, fixture.upstream.origin);
    const client = new RetryingClient(() => apis.urls);
    const workload = new Workload(fixture, { client, workflow, callers: 8, backlog: 30 });
    const deaths = new Deaths(fixture.sql);
    workload.start();
    const share = runs / (kills + 1);
    while (deaths.count < kills && workload.faults.length === 0 && !context.isTimeUp()) {
      // Limits the runs that are started ahead of the kills, so that the last kill, too, interrupts work.
      workload.allow(Math.min(runs, Math.ceil((deaths.count + 4) * share)));
      if (workload.ended < deaths.count * share || workers.readyMembers.length < WORKERS - 1) {
        await delay(20);
        continue;
      }
      await delay(random.between(0, 200));
      if (await workers.kill(random, () => deaths.recordKill())) {
        if (deaths.count % 10 === 0) context.log(`${deaths.count} workers killed, ${workload.ended} runs ended`);
      }
    }
    if (!context.isTimeUp()) workload.allow(runs);
    await workload.finish();
    const stallReason = await converge(fixture);
    const { examples, repeatedCalls, reasons, ...result } = await check(fixture, workflow, workload.tickets);
    const failures = [...workload.faults, ...client.faults, ...apis.faults, ...workers.faults];
    return {
      procedure: 'worker-kills',
      fault: `${WORKERS} workers, ${deaths.count} × SIGKILL`,
      runs: workload.tickets.length,
      ...result,
      recoveryP99Ms: await deaths.recoveryP99Ms(),
      failures: [...failures, ...(stallReason ? [stallReason] : [])].slice(0, 10),
      details: {
        examples,
        reasons,
        repeatedCalls,
        recovered: (await deaths.recoveries()).length,
        statuses: client.statuses,
      },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}
