import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chain, output, template, trigger } from '../../test/support/graphs.js';
import type { Bench } from '../bench.js';
import { load, once } from '../load/load.js';
import { HEADERS } from '../load/run-calls.js';
import { ADMIN_KEY, memoryMib, type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const GRAPH = chain(trigger(), template('{{ input.topic }}'), output());
const GOAL = { ratio: 1.3, seconds: 60 };
/** An idle process collects garbage after one idle second, and again after 30 idle seconds. */
const SETTLED_MS = 40_000;
const POLL_MS = 250;
const INPUT_BYTES = 1_000_000;
const UPLOAD_BYTES = 40_000_000;
const CLIENTS = 10;

/**
 * Seconds from the end of a burst of large runs, pages and uploads until the resident memory is again near that of an
 * idle process.
 */
export async function benchMemoryAfterBurst(bench: Bench): Promise<Figure[]> {
  const service = await startService(await bench.databases.create(), bench.databases.folder);
  try {
    const target = await prepare(service);
    await delay(bench.isSmoke ? 0 : SETTLED_MS);
    const idle = memoryMib([service]);
    bench.log('memory-after-burst: runs, pages and uploads');
    const peak = await burst(bench, service, target);
    const seconds = await waitUntilBelow(service, idle * GOAL.ratio);
    const size = (mib: number) => `${mib.toFixed(0)} MiB`;
    bench.note(
      `memory-after-burst: idle ${size(idle)}, peak ${size(peak)}, ${size(memoryMib([service]))} after ${seconds.toFixed(0)} s`,
    );
    return [
      figureOf({
        bench: 'memory-after-burst',
        what: `resident memory back at ${GOAL.ratio} × of idle`,
        measure: 's',
        ours: seconds,
        comparison: 'the goal',
        theirs: GOAL.seconds,
      }),
    ];
  } finally {
    await service.stop();
  }
}

interface BurstTarget {
  /** Id of the project that receives the uploads. */
  project: number;
  /** URL that starts a run. */
  run: string;
  /** URL of a page of the history. */
  history: string;
}

async function prepare({ url }: StartedProcess): Promise<BurstTarget> {
  const make = async (where: string, body: unknown) => {
    const call = { url: `${url}${where}`, method: 'POST', headers: HEADERS, body: JSON.stringify(body) };
    return JSON.parse((await once(call, 201)).body) as { id: number };
  };
  const { id: project } = await make('/api/v1/projects/', { name: 'Burst' });
  const { id } = await make('/api/v1/workflows/', { project, title: 'Burst', data: GRAPH });
  return {
    project,
    run: `${url}/api/v1/workflows/${id}/run/`,
    history: `${url}/api/v1/workflows/${id}/history/?size=100`,
  };
}

/** Returns the maximum resident memory in MiB. */
async function burst(
  { isSmoke, roundMs }: Bench,
  service: StartedProcess,
  { project, run, history }: BurstTarget,
): Promise<number> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryMib([service]));
  }, POLL_MS);
  const clients = isSmoke ? 1 : CLIENTS;
  const ms = isSmoke ? roundMs : 5 * roundMs;
  // Random texts, because compressible texts would measure the compression of the database.
  const body = JSON.stringify({ topic: randomBytes((isSmoke ? 1_000 : INPUT_BYTES) / 2).toString('hex') });
  try {
    await load({ url: run, method: 'POST', headers: HEADERS, body }, { clients, ms });
    await Promise.all([
      load({ url: run, method: 'POST', headers: HEADERS, body }, { clients: 1, ms }),
      load({ url: history, headers: HEADERS }, { clients, ms }),
      ...Array.from({ length: 4 }, (_, n) => upload(service, project, `burst-${n}`, isSmoke ? 1_000 : UPLOAD_BYTES)),
    ]);
  } finally {
    clearInterval(watch);
  }
  return Math.max(peak, memoryMib([service]));
}

async function upload({ url }: StartedProcess, project: number, name: string, bytes: number): Promise<void> {
  const form = new FormData();
  form.set('project', String(project));
  form.set('file1', new Blob([Buffer.alloc(bytes, 'word ')], { type: 'text/plain' }), `${name}.txt`);
  const answer = await fetch(`${url}/api/v1/documents/`, {
    method: 'POST',
    headers: { 'X-Api-Key': ADMIN_KEY },
    body: form,
  });
  if (answer.status !== 201) throw new Error(`an upload returned ${answer.status}: ${await answer.text()}`);
}

/** Returns the seconds until the resident memory is at most `mib`; Infinity after twice the goal. */
async function waitUntilBelow(service: StartedProcess, mib: number): Promise<number> {
  const from = performance.now();
  const seconds = () => (performance.now() - from) / 1000;
  while (memoryMib([service]) > mib) {
    if (seconds() > 2 * GOAL.seconds) return Number.POSITIVE_INFINITY;
    await delay(POLL_MS);
  }
  return seconds();
}
