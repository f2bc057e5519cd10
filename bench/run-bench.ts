import type { Bench, Measure } from './bench.js';
import { openDatabases } from './databases/databases.js';
import { benchBytes } from './parts/bytes.js';
import { benchChat } from './parts/chat.js';
import { benchDurable } from './parts/durable.js';
import { benchFirstCall } from './parts/first-call.js';
import { benchFull } from './parts/full.js';
import { benchGrowth } from './parts/growth.js';
import { benchGuard } from './parts/guard.js';
import { benchLatency } from './parts/latency.js';
import { benchMemoryAfterBurst } from './parts/memory-after-burst.js';
import { benchNodes } from './parts/nodes.js';
import { benchOverload } from './parts/overload.js';
import { benchReads } from './parts/reads.js';
import { benchRuns } from './parts/runs.js';
import { benchStart } from './parts/start.js';
import { benchStreams } from './parts/streams.js';
import { benchSubscribers } from './parts/subscribers.js';
import { benchWebhooks } from './parts/webhooks.js';
import { type Figure, machine, type Report, tableOf } from './report.js';

export const BENCHES = {
  guard: benchGuard,
  chat: benchChat,
  streams: benchStreams,
  runs: benchRuns,
  nodes: benchNodes,
  durable: benchDurable,
  latency: benchLatency,
  'first-call': benchFirstCall,
  subscribers: benchSubscribers,
  reads: benchReads,
  start: benchStart,
  full: benchFull,
  growth: benchGrowth,
  overload: benchOverload,
  webhooks: benchWebhooks,
  bytes: benchBytes,
  'memory-after-burst': benchMemoryAfterBurst,
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
