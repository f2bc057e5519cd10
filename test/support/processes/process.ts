import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { INHERITED } from '../inherited.js';

const MAIN = fileURLToPath(new URL('../../../main.js', import.meta.url));

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServiceProcess {
  child: ChildProcess;
  /** The URL of the service. Empty for a worker. */
  url: string;
  /** The output so far. */
  output(): string;
  /** Resolves when the process has exited. */
  exited: Promise<ProcessExit>;
  /** Sends the signal, by default SIGTERM, unless the process has exited. Resolves when it has exited. */
  end(signal?: NodeJS.Signals): Promise<ProcessExit>;
}

/**
 * Starts the service in its own process. Resolves when it is ready; without `ready` as soon as it is started, because
 * it may exit before.
 */
export async function startProcess(
  environment: Record<string, string>,
  {
    ready = true,
    flags = [],
    main = MAIN,
    namespace,
  }: {
    ready?: boolean;
    flags?: string[];
    main?: string;
    /** The network namespace of the process. */
    namespace?: string;
  } = {},
): Promise<ServiceProcess> {
  const command = [process.execPath, ...flags, main];
  if (namespace !== undefined) command.unshift('ip', 'netns', 'exec', namespace);
  const child = spawn(command[0]!, command.slice(1), {
    env: { ...INHERITED, ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', chunk => {
    output += chunk;
  });
  child.stderr?.on('data', chunk => {
    output += chunk;
  });
  const exited = once(child, 'exit').then(([code, signal]): ProcessExit => ({ code, signal }));
  const service: ServiceProcess = {
    child,
    url: '',
    output: () => output,
    exited,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
  };
  if (!ready) return service;
  await new Promise<void>((resolve, reject) => {
    const checkOutput = () => {
      if (!/"msg":"started"/.test(output)) return;
      service.url = /"url":"([^"]+)"/.exec(output)?.[1] ?? '';
      resolve();
    };
    child.stdout?.on('data', checkOutput);
    void exited.then(() => reject(new Error(`the service ended before it was ready:\n${output}`)));
    checkOutput();
  });
  return service;
}

/** Ends a worker that never reaches its fault point. A busy machine does not reach it. */
const GIVE_UP_MS = 100_000;

/**
 * Starts a worker that kills itself at the fault point `point` (CRASH_AT), and waits for its death. It may die before it
 * reports that it is ready.
 */
export async function crashWorkerAt(point: string, environment: Record<string, string>): Promise<void> {
  const worker = await startProcess({ ...environment, ROLE: 'worker', CRASH_AT: point }, { ready: false });
  const giveUp = setTimeout(() => void worker.end('SIGTERM'), GIVE_UP_MS);
  const { code, signal } = await worker.exited;
  clearTimeout(giveUp);
  if (signal !== 'SIGKILL')
    throw new Error(`the worker did not die at ${point} (${signal ?? code}):\n${worker.output()}`);
}
