import { availableParallelism } from 'node:os';
import { PortError, type Sandbox, type Script, type ScriptCall } from '../engine/ports.js';
import { waitObserved } from '../engine/wait-for.js';
import { SlotGauge } from '../platform/metrics/slot-gauge.js';
import { FairQueue } from '../platform/scheduling/fair-queue.js';
import { inSlot } from './in-slot.js';
import type { Pool, PoolOptions } from './sandbox/pool.js';
import type { Task } from './sandbox/protocol.js';

export interface SandboxOptions extends PoolOptions {
  /** Maximum threads of one project. The others are reserved for other projects. */
  limit: number;
  /** Maximum duration of a script in milliseconds. It limits the timeout of the node. */
  maxMs: number;
  /** Counts busy threads and waiting scripts. */
  gauge: SlotGauge;
}

/** The sandboxes of all projects, which share threads. */
export interface ThreadSandbox {
  /** The sandbox for the scripts of one project. */
  of(projectId: number): Sandbox;
  /** Number of existing threads. */
  readonly threads: number;
  close(): Promise<void>;
}

/**
 * Concurrent scripts of one project: one per core, because scripts only compute. One thread more exists, so that long scripts of a
 * project cannot block other projects.
 */
export function sandboxDefaults(cores = availableParallelism()) {
  const limit = Math.max(2, cores);
  return { size: limit + 1, limit, idleMs: 30_000, graceMs: 250, maxMs: 30_000 };
}

interface ScriptRequest {
  script: Script;
  call: ScriptCall;
  onFiles: Parameters<Sandbox['run']>[2];
}

/** Runs scripts in QuickJS within WebAssembly, in worker threads that projects share fairly. The first script loads the interpreter. */
export function createSandbox(overrides: Partial<SandboxOptions> = {}): ThreadSandbox {
  const options: SandboxOptions = { ...sandboxDefaults(), gauge: new SlotGauge('script'), ...overrides };
  const { size, limit, maxMs, gauge } = options;
  const queue = new FairQueue({ slots: size, limit, share: Math.ceil(size / 2), gauge });
  let pool: Pool | undefined;

  const run = async (projectId: number, request: ScriptRequest): Promise<string> => {
    const { call } = request;
    call.signal.throwIfAborted();
    const { Pool: ThreadPool } = await import('./sandbox/pool.js');
    pool ??= new ThreadPool(options);
    const threads = pool;
    return inSlot(queue, projectId, call, 'sandbox_busy', () => executeIn(threads, request, maxMs));
  };

  return {
    of: projectId => ({ run: (script, call, onFiles) => run(projectId, { script, call, onFiles }) }),
    get threads() {
      return pool?.size ?? 0;
    },
    async close() {
      await pool?.close();
    },
  };
}

/** Runs a script for at most `maxMs`. */
function executeIn(threads: Pool, { script, call, onFiles }: ScriptRequest, maxMs: number): Promise<string> {
  const { signal } = call;
  const timeoutMs = Math.min(script.timeoutMs, maxMs);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const start = Promise.withResolvers<void>();
  let isStarted = false;
  // The message names the setting of the operator if it shortened the timeout of the node.
  const isCapped = script.timeoutMs > maxMs;
  const failure = (code: string, message: string) =>
    new PortError(code, isCapped && code === 'code_timeout' ? `${message}, the maximum of CODE_MAX_SECONDS` : message);
  const cancel = threads.add({
    task: toTask(script, timeoutMs),
    onStart: () => {
      isStarted = true;
      start.resolve();
    },
    onReply: reply => {
      if (reply.log) call.log?.(reply.log);
      if (reply.files) onFiles?.(reply.files);
      if ('content' in reply) resolve(reply.content);
      else reject(failure(reply.code, reply.message));
    },
    onTimeout: () => reject(failure('code_timeout', `the script did not end within ${timeoutMs / 1000} seconds`)),
    onCrash: error => reject(crash(error)),
  });
  const onAbort = () => {
    cancel();
    reject(signal.reason as Error);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  // The start of a thread does not count towards the time of the script.
  if (!isStarted) void waitObserved(call, Promise.race([start.promise, promise])).catch(() => {});
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

function toTask({ files = [], input, ...script }: Script, timeoutMs: number): Task {
  const references = JSON.stringify(files.map(({ reference }) => reference));
  const contents = files.map(({ bytes }) => bytes);
  return { ...script, files: { references, contents }, input: JSON.stringify(input) ?? 'null', timeoutMs };
}

/** Converts the failure of a thread to the error of its script. */
function crash(error: Error): Error {
  const { code } = error as { code?: unknown };
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new PortError(
        'code_memory',
        'the script and its data need more memory than the sandbox has; process less data at a time',
      )
    : new PortError('code_error', 'the script broke the sandbox');
}
