import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Held } from './memory-probe.js';

export interface Started {
  /** Empty: it listens nowhere. */
  url: string;
  /** Undefined: it is no process of its own. */
  pid?: number | undefined;
  stop(): Promise<void>;
}

/** A process whose memory is looked at. */
export interface Probed extends Started {
  /** After a collection of garbage. */
  held(): Promise<Held>;
}

/** The administrator's key of every service that is measured. */
export const ADMIN_KEY = 'sk-bench-administrator-0123456789';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
const LISTENS = /"url":(?:"(http:[^"]+)"|null)[^\n]*"msg":"started"|^listens on (http:\S+)$/m;
const PATIENCE_MS = 120_000;

/** What `npm start` gives Node and the allocator of the C library. */
const LAUNCH: { flags: string[]; heap: string; environment: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../../../scripts/launch-options.json', import.meta.url), 'utf8'),
);
const FLAGS = [...LAUNCH.flags, LAUNCH.heap];
const ALLOCATOR = LAUNCH.environment;
const PROBE = ['--expose-gc', '--import', new URL('./memory-probe.js', import.meta.url).href];

/** The service as `npm start` starts it; on a database that somebody else owns. */
export function startService(databaseUrl: string, dataDir: string, more: Record<string, string> = {}) {
  return startNode([...FLAGS, MAIN], environmentOf(databaseUrl, dataDir, more));
}

/** The same, with a look at its memory. */
export function startProbedService(databaseUrl: string, dataDir: string, more: Record<string, string> = {}) {
  return startProbed([...FLAGS, ...PROBE, MAIN], environmentOf(databaseUrl, dataDir, more));
}

function environmentOf(databaseUrl: string, dataDir: string, more: Record<string, string>): Record<string, string> {
  const secret = 'of the bench alone, with 32 characters or more';
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

/** A script of the bench in a process of its own, by its path below bench; it prints `listens on <url>`. */
export function startScript(name: string, ...args: string[]): Promise<Started> {
  return startNode([fileURLToPath(new URL(`../${name}.js`, import.meta.url)), ...args]);
}

export function startProbedScript(name: string): Promise<Probed> {
  return startProbed([...PROBE, fileURLToPath(new URL(`../${name}.js`, import.meta.url))], {});
}

/** A Node process that tells where it listens, on its standard output. */
export async function startNode(args: string[], environment: Record<string, string> = {}): Promise<Started> {
  const { child: _, ...started } = await spawned(args, environment, ['ignore', 'pipe', 'pipe']);
  return started;
}

async function startProbed(args: string[], environment: Record<string, string>): Promise<Probed> {
  const { child, ...started } = await spawned(args, environment, ['ignore', 'pipe', 'pipe', 'ipc']);
  const held = async () => {
    const answer = once(child, 'message');
    child.send('held');
    return (await answer)[0] as Held;
  };
  return { ...started, held };
}

async function spawned(
  args: string[],
  environment: Record<string, string>,
  stdio: StdioOptions,
): Promise<Started & { child: ChildProcess }> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, NODE_ENV: 'production', ...ALLOCATOR, ...environment },
    stdio,
  });
  const stop = endOf(child);
  try {
    return { child, url: await addressOf(child), pid: child.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resident memory of processes, in megabytes. */
export function memoryMb(processes: readonly Started[]): number {
  const of = ({ pid }: Started) => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  return processes.reduce((sum, one) => sum + of(one) / 1024, 0);
}

/** Ends the process, at once when it does not go by itself; also when the bench is interrupted. */
export function endOf(child: ChildProcess): () => Promise<void> {
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return async () => {
    const patience = setTimeout(kill, 10_000);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await exited;
    }
    clearTimeout(patience);
    process.off('exit', kill);
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const give = (why: string) => reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${output.slice(-2_000)}`));
    const patience = setTimeout(() => give('did not say where it listens'), PATIENCE_MS);
    const look = (chunk: Buffer) => {
      // Read on to the end, or the process would stand still; what comes after the address is let go.
      if (output === '\0') return;
      output += chunk;
      const found = LISTENS.exec(output);
      if (found === null) return;
      clearTimeout(patience);
      output = '\0';
      resolve(found[1] ?? found[2] ?? '');
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', () => {
      clearTimeout(patience);
      give('ended');
    });
  });
}

/** The folder of the repository: the bench runs compiled, from a build folder. */
export function repository(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return folder;
}
