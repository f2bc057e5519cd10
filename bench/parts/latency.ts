import { type Client, createClient } from 'graphql-ws';
import type { Bench } from '../bench.js';
import { startExternalService } from '../load/external-service.js';
import { KeepAliveClient } from '../load/keep-alive-client.js';
import { check } from '../load/load.js';
import { measureLatencies, median } from '../load/measurements.js';
import { awaitEnd, httpGraph, makeWorkflow, pureGraph, restPoll, restStart } from '../load/run-calls.js';
import { ADMIN_KEY, type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const SUBSCRIPTION = `subscription Watch($id: UUID!) {
  workflowRunChanged(id: $id) { state } }`;

/**
 * Measures the latencies of one client in milliseconds: from the request until the result of a run is read by polling, and from
 * the last event of a run until a subscriber receives its end.
 */
export async function benchLatency(bench: Bench): Promise<Figure[]> {
  const external = await startExternalService();
  let service: StartedProcess | undefined;
  let client: Client | undefined;
  const open: KeepAliveClient[] = [];
  try {
    service = await startService(await bench.databases.create(), bench.databases.folder);
    const { url } = service;
    const poll = restPoll(url);
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
      return async () => poll.idOf(check(call, await connection.call(), 200).body);
    };
    const startCallingRun = await startOf(httpGraph(external.url));
    const startPureRun = await startOf(pureGraph());
    const candidates: Record<string, () => Promise<number>> = {
      'accept → result by poll': async () => {
        const sent = performance.now();
        await awaitEnd(poll, await startPureRun());
        return performance.now() - sent;
      },
      'external response → subscriber receives the end': async () => {
        const arrived = external.next();
        const id = await startCallingRun();
        await arrived;
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
    };
    bench.log('latency: one client');
    const measured = await measureLatencies(bench, candidates);
    return Object.entries(measured).map(([what, ms]) =>
      figureOf({
        ...{ bench: 'latency', what, measure: 'p50, ms', comparison: 'itself' },
        ...{ ours: median(ms), theirs: median(ms) },
      }),
    );
  } finally {
    for (const one of open) one.close();
    await client?.dispose();
    await service?.stop();
    external.close();
  }
}
