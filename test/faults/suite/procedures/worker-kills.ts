import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { Deaths } from '../deaths.js';
import { Fleet } from '../fleet.js';
import { type Context, layGround } from '../ground.js';
import type { Outcome } from '../outcome.js';
import { createTicketWorkflow, Workload } from '../workload.js';

const RUNS = 10_000;
const KILLS = 105;
const WORKERS = 3;

/** Runs of five nodes on three workers that are killed, one after the other, while they work. */
export async function workerKills(context: Context): Promise<Outcome> {
  const runs = context.scaled(RUNS, 200);
  const kills = context.scaled(KILLS, 4);
  const ground = await layGround(context);
  const { environment, random } = ground;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 1);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker', WORKER_CONCURRENCY: '20' } }, WORKERS);
  try {
    await apis.start();
    await workers.start();
    const workflow = await createTicketWorkflow(apis.urls[0]!, ground.upstream.origin);
    const client = new RetryingClient(() => apis.urls);
    const workload = new Workload(ground, { client, workflow, callers: 8, backlog: 90 });
    const deaths = new Deaths(ground.sql);
    workload.start();
    const share = runs / (kills + 1);
    while (deaths.count < kills && workload.faults.length === 0 && !context.isLate()) {
      // Never more ahead of the deaths than a share: the last one, too, meets work.
      workload.allow(Math.min(runs, Math.ceil((deaths.count + 4) * share)));
      if (workload.ended < deaths.count * share || workers.alive.length < WORKERS - 1) {
        await delay(20);
        continue;
      }
      await delay(random.between(0, 200));
      if (await workers.kill(random, () => deaths.note())) {
        if (deaths.count % 10 === 0) context.say(`${deaths.count} workers killed, ${workload.ended} runs ended`);
      }
    }
    if (!context.isLate()) workload.allow(runs);
    await workload.finish();
    const stuck = await converge(ground);
    const { examples, repeatedCalls, reasons, ...verdict } = await check(ground, workflow, workload.tickets);
    const failures = [...workload.faults, ...client.faults, ...apis.faults, ...workers.faults];
    return {
      procedure: 'worker-kills',
      fault: `${WORKERS} workers, ${deaths.count} × SIGKILL`,
      runs: workload.tickets.length,
      ...verdict,
      recoveryP99Ms: await deaths.recoveryP99Ms(),
      failures: [...failures, ...(stuck ? [stuck] : [])].slice(0, 10),
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
    await ground.close();
  }
}
