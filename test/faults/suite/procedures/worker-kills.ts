import { setTimeout as delay } from 'node:timers/promises';
import { JOBLESS_RUNS } from '../../../support/jobs/jobless-runs.js';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { Deaths } from '../deaths.js';
import { type Context, createFixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Outcome } from '../outcome.js';
import { createTicketWorkflow, Workload } from '../workload.js';

interface Plan {
  procedure: string;
  fault: string;
  /** The role of the processes that are killed. `all`: they also accept the runs, and start most of them without a job. */
  role: 'worker' | 'all';
  processes: number;
  runs: number;
  kills: number;
}

/** Three workers execute runs of five nodes and are killed one after the other. */
export function workerKills(context: Context): Promise<Outcome> {
  const plan = { role: 'worker', processes: 3, runs: 10_000, kills: 105 } as const;
  return killExecutors(context, { ...plan, procedure: 'worker-kills', fault: '3 workers' });
}

/** Two processes accept and execute runs of five nodes and are killed one after the other. Callers repeat their requests. */
export function processKills(context: Context): Promise<Outcome> {
  const plan = { role: 'all', processes: 2, runs: 5_000, kills: 50 } as const;
  return killExecutors(context, { ...plan, procedure: 'process-kills', fault: '2 processes with API and worker' });
}

async function killExecutors(context: Context, { role, processes, ...plan }: Plan): Promise<Outcome> {
  const runs = context.scaled(plan.runs, 200);
  const kills = context.scaled(plan.kills, 4);
  const fixture = await createFixture(context);
  const { environment, random } = fixture;
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' } }, role === 'all' ? 0 : 1);
  const workers = new Fleet({ environment: { ...environment, ROLE: role, WORKER_CONCURRENCY: '20' } }, processes);
  const withoutJob = new Set<string>();
  try {
    await apis.start();
    await workers.start();
    const urls = () => (role === 'all' ? workers.urls : apis.urls);
    const workflow = await createTicketWorkflow(urls()[0]!, fixture.upstream.origin);
    const client = new RetryingClient(urls);
    const workload = new Workload(fixture, { client, workflow, callers: 8, backlog: 30 });
    const deaths = new Deaths(fixture.sql);
    workload.start();
    const share = runs / (kills + 1);
    while (deaths.count < kills && workload.faults.length === 0 && !context.isTimeUp()) {
      // Limits the runs that are started ahead of the kills, so that the last kill, too, interrupts work.
      workload.allow(Math.min(runs, Math.ceil((deaths.count + 4) * share)));
      if (workload.ended < deaths.count * share || workers.readyMembers.length < processes - 1) {
        await delay(20);
        continue;
      }
      await delay(random.between(0, 200));
      if (await workers.kill(random, () => deaths.recordKill())) {
        for (const { id } of await fixture.sql<{ id: string }>(JOBLESS_RUNS)) withoutJob.add(id);
        if (deaths.count % 10 === 0) context.log(`${deaths.count} workers killed, ${workload.ended} runs ended`);
      }
    }
    if (!context.isTimeUp()) workload.allow(runs);
    await workload.finish();
    const stallReason = await converge(fixture);
    const { examples, repeatedCalls, reasons, ...result } = await check(fixture, workflow, workload.tickets);
    const failures = [...workload.faults, ...client.faults, ...apis.faults, ...workers.faults];
    // Runs that the process started as it accepted them, or that an API assigned to the worker.
    if (withoutJob.size === 0) failures.push('no process died while it executed a run without a job');
    return {
      procedure: plan.procedure,
      fault: `${plan.fault}, ${deaths.count} × SIGKILL`,
      runs: workload.tickets.length,
      ...result,
      recoveryP99Ms: await deaths.recoveryP99Ms(),
      failures: [...failures, ...(stallReason ? [stallReason] : [])].slice(0, 10),
      details: {
        examples,
        reasons,
        repeatedCalls,
        recovered: (await deaths.recoveries()).length,
        withoutJob: withoutJob.size,
        statuses: client.statuses,
      },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}
