import type { Bench } from '../bench.js';
import { type DurableService, startDbos, startRestate } from '../comparisons/durable-peers.js';
import { startGraphile } from '../comparisons/graphile.js';
import { skipPeer } from '../comparisons/peers.js';
import { type ExternalService, startExternalService } from '../load/external-service.js';
import { KeepAliveClient } from '../load/keep-alive-client.js';
import { check } from '../load/load.js';
import { measureLatencies, median } from '../load/measurements.js';
import { awaitEnd, httpGraph, makeWorkflow, type RunPoll, restPoll, restStart } from '../load/run-calls.js';
import { type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

/** A measured candidate. `measure` returns milliseconds. */
interface Candidate {
  measure(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Measures with one client the milliseconds from the request that starts a run until its first external call arrives: in one
 * process and with a separate worker, compared with DBOS, Restate, and graphile-worker from adding a job until its handler begins.
 */
export async function benchFirstCall(bench: Bench): Promise<Figure[]> {
  const external = await startExternalService();
  const running: Record<string, Candidate> = {};
  try {
    running.ours = await startOurs(bench, external, ['all']);
    running.separate = await startOurs(bench, external, ['api', 'worker']);
    if (!bench.isSmoke) Object.assign(running, await startPeers(bench, external));
    bench.log('first-call: one client');
    const candidates = Object.entries(running).map(([name, { measure }]) => [name, measure] as const);
    const { ours = [], separate = [], ...peers } = await measureLatencies(bench, Object.fromEntries(candidates));
    const figure = (what: string, mine: number[], comparison: string, theirs: number[]) =>
      figureOf({
        ...{ bench: 'first-call', what, measure: 'p50, ms', comparison },
        ...{ ours: median(mine), theirs: median(theirs) },
      });
    return [
      ...Object.entries(peers).map(([name, theirs]) => figure('accept → first external call', ours, name, theirs)),
      figure('the same with a separate worker', separate, 'one process', ours),
    ];
  } finally {
    for (const { stop } of Object.values(running).toReversed()) await stop();
    external.close();
  }
}

/** Sends the request that starts a run. Returns the milliseconds until its call arrives, which is answered, and the response. */
async function startUntilCall(external: ExternalService, connection: KeepAliveClient) {
  const arrived = external.next();
  const sent = performance.now();
  const accepted = connection.call();
  const ms = (await arrived) - sent;
  external.release();
  return { ms, reply: await accepted };
}

async function startOurs(
  { databases }: Bench,
  external: ExternalService,
  roles: readonly ('all' | 'api' | 'worker')[],
): Promise<Candidate> {
  const database = await databases.create();
  const processes: StartedProcess[] = [];
  const stop = async () => {
    for (const one of processes.toReversed()) await one.stop();
  };
  try {
    for (const ROLE of roles) processes.push(await startService(database, databases.folder, { ROLE }));
    const { url } = processes[0]!;
    const call = restStart(url, await makeWorkflow(url, httpGraph(external.url)));
    return await candidateOf({ ...restPoll(url), start: () => call, stop }, external);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPeers(bench: Bench, external: ExternalService): Promise<Record<string, Candidate>> {
  const skip = (name: string) => skipPeer(bench, 'first-call', name);
  const { databases } = bench;
  const dbos = await startDbos(await databases.create(), external.url).catch(skip('DBOS'));
  const restate = await startRestate(external.url).catch(skip('Restate'));
  const graphile = await startGraphile(await databases.create()).catch(skip('graphile-worker'));
  return {
    ...(dbos && { DBOS: await candidateOf(dbos, external) }),
    ...(restate && { Restate: await candidateOf(restate, external) }),
    ...(graphile && {
      'graphile-worker, add → handler': {
        measure: () => graphile.measureStartLatencyMs(),
        stop: () => graphile.stop(),
      },
    }),
  };
}

async function candidateOf(
  service: RunPoll & Pick<DurableService, 'start' | 'stop'>,
  external: ExternalService,
): Promise<Candidate> {
  const { status = 200, ...call } = service.start('one');
  const connection = await KeepAliveClient.open(call);
  return {
    async measure() {
      const { ms, reply } = await startUntilCall(external, connection);
      await awaitEnd(service, service.idOf(check(call, reply, status).body));
      return ms;
    },
    async stop() {
      connection.close();
      await service.stop();
    },
  };
}
