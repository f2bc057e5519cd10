import type { Bench, Measure } from './bench.js';
import { openDatabases } from './databases/databases.js';
import { bytes } from './parts/bytes.js';
import { chat } from './parts/chat.js';
import { durable } from './parts/durable.js';
import { full } from './parts/full.js';
import { growth } from './parts/growth.js';
import { guard } from './parts/guard.js';
import { latency } from './parts/latency.js';
import { memoryAfterBurst } from './parts/memory-after-burst.js';
import { nodes } from './parts/nodes.js';
import { overload } from './parts/overload.js';
import { reads } from './parts/reads.js';
import { runs } from './parts/runs.js';
import { start } from './parts/start.js';
import { streams } from './parts/streams.js';
import { subscribers } from './parts/subscribers.js';
import { webhooks } from './parts/webhooks.js';
import { type Figure, machine, type Report, tableOf } from './report.js';

export const BENCHES = {
  guard,
  chat,
  streams,
  runs,
  nodes,
  durable,
  latency,
  subscribers,
  reads,
  start,
  full,
  growth,
  overload,
  webhooks,
  bytes,
  'memory-after-burst': memoryAfterBurst,
} satisfies Record<string, Measure>;
export type BenchName = keyof typeof BENCHES;

export interface BenchOptions extends Pick<Bench, 'rounds' | 'roundMs' | 'isSmoke' | 'log'> {
  names: readonly BenchName[];
  /** Default: an embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Ends the benchmark early: `runBench` drops the databases and rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/**
 * Measures the parts in sequence, each on its own PostgreSQL unless `databaseUrl` names one: vacuums and checkpoints of the data of
 * an earlier part would slow down the next one. All processes and databases are removed at the end.
 */
export async function runBench({ names, databaseUrl, signal, ...options }: BenchOptions): Promise<Report> {
  const startedAt = new Date().toISOString();
  const notes: string[] = [];
  const note = (line: string) => {
    notes.push(line);
    options.log(line);
  };
  const figures: Figure[] = [];
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  signal?.addEventListener('abort', () => ended.reject(signal.reason));
  for (const name of names) {
    signal?.throwIfAborted();
    const databases = await openDatabases(databaseUrl);
    try {
      const measured = await Promise.race([BENCHES[name]({ ...options, databases, note }), ended.promise]);
      figures.push(...measured);
      // Written immediately, so that a later failure does not lose it.
      options.log(`${name}\n${tableOf(measured)}`);
    } finally {
      await databases.close();
    }
  }
  return { startedAt, machine: machine(), notes, figures };
}
