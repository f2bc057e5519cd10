import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, createClient } from 'graphql-ws';
import type { Bench } from '../bench.js';
import { type JobQueue, startGraphile } from '../comparisons/graphile.js';
import { skipPeer } from '../comparisons/peers.js';
import { KeepAliveClient } from '../load/keep-alive-client.js';
import { check, once } from '../load/load.js';
import { measureInRounds, median, warmUp } from '../load/measurements.js';
import { HEADERS, httpGraph, makeWorkflow, pureGraph, restStart } from '../load/run-calls.js';
import { ADMIN_KEY, type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

/** Number of measurements of one candidate in one round. */
const TIMES = 50;
const SUBSCRIPTION = `subscription Watch($id: UUID!) {
  workflowRunChanged(id: $id) { state } }`;

/**
 * Measures the latencies of one client in milliseconds: from the request until the first external call arrives; until
 * its result is read by polling; and from the last event of a run until a subscriber receives its end. The comparison
 * is the time that graphile-worker takes from adding a job until its handler begins.
 */
export async function benchLatency(bench: Bench): Promise<Figure[]> {
  const external = await startExternalService();
  let service: StartedProcess | undefined;
  let jobs: JobQueue | undefined;
  let client: Client | undefined;
  const open: KeepAliveClient[] = [];
  try {
    service = await startService(await bench.databases.create(), bench.databases.folder);
    const { url } = service;
    client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      connectionParams: { 'x-api-key': ADMIN_KEY },
      lazy: false,
    });
    /** Returns a function that starts a run of the graph and returns its id. */
    const startOf = async (graph: unknown) => {
      const call = restStart(url, await makeWorkflow(url, graph));
      const connection = await KeepAliveClient.open(call);
      open.push(connection);
      return async () => JSON.parse(check(call, await connection.call(), 200).body).data.id as string;
    };
    const startCallingRun = await startOf(httpGraph(external.url));
    const startPureRun = await startOf(pureGraph());
    jobs = bench.isSmoke ? undefined : await graphile(bench);
    const candidates: Record<string, () => Promise<number>> = {
      'accept → first external call': async () => {
        const arrived = external.next();
        const sent = performance.now();
        const accepted = startCallingRun();
        const at = await arrived.promise;
        external.release();
        await waitForEnd(url, await accepted);
        return at - sent;
      },
      'accept → result by poll': async () => {
        const sent = performance.now();
        await waitForEnd(url, await startPureRun());
        return performance.now() - sent;
      },
      'external response → subscriber receives the end': async () => {
        const arrived = external.next();
        const id = await startCallingRun();
        await arrived.promise;
        const received = Promise.withResolvers<number>();
        const watching = Promise.withResolvers<void>();
        const stop = client!.subscribe<{ workflowRunChanged: { state: string } }>(
          { query: SUBSCRIPTION, variables: { id } },
          {
            next: ({ data }) => {
              watching.resolve();
              if (data?.workflowRunChanged.state === 'SUCCEEDED') received.resolve(performance.now());
            },
            error: error => received.reject(error),
            complete: () => {},
          },
        );
        await watching.promise;
        const released = performance.now();
        external.release();
        const ms = (await received.promise) - released;
        stop();
        return ms;
      },
      ...(jobs ? { graphile: () => jobs!.measureStartLatencyMs() } : {}),
    };
    const times = bench.isSmoke ? 1 : TIMES;
    const round = (measure: () => Promise<number>) => async () => {
      const all: number[] = [];
      for (let n = 0; n < times; n++) all.push(await measure());
      return median(all);
    };
    const rounds = Object.entries(candidates).map(([name, measure]) => [name, round(measure)] as const);
    for (const [, measure] of rounds) await (bench.isSmoke ? measure() : warmUp(measure));
    bench.log('latency: one client');
    const measured = await measureInRounds(Object.fromEntries(rounds), bench.rounds);
    const { graphile: theirs, ...ours } = measured;
    return Object.entries(ours).map(([what, ms]) =>
      figureOf({
        bench: 'latency',
        what,
        measure: 'p50, ms',
        ours: median(ms),
        comparison: theirs ? 'graphile-worker, add → handler' : 'itself',
        theirs: median(theirs ?? ms),
      }),
    );
  } finally {
    for (const one of open) one.close();
    await client?.dispose();
    await jobs?.stop();
    await service?.stop();
    external.close();
  }
}

async function graphile(bench: Bench): Promise<JobQueue | undefined> {
  return startGraphile(await bench.databases.create()).catch(skipPeer(bench, 'latency', 'graphile-worker'));
}

/** Polls without a pause until the run has ended. */
async function waitForEnd(origin: string, id: string): Promise<void> {
  const read = { url: `${origin}/api/v1/workflows/workflow_result/?id=${id}`, headers: HEADERS };
  for (;;) {
    const { status } = JSON.parse((await once(read)).body).data as { status: string };
    if (status === 'succeed') return;
    if (status === 'failed') throw new Error(`run ${id} failed`);
  }
}

/** An external service that records the time of each call and responds on command. */
async function startExternalService() {
  let arrived = Promise.withResolvers<number>();
  let answer: () => void = () => {};
  const server = http.createServer((_, response) => {
    answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    arrived.resolve(performance.now());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Expects the next call. The promise resolves with the time of its arrival. */
    next: () => {
      arrived = Promise.withResolvers<number>();
      return arrived;
    },
    release: () => answer(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
