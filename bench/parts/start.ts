import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chain, output, template, trigger } from '../../test/support/graphs.js';
import type { Bench } from '../bench.js';
import { measureInstalledBytes } from '../comparisons/installed-size.js';
import { prepareN8n } from '../comparisons/n8n.js';
import { skipPeer } from '../comparisons/peers.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { load, once } from '../load/load.js';
import { measureInRounds, median } from '../load/measurements.js';
import { makeWorkflow, restStart } from '../load/run-calls.js';
import { repository, type StartedProcess, startScript, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const GRAPH = chain(trigger(), template('One.'), template('{{ previous.content }} Two.'), output());
/** Milliseconds after which a process counts as idle. */
const IDLE_MS = 3_000;
const LOAD = { clients: 50, seconds: 4 };

/** A service that is started, called once, left idle and then put under load. */
export interface StartPeer {
  name: string;
  /** Resolves with the process when it listens. */
  start(): Promise<StartedProcess>;
  /** The first request, and the expected status. Default: 200. */
  call(url: string): HttpCall & { status?: number };
  /** Bytes on disk. Absent: not measured. */
  installed?(): Promise<number>;
}

interface StartMeasure {
  firstMs: number;
  idleMib: number;
  loadedMib: number;
}

/**
 * Measures the startup on a migrated database until the first accepted run, the memory when idle and under load, and
 * the installed size.
 */
export async function benchStart(bench: Bench): Promise<Figure[]> {
  const n8n = bench.isSmoke ? undefined : await prepareN8n(bench.databases).catch(skipPeer(bench, 'start', 'n8n'));
  const url = await bench.databases.create();
  const service = () => startService(url, bench.databases.folder);
  const first = await service();
  // The call without the origin, because each start of the service has another one.
  const run = await makeWorkflow(first.url, GRAPH)
    .then(workflow => checkAccepted(restStart('', workflow), first.url))
    .finally(first.stop);
  const ours: StartPeer = {
    name: 'ours',
    start: service,
    call: origin => ({ ...run, url: `${origin}${run.url}` }),
    installed: () => measureInstalledBytes(repository(), path.join(repository(), 'dist')),
  };
  const bare: StartPeer = {
    name: 'Express + pg',
    start: () => startScript('comparisons/bare-reads', url),
    call: origin => ({ url: `${origin}/api/v1/projects/` }),
  };
  const candidates: StartPeer[] = [ours, bare, ...(n8n ? [{ ...n8n, name: 'n8n' }] : [])];
  const rounds = await measureInRounds(
    Object.fromEntries(candidates.map(peer => [peer.name, () => measure(bench, peer)])),
    bench.rounds,
  );
  const medianOf = (name: string, member: keyof StartMeasure) => median(rounds[name]!.map(each => each[member]));
  const figures = candidates.slice(1).flatMap(({ name }) =>
    (
      [
        ['start to the first answer', 'ms', 'firstMs'],
        ['memory idle', 'MiB', 'idleMib'],
        ['memory under load', 'MiB', 'loadedMib'],
      ] as const
    ).map(([what, unit, member]) =>
      figureOf({
        bench: 'start',
        what,
        measure: unit,
        ours: medianOf('ours', member),
        comparison: name,
        theirs: medianOf(name, member),
      }),
    ),
  );
  for (const { name, installed } of candidates)
    if (installed) bench.note(`start: ${name} installed takes ${((await installed()) / 2 ** 20).toFixed(0)} MiB`);
  return figures;
}

async function measure(bench: Bench, peer: StartPeer): Promise<StartMeasure> {
  bench.log(`start: ${peer.name}`);
  const from = performance.now();
  const started = await peer.start();
  try {
    const call = peer.call(started.url);
    const status = call.status ?? 200;
    await once(call, status);
    const firstMs = performance.now() - from;
    await delay(bench.isSmoke ? 0 : IDLE_MS);
    const idleMib = await memoryOf(started.pid ?? 0);
    if (!bench.isSmoke) await load(call, { clients: LOAD.clients, ms: LOAD.seconds * 1000 });
    return { firstMs, idleMib, loadedMib: await memoryOf(started.pid ?? 0) };
  } finally {
    await started.stop();
  }
}

/** Resident memory in MiB; NaN where the system does not report it. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** Returns the request after checking that it starts a run, because a refused run also has HTTP status 200. */
async function checkAccepted(call: HttpCall, origin: string): Promise<HttpCall> {
  const { body } = await once({ ...call, url: `${origin}${call.url}` });
  if ((JSON.parse(body) as { status: number }).status !== 201) throw new Error(`the run was not accepted: ${body}`);
  return call;
}
