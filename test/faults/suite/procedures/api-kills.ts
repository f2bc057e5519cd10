import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Outcome } from '../outcome.js';
import { createTicketWorkflow, Workload } from '../workload.js';

const RUNS = 5_000;
const KILLS = 32;

/** Two APIs accept runs and are killed in turn. Callers repeat requests that were not answered. */
export async function apiKills(context: Context): Promise<Outcome> {
  const runs = context.scaled(RUNS, 200);
  const kills = context.scaled(KILLS, 4);
  const fixture = await createFixture(context);
  const { environment, random } = fixture;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, 2);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker' } }, 1);
  try {
    await apis.start();
    await workers.start();
    const workflow = await createTicketWorkflow(apis.urls[0]!, fixture.upstream.origin);
    const client = new RetryingClient(() => apis.urls);
    const workload = new Workload(fixture, { client, workflow, callers: 24, backlog: 500 });
    workload.start();
    const share = runs / (kills + 1);
    let killed = 0;
    while (killed < kills && workload.faults.length === 0) {
      workload.allow(Math.min(runs, Math.ceil((killed + 2) * share)));
      if (workload.tickets.length < killed * share || apis.readyMembers.length < 2) {
        await delay(5);
        continue;
      }
      await delay(random.between(0, 60));
      if (await apis.kill(random)) killed++;
      if (killed % 5 === 0) context.log(`${killed} APIs killed, ${workload.tickets.length} runs accepted`);
    }
    workload.allow(runs);
    await workload.finish();
    const stallReason = await converge(fixture);
    const { examples, repeatedCalls, reasons, ...result } = await check(fixture, workflow, workload.tickets);
    const failures = [...workload.faults, ...client.faults, ...apis.faults, ...workers.faults];
    if (repeatedCalls > 0) failures.push(`${repeatedCalls} calls of the upstream were made again, and no worker died`);
    return {
      procedure: 'api-kills',
      fault: `2 APIs, ${killed} × SIGKILL, callers that retry`,
      runs,
      ...result,
      recoveryP99Ms: null,
      failures: [...failures, ...(stallReason ? [stallReason] : [])].slice(0, 10),
      details: { examples, reasons, statuses: client.statuses },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}
