import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.js';
import { freePort } from '../../support/processes/postgres-server.js';

/** A PostgreSQL with durable commits that can be stopped without a clean shutdown, and restarts on the same port. */
export interface Cluster {
  /** URL of the database `postgres`. */
  url: string;
  urlOf(database: string): string;
  /**
   * `quick`: an immediate shutdown, as of `pg_ctl -m immediate`; `dead`: the postmaster is killed, and its children
   * notice.
   */
  crash(how: 'quick' | 'dead'): Promise<void>;
  /** Starts it again. Resolves when it accepts connections. */
  start(): Promise<void>;
  /** Starts it and crashes it `afterMs` later, most likely during recovery. */
  crashInRecovery(afterMs: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(dataDir: string): Promise<Cluster> {
  const port = await freePort();
  const start = () => startEmbeddedPostgres({ dataDir, durable: true, port });
  let running: EmbeddedPostgres = await start();
  const { url } = running;
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
  /** The process id of the postmaster. Undefined while none runs or starts. */
  const readPid = () => {
    try {
      const text = readFileSync(pidFile, 'utf8');
      return /^\d+/.test(text) ? Number.parseInt(text, 10) : undefined;
    } catch {
      return undefined;
    }
  };
  // No process may outlive the suite, however the suite ends.
  const killOnExit = () => {
    const postmaster = readPid();
    if (postmaster !== undefined) signal(postmaster, 'SIGQUIT');
  };
  process.once('exit', killOnExit);
  const crash = async (how: 'quick' | 'dead') => {
    const postmaster = readPid();
    if (postmaster === undefined) return;
    signal(postmaster, how === 'quick' ? 'SIGQUIT' : 'SIGKILL');
    while (isAlive(postmaster)) await delay(5);
  };
  return {
    url,
    urlOf(database) {
      const databaseUrl = new URL(url);
      databaseUrl.pathname = `/${database}`;
      return databaseUrl.href;
    },
    crash,
    async start() {
      for (let attempt = 1; ; attempt++) {
        try {
          running = await start();
          await assertReachable(url);
          return;
        } catch (error) {
          // A postmaster that was killed during startup leaves children that hold its shared memory for a moment.
          if (attempt === 20) throw error;
          await delay(100);
        }
      }
    },
    async crashInRecovery(afterMs) {
      const starting = start().then(
        () => {},
        () => {},
      );
      await delay(afterMs);
      await crash('dead');
      await starting;
      await crash('dead');
    },
    async stop() {
      process.off('exit', killOnExit);
      await running.stop();
    },
  };
}

async function assertReachable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  await client.query('select 1');
  await client.end();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
