import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MemoryUse } from './memory-probe.js';

export interface StartedProcess {
  /** Empty: the process does not listen. */
  url: string;
  /** Undefined: it does not run in its own process. */
  pid?: number | undefined;
  stop(): Promise<void>;
}

/** A process whose memory is measured. */
export interface ProbedProcess extends StartedProcess {
  /** Measures the memory after a garbage collection. */
  measureMemory(): Promise<MemoryUse>;
}

/** The administrator's key of every measured service. */
export const ADMIN_KEY = 'sk-bench-administrator-0123456789';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
/** The log line of a started service, or the line that a script of the benchmark prints. */
const LISTENING = /"url":(?:"(http:[^"]+)"|null)[^\n]*"msg":"started"|^listens on (http:\S+)$/m;
const TIMEOUT_MS = 120_000;

/** The options of Node and of the memory allocator that `npm start` sets. */
const LAUNCH: { flags: string[]; heap: string; environment: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../../../scripts/launch-options.json', import.meta.url), 'utf8'),
);
const FLAGS = [...LAUNCH.flags, LAUNCH.heap];
const ALLOCATOR = LAUNCH.environment;
const PROBE = ['--expose-gc', '--import', new URL('./memory-probe.js', import.meta.url).href];

/** Starts the service as `npm start` does, on an existing database. */
export function startService(databaseUrl: string, dataDir: string, more: Record<string, string> = {}) {
  return startNode([...FLAGS, MAIN], environmentOf(databaseUrl, dataDir, more));
}

/** Starts the service as `npm start` does, with a memory probe. */
export function startProbedService(databaseUrl: string, dataDir: string, more: Record<string, string> = {}) {
  return startProbed([...FLAGS, ...PROBE, MAIN], environmentOf(databaseUrl, dataDir, more));
}

function environmentOf(databaseUrl: string, dataDir: string, more: Record<string, string>): Record<string, string> {
  const secret = 'for benchmarks only, at least 32 characters';
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'the password of the bench',
    ADMIN_API_KEY: ADMIN_KEY,
    JWT_SECRET: secret,
    SERVICE_TOKEN: secret,
    ENCRYPTION_KEY: secret,
    OUTBOUND_ALLOW: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    ANONYMOUS_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'info',
    ...more,
  };
}

/**
 * Starts a script of the benchmark, given by its path below bench, in its own process. It prints `listens on <url>`.
 */
export function startScript(name: string, ...args: string[]): Promise<StartedProcess> {
  return startNode([fileURLToPath(new URL(`../${name}.js`, import.meta.url)), ...args]);
}

export function startProbedScript(name: string): Promise<ProbedProcess> {
  return startProbed([...PROBE, fileURLToPath(new URL(`../${name}.js`, import.meta.url))], {});
}

/** Starts a Node process that prints its address on standard output. */
export async function startNode(args: string[], environment: Record<string, string> = {}): Promise<StartedProcess> {
  const { child: _, ...started } = await spawnProcess(args, environment, ['ignore', 'pipe', 'pipe']);
  return started;
}

async function startProbed(args: string[], environment: Record<string, string>): Promise<ProbedProcess> {
  const { child, ...started } = await spawnProcess(args, environment, ['ignore', 'pipe', 'pipe', 'ipc']);
  const measureMemory = async () => {
    const answer = once(child, 'message');
    child.send('measure');
    return (await answer)[0] as MemoryUse;
  };
  return { ...started, measureMemory };
}

async function spawnProcess(
  args: string[],
  environment: Record<string, string>,
  stdio: StdioOptions,
): Promise<StartedProcess & { child: ChildProcess }> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, NODE_ENV: 'production', ...ALLOCATOR, ...environment },
    stdio,
  });
  const stop = stopperOf(child);
  try {
    return { child, url: await addressOf(child), pid: child.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resident memory of processes, in MiB. */
export function memoryMib(processes: readonly StartedProcess[]): number {
  const kibibytesOf = ({ pid }: StartedProcess) =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  return processes.reduce((sum, one) => sum + kibibytesOf(one) / 1024, 0);
}

/** Returns a function that stops the process, with SIGKILL if it does not exit. The process also stops when the benchmark exits. */
export function stopperOf(child: ChildProcess): () => Promise<void> {
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return async () => {
    const killTimer = setTimeout(kill, 10_000);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await exited;
    }
    clearTimeout(killTimer);
    process.off('exit', kill);
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    let isFound = false;
    const fail = (why: string) => reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${output.slice(-2_000)}`));
    const timeout = setTimeout(() => fail('did not print its address'), TIMEOUT_MS);
    const readOutput = (chunk: Buffer) => {
      // The rest of the output is read and discarded, because a full pipe would block the process.
      if (isFound) return;
      output += chunk;
      const found = LISTENING.exec(output);
      if (found === null) return;
      clearTimeout(timeout);
      isFound = true;
      resolve(found[1] ?? found[2] ?? '');
    };
    child.stdout?.on('data', readOutput);
    child.stderr?.on('data', readOutput);
    child.once('exit', () => {
      clearTimeout(timeout);
      fail('ended');
    });
  });
}

/** The root folder of the repository. The compiled benchmark is in a build folder. */
export function repository(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}
