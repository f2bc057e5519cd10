import { setTimeout as delay } from 'node:timers/promises';
import { createNetworkNamespace } from '../../../support/processes/network-namespace.js';
import { startTcpProxy, type TcpProxy } from '../../../support/processes/tcp-proxy.js';
import { check } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import { type Outcome, percentile } from '../outcome.js';
import { Probes } from '../probes.js';
import { createTicketWorkflow, Workload } from '../workload.js';

const SILENCES = 40;
const RUNS_PER_SILENCE = 40;
const LONGEST_SILENCE_MS = 25_000;
/** Milliseconds from the moment a live server is reachable to the first accepted run. */
const MAX_RETURN_MS = 15_000;
/** A request may wait for a connection, and then for one statement. */
const MAX_ANSWER_MS = 20_000;

/** The network path from the service to the database. It can be made to drop all bytes without closing connections. */
interface Path {
  environment: Record<string, string>;
  namespace?: string;
  /** The URL at which callers reach the process that reports the URL `listening`. */
  urlOf(listening: string): string;
  /** Origin of the upstream as seen by the processes. */
  upstream: string;
  /** Makes the path drop bytes or packets. Returns a function that restores it. */
  lose(how: 'bytes' | 'packets'): () => Promise<void>;
  kinds: readonly ('bytes' | 'packets')[];
  close(): Promise<void>;
}

/**
 * Connections to the database become silent under load: a proxy drops all bytes, or a network link is
 * lost and the host name of the database then points to another link.
 */
export async function silentConnections(context: Context): Promise<Outcome> {
  const silences = context.scaled(SILENCES, 4);
  const fixture = await createFixture(context);
  const path = await createPath(fixture, context.log);
  const { environment, namespace } = path;
  const options = namespace === undefined ? {} : { namespace };
  const apis = new Fleet({ environment: { ...environment, ROLE: 'api' }, ...options }, 2);
  const workers = new Fleet({ environment: { ...environment, ROLE: 'worker' }, ...options }, 2);
  const urls = () => apis.urls.map(path.urlOf);
  const probes = new Probes(urls, MAX_ANSWER_MS);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const workflow = await createTicketWorkflow(urls()[0]!, path.upstream);
    const client = new RetryingClient(urls);
    const workload = new Workload(fixture, { client, workflow, callers: 8, backlog: 200 });
    workload.start();
    probes.start();
    const returns: number[] = [];
    const failures: string[] = [];
    let count = 0;
    while (count < silences && workload.faults.length === 0 && !context.isTimeUp()) {
      workload.allow((count + 0.5) * RUNS_PER_SILENCE);
      await awaitAccepted(workload, count * RUNS_PER_SILENCE + 5, 10_000);
      const restore = path.lose(path.kinds[count % path.kinds.length]!);
      // Runs that cannot be accepted before the return, which the first of them measures.
      workload.allow((count + 1) * RUNS_PER_SILENCE);
      await delay(fixture.random.between(500, LONGEST_SILENCE_MS));
      await restore();
      const returned = Date.now();
      if (await awaitAccepted(workload, workload.tickets.length + 1, 60_000)) returns.push(Date.now() - returned);
      else failures.push('no run was accepted within 60 s of the return of the path');
      count++;
      await awaitAccepted(workload, count * RUNS_PER_SILENCE, 120_000);
      context.log(`${count} × silent, ${workload.ended} runs ended, back after ${returns.at(-1)} ms`);
    }
    await workload.finish();
    const stallReason = await converge(fixture);
    await probes.stop();
    const slowestMs = Math.max(0, ...returns);
    if (slowestMs > MAX_RETURN_MS) failures.push(`the first run was accepted ${slowestMs} ms after the return`);
    const { examples, repeatedCalls, reasons, ...result } = await check(fixture, workflow, workload.tickets);
    const faults = [workload, client, apis, workers, probes].flatMap(each => each.faults);
    return {
      procedure: 'silent-connections',
      fault: `connections to the database silent ${count} ×, by ${path.kinds.map(kind => `lost ${kind}`).join(' and ')}`,
      runs: count * RUNS_PER_SILENCE,
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
    await path.close();
    await fixture.close();
  }
}

/** Whether this number of runs was accepted in time. */
async function awaitAccepted({ tickets }: Workload, count: number, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; tickets.length < count; ) {
    if (Date.now() > until) return false;
    await delay(10);
  }
  return true;
}

/** In a network namespace, or through a proxy where none can be created. */
async function createPath(fixture: Fixture, log: (line: string) => void): Promise<Path> {
  const direct = new URL(fixture.environment.DATABASE_URL!);
  const target = { host: direct.hostname, port: Number(direct.port) };
  const upstream = new URL(fixture.upstream.origin);
  const namespace = createNetworkNamespace(3);
  if (typeof namespace === 'string') {
    log(`no lost packets: ${namespace}`);
    const proxy = await startTcpProxy(target);
    direct.port = String(proxy.port);
    return {
      environment: { ...fixture.environment, DATABASE_URL: direct.href },
      urlOf: url => url,
      upstream: upstream.origin,
      kinds: ['bytes'],
      lose: () => dropBytes(proxy),
      close: () => proxy.cut(),
    };
  }
  const [calls, ...links] = namespace.links;
  const first = await startTcpProxy(target, { host: links[0]!.outside });
  const proxies = [first, await startTcpProxy(target, { host: links[1]!.outside, port: first.port })];
  const port = Number(upstream.port);
  const relay = await startTcpProxy({ host: '127.0.0.1', port }, { host: calls!.outside, port });
  upstream.hostname = calls!.outside;
  let current = 0;
  const pointNameToCurrentLink = () => namespace.setHosts({ 'database.test': links[current]!.outside });
  pointNameToCurrentLink();
  direct.hostname = 'database.test';
  direct.port = String(first.port);
  return {
    environment: {
      ...fixture.environment,
      DATABASE_URL: direct.href,
      HOST: '0.0.0.0',
      OPENAI_BASE_URL: `${upstream.origin}/v1`,
      OUTBOUND_ALLOW: calls!.outside,
    },
    namespace: namespace.name,
    urlOf: url => `http://${calls!.inside}:${new URL(url).port}`,
    upstream: upstream.origin,
    kinds: ['bytes', 'packets'],
    lose: how => {
      if (how === 'bytes') return dropBytes(proxies[current]!);
      const lost = links[current]!;
      lost.cut();
      return async () => {
        current = 1 - current;
        links[current]!.restore();
        pointNameToCurrentLink();
      };
    },
    async close() {
      await Promise.all([...proxies, relay].map(proxy => proxy.cut()));
      namespace.close();
    },
  };
}

function dropBytes(proxy: TcpProxy): () => Promise<void> {
  proxy.dropAll();
  return () => proxy.restore();
}
