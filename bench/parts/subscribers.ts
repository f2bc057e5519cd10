import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { chain, output, template, trigger } from '../../test/support/graphs.js';
import type { Bench } from '../bench.js';
import { once } from '../load/load.js';
import { median, quantile } from '../load/measurements.js';
import { makeWorkflow, restStart } from '../load/run-calls.js';
import type { SubscriberPlan, SubscriberReport } from '../load/subscriber-load.js';
import {
  ADMIN_KEY,
  type ProbedProcess,
  startProbedScript,
  startProbedService,
  stopperOf,
} from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const SUBSCRIPTIONS = 10_000;
/** Number of processes that open the client sockets. */
const LOADERS = 2;
/** Number of uncounted events, during which code is compiled. */
const WARM_UP = 2;
/** Milliseconds to wait after all clients have disconnected abruptly. */
const AFTER_DISCONNECT_MS = 30_000;

const CHANGES = `subscription ($id: UUID!) {
  workflowRunChanged(id: $id) { sequence kind at state node { id: nodeId status content error { code message } } }
}`;

// A reduced form of `recordRunsSql`: the sequence, the journal row and the notification of one node start.
const EVENT = `
  with run as (update workflow_run set sequence = sequence + 1, recorded_at = now() where id = $1
               returning id, created_at, sequence),
  event as (
    insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
    select id, created_at, sequence, sequence,
           json_build_array(json_build_object('type', 'node.started', 'node', 'a', 'at', now(), 'sequence', sequence)) from run)
  select pg_notify('scenarium', 'run:' || id) from run`;

/** Measures the cost of one event for thousands of subscribers of a run, and their cost while nothing happens. */
export async function benchSubscribers(bench: Bench): Promise<Figure[]> {
  const total = bench.isSmoke ? 20 : SUBSCRIPTIONS;
  const url = await bench.databases.create();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const figures: Figure[] = [];
  try {
    for (const perSocket of bench.isSmoke ? [10] : [1, 100]) {
      const what = `${total} subscriptions, ${perSocket} a socket`;
      const service = await startProbedService(url, bench.databases.folder, {
        ROLE: 'api',
        MAX_SOCKETS_PER_USER: '100000',
      });
      const bare = await startProbedScript('comparisons/bare-sockets');
      try {
        const run = await createQueuedRun(service.url);
        const plan = { query: CHANGES, variables: { id: run }, key: ADMIN_KEY, perSocket, sockets: total / perSocket };
        bench.log(`subscribers: ${what}, ours`);
        const ours = await measure(bench, service, plan, async () => void (await pool.query(EVENT, [run])));
        bench.log(`subscribers: ${what}, bare sockets`);
        const theirs = await measure(bench, bare, plan, async () => void (await once(tickOf(bare.url))));
        const comparison = 'bare sockets';
        const row = (measure: string, of: (measured: SubscriberMeasure) => number) =>
          figures.push(
            figureOf({ bench: 'subscribers', what, measure, ours: of(ours), comparison, theirs: of(theirs) }),
          );
        row('event to all, p50 ms', ({ p50Ms }) => p50Ms);
        row('event to all, p99 ms', ({ p99Ms }) => p99Ms);
        row('KiB resident each', ({ residentKib }) => residentKib);
        row('KiB in use each', ({ usedKib }) => usedKib);
        if (!bench.isSmoke)
          row('KiB in use each, 30 s after all disconnected', ({ afterDisconnectKib }) => afterDisconnectKib);
      } finally {
        await bare.stop();
        await service.stop();
      }
    }
  } finally {
    await pool.end();
  }
  return figures;
}

interface SubscriberMeasure {
  p50Ms: number;
  p99Ms: number;
  residentKib: number;
  usedKib: number;
  afterDisconnectKib: number;
}

type Plan = Omit<SubscriberPlan, 'url'>;

async function measure(
  bench: Bench,
  service: ProbedProcess,
  plan: Plan,
  event: () => Promise<void>,
): Promise<SubscriberMeasure> {
  const total = plan.sockets * plan.perSocket;
  // Warm-up: memory of code that is loaded with the first socket and event must not count as memory of subscribers.
  await withSubscribers(service, { ...plan, sockets: 2 }, 1, async ([loader]) => {
    const received = waitForReport(loader!, 'received');
    await event();
    await received;
  });
  await delay(1_000);
  const before = await service.measureMemory();
  const rounds: { p50: number; p99: number }[] = [];
  const during = await withSubscribers(service, plan, LOADERS, async loaders => {
    await delay(1_000);
    const duringLoad = await service.measureMemory();
    for (let round = 0; round < WARM_UP + bench.rounds; round++) {
      const received = Promise.all(loaders.map(loader => waitForReport(loader, 'received')));
      const sent = performance.timeOrigin + performance.now();
      await event();
      const latencies = (await received).flatMap(({ at }) => at.map(time => time - sent)).sort((a, b) => a - b);
      if (latencies.length !== total) throw new Error(`${latencies.length} of ${total} subscribers received the event`);
      if (round >= WARM_UP) rounds.push({ p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) });
    }
    return duringLoad;
  });
  if (!bench.isSmoke) await delay(AFTER_DISCONNECT_MS);
  const after = await service.measureMemory();
  return {
    p50Ms: median(rounds.map(({ p50 }) => p50)),
    p99Ms: median(rounds.map(({ p99 }) => p99)),
    residentKib: (during.resident - before.resident) / total / 1024,
    usedKib: (during.used - before.used) / total / 1024,
    afterDisconnectKib: (after.used - before.used) / total / 1024,
  };
}

/** Runs work with subscribers in separate processes, then kills them, so that all disconnect abruptly at once. */
async function withSubscribers<T>(
  { url }: ProbedProcess,
  plan: Plan,
  loaders: number,
  work: (loaders: ChildProcess[]) => Promise<T>,
): Promise<T> {
  const script = fileURLToPath(new URL('../load/subscriber-load.js', import.meta.url));
  const started = Array.from({ length: loaders }, () => fork(script));
  const stoppers = started.map(stopperOf);
  try {
    const open = started.map(async (loader, index) => {
      const opened = waitForReport(loader, 'open');
      const sockets = Math.floor((plan.sockets + index) / loaders);
      loader.send({ ...plan, url: `${url.replace('http', 'ws')}/graphql`, sockets });
      await opened;
    });
    await Promise.all(open);
    return await work(started);
  } finally {
    for (const loader of started) loader.kill('SIGKILL');
    // Waits for the exit and removes the exit listeners of this process.
    await Promise.all(stoppers.map(stop => stop()));
  }
}

function waitForReport<Kind extends SubscriberReport['kind']>(
  loader: ChildProcess,
  kind: Kind,
): Promise<Extract<SubscriberReport, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const settle = (complete: () => void) => {
      loader.off('message', onMessage);
      loader.off('exit', onExit);
      complete();
    };
    const onMessage = (report: SubscriberReport) => {
      if (report.kind === kind) settle(() => resolve(report as Extract<SubscriberReport, { kind: Kind }>));
      else if (report.kind === 'failed') settle(() => reject(new Error(report.reason)));
    };
    const onExit = () =>
      settle(() => reject(new Error(`a subscriber-load process exited before it reported "${kind}"`)));
    loader.on('message', onMessage);
    loader.on('exit', onExit);
  });
}

/** Queues a run that no worker executes. Its only events are those that the benchmark writes. */
async function createQueuedRun(origin: string): Promise<string> {
  const workflow = await makeWorkflow(origin, chain(trigger(), template('One.'), output()));
  // With the role `api`, the service leaves the run in the queue.
  const { body } = await once(restStart(origin, workflow));
  return JSON.parse(body).data.id;
}

function tickOf(origin: string) {
  const event = { sequence: 1, kind: 'NODE_STARTED', at: new Date(0).toISOString(), state: 'RUNNING' };
  const node = { id: 'a', status: 'RUNNING', content: null, error: null };
  const body = JSON.stringify({ data: { workflowRunChanged: { ...event, node } } });
  return { url: `${origin}/`, method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
}
