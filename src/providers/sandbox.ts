import { PortError, type Sandbox } from '../engine/ports.js';
import type { Pool, PoolOptions } from './sandbox/pool.js';

export interface ThreadSandbox extends Sandbox {
  /** Threads that live now. */
  readonly threads: number;
  close(): Promise<void>;
}

/** Two bound what hostile scripts can take of the processor, and let one that is slow not hold up all others. */
const defaults: PoolOptions = { size: 2, idleMs: 30_000, graceMs: 250 };

/** Scripts in QuickJS inside WebAssembly, off the main thread. Nothing is loaded before the first one. */
export function createSandbox(options: Partial<PoolOptions> = {}): ThreadSandbox {
  let pool: Pool | undefined;
  return {
    get threads() {
      return pool?.size ?? 0;
    },
    async run({ code, input, nodes, memoryMb, timeoutMs }, { signal }) {
      signal.throwIfAborted();
      const { Pool: ThreadPool } = await import('./sandbox/pool.js');
      pool ??= new ThreadPool({ ...defaults, ...options });
      const task = { code, input: JSON.stringify(input) ?? 'null', nodes, memoryMb, timeoutMs };
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const giveUp = pool.add({
        task,
        onReply: reply =>
          'content' in reply ? resolve(reply.content) : reject(new PortError(reply.code, reply.message)),
        onLate: () =>
          reject(new PortError('code_timeout', `the script did not end within ${timeoutMs / 1000} seconds`)),
        onCrash: error => reject(crash(error)),
      });
      const onAbort = () => {
        giveUp();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      return promise.finally(() => signal.removeEventListener('abort', onAbort));
    },
    async close() {
      await pool?.close();
    },
  };
}

function crash(error: Error): Error {
  const { code } = error as { code?: unknown };
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new PortError('code_memory', 'the script and its data need more memory than a sandbox has')
    : new PortError('code_error', 'the script broke the sandbox');
}
