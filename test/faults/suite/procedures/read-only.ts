import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../checker.js';
import { RetryingClient, request } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import { type Outcome, percentile } from '../outcome.js';
import { Probes } from '../probes.js';
import { createTicketWorkflow, Workload } from '../workload.js';

const REPETITIONS = 60;
const RUNS_PER_REPETITION = 40;
const MAX_READ_ONLY_MS = 15_000;
/** Milliseconds from the moment the database accepts writes to the first accepted run. */
const MAX_RETURN_MS = 15_000;
/** Milliseconds from that moment after which a run that is not accepted, or a process that is not ready, is a failure. */
const MAX_WAIT_MS = 60_000;

/** Makes PostgreSQL read-only under load repeatedly, like a server that was demoted to a replica. */
export async function readOnly(context: Context): Promise<Outcome> {
  const repetitions = context.scaled(REPETITIONS, 4);
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
    let count = 0;
    while (count < repetitions && workload.faults.length === 0 && !context.isTimeUp()) {
      workload.allow((count + 0.5) * RUNS_PER_REPETITION);
      await waitUntil(() => workload.tickets.length >= count * RUNS_PER_REPETITION + 5, 10_000);
      await setReadOnly(fixture, true);
      const isUnready = await waitUntil(() => haveReadiness(apis.urls, 503), 10_000);
      if (!isUnready) failures.push('/readyz did not say 503 while the database was read-only');
      // Runs that cannot be accepted before the return, which the first of them measures.
      workload.allow((count + 1) * RUNS_PER_REPETITION);
      await delay(fixture.random.between(0, MAX_READ_ONLY_MS));
      await setReadOnly(fixture, false);
      const returned = Date.now();
      const before = workload.tickets.length;
      const isBack = await waitUntil(() => workload.tickets.length > before, MAX_WAIT_MS);
      const returnMs = Date.now() - returned;
      if (isBack) returns.push(returnMs);
      else failures.push(`no run was accepted within ${MAX_WAIT_MS} ms of the end of read-only`);
      const isReady = await waitUntil(() => haveReadiness(apis.urls, 200), MAX_WAIT_MS);
      if (!isReady) failures.push(`/readyz did not say 200 within ${MAX_WAIT_MS} ms after read-only`);
      count++;
      await waitUntil(() => workload.tickets.length >= count * RUNS_PER_REPETITION, 120_000);
      context.log(`${count} × read-only, ${workload.ended} runs ended, back after ${returnMs} ms`);
    }
    await workload.finish();
    const stallReason = await converge(fixture);
    await probes.stop();
    const slowestMs = Math.max(0, ...returns);
    if (slowestMs > MAX_RETURN_MS) failures.push(`the first run was accepted ${slowestMs} ms after the return`);
    const { examples, repeatedCalls, reasons, ...result } = await check(fixture, workflow, workload.tickets);
    const faults = [workload, client, apis, workers, probes].flatMap(each => each.faults);
    return {
      procedure: 'read-only',
      fault: `PostgreSQL read-only ${count} ×`,
      runs: count * RUNS_PER_REPETITION,
      ...result,
      recoveryP99Ms: percentile(returns, 0.99),
      failures: [...failures, ...faults, ...(stallReason ? [stallReason] : [])].slice(0, 10),
      details: {
        ...{ examples, reasons, repeatedCalls, slowestReturnMs: slowestMs, returns },
        ...{ longestAnswerMs: probes.longestMs, probes: probes.counts, statuses: client.statuses },
      },
    };
  } finally {
    await probes.stop();
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}

async function setReadOnly({ sql }: Fixture, isOn: boolean): Promise<void> {
  await sql(`alter system set default_transaction_read_only = ${isOn ? 'on' : 'off'}`);
  await sql('select pg_reload_conf()');
}

/** Whether `/readyz` returns this status at all URLs. */
async function haveReadiness(urls: string[], status: number): Promise<boolean> {
  const answers = await Promise.all(urls.map(url => request(url, 'GET', '/readyz')));
  return answers.every(answer => answer.status === status);
}

/** Whether the condition is met within the time. */
async function waitUntil(isMet: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; !(await isMet()); ) {
    if (Date.now() > end) return false;
    await delay(20);
  }
  return true;
}
