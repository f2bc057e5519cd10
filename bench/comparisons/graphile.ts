import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPeer } from './peers.js';

const VERSION = '0.18.0';

/** The part of graphile-worker's API that is used here. */
interface GraphileWorker {
  run(options: {
    connectionString: string;
    concurrency: number;
    noHandleSignals: boolean;
    logger: unknown;
    taskList: Record<string, () => Promise<void>>;
  }): Promise<{ addJob(task: string, payload: object): Promise<unknown>; stop(): Promise<void> }>;
  Logger: new (factory: () => () => void) => unknown;
}

export interface JobQueue {
  /** Returns the milliseconds from the call that adds a job until its handler begins. */
  measureStartLatencyMs(): Promise<number>;
  stop(): Promise<void>;
}

/** graphile-worker in this process, on a database of its own. */
export async function startGraphile(connectionString: string): Promise<JobQueue> {
  const folder = await installPeer({ name: 'graphile-worker', version: VERSION });
  const { run, Logger }: GraphileWorker = await import(pathToFileURL(path.join(folder, 'dist', 'index.js')).href);
  let begun = Promise.withResolvers<number>();
  const runner = await run({
    connectionString,
    concurrency: 10,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { task: async () => begun.resolve(performance.now()) },
  });
  return {
    async measureStartLatencyMs() {
      begun = Promise.withResolvers<number>();
      const started = performance.now();
      await runner.addJob('task', {});
      return (await begun.promise) - started;
    },
    stop: () => runner.stop(),
  };
}
