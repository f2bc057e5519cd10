import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../src/cli/run-cli.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { INHERITED } from '../support/inherited.js';

export interface ExitResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A compiled entry of the product, such as `cli.js`, in a separate process. */
export class CompiledEntry {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<ExitResult>;

  constructor(file: string, args: string[], environment: Record<string, string>) {
    // The service itself is the bundle that is shipped: it starts in half the time of its modules.
    const entry = fileURLToPath(new URL(file === 'main.js' ? '../../main.js' : `../../src/${file}`, import.meta.url));
    this.child = spawn(process.execPath, ['--enable-source-maps', entry, ...args], {
      env: { ...INHERITED, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', chunk => {
      this.stdout += chunk;
    });
    this.child.stderr?.on('data', chunk => {
      this.stderr += chunk;
    });
    this.ended = once(this.child, 'close').then(([code]) => ({ code, stdout: this.stdout, stderr: this.stderr }));
  }

  /** Resolves when its standard output matches; rejects when it ends before. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    const ended = this.ended.then(({ stderr }) => {
      throw new Error(`it ended before it printed ${pattern}: ${this.stdout}${stderr}`);
    });
    ended.catch(() => {});
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found) return found;
      await Promise.race([once(this.child.stdout as NodeJS.ReadableStream, 'data'), ended]);
    }
  }

  end(signal: NodeJS.Signals): Promise<ExitResult> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended;
  }
}

/** Executes a command line in this process, with the code that `cli.js` calls. */
export async function cli(args: string[], environment: Record<string, string> = {}): Promise<ExitResult> {
  let stdout = '';
  let stderr = '';
  const code = await runCli(args, {
    env: { ...INHERITED, ...environment },
    print: text => {
      stdout += `${text}\n`;
    },
    printError: text => {
      stderr += `${text}\n`;
    },
  });
  return { code, stdout, stderr };
}

/** Executes a command line in a separate process. */
export function cliProcess(args: string[], environment: Record<string, string> = {}): Promise<ExitResult> {
  return new CompiledEntry('cli.js', args, environment).ended;
}

export const newDataDir = () => mkdtemp(path.join(tmpdir(), 'scenarium-entry-'));

/** Whether a PostgreSQL runs on the data folder. */
export const holdsPostgres = (dataDir: string) => existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'));

/** Stops the PostgreSQL that a failed test may have left running on the folder, then removes the folder. */
export async function removeDataDir(dataDir: string): Promise<void> {
  if (holdsPostgres(dataDir)) await (await startEmbeddedPostgres({ dataDir, durable: false })).stop();
  await rm(dataDir, { recursive: true, force: true });
}
