import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Cluster, startCluster } from './cluster.js';
import { Random } from './random.js';
import { startTicketUpstream, type TicketUpstream } from './ticket-upstream.js';

export const ADMIN_KEY = 'sk-faults-administrator-key-0123456789';
const SECRET = 'only for the fault suite, 32 characters or more';

/** Settings of a procedure. */
export interface Context {
  seed: number;
  /** 1: the full number of repetitions. */
  scale: number;
  /** The full number `full` scaled by `scale`, at least `min` (default 1). */
  scaled(full: number, min?: number): number;
  /** Whether FAULTS_MINUTES have passed. A procedure then ends with the results it has. */
  isTimeUp(): boolean;
  /** Prints a line of progress. */
  log(line: string): void;
}

/** Infrastructure of a procedure: PostgreSQL, the stub upstream, and the environment of processes. */
export interface Fixture {
  random: Random;
  folder: string;
  cluster: Cluster;
  upstream: TicketUpstream;
  /** Environment of a Scenarium process that uses the database of this fixture. */
  environment: Record<string, string>;
  sql<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** `before` is called after all processes have ended and before the folder is deleted. */
  close(before?: () => void): Promise<void>;
}

/** Longest time in milliseconds that the upstream takes to answer. */
const SLOWEST_MS = 80;

/** `prepare` is called with the folder while the folder is empty. */
export async function createFixture({ seed }: Context, prepare?: (folder: string) => void): Promise<Fixture> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-faults-'));
  await chmod(folder, 0o755);
  prepare?.(folder);
  const random = new Random(seed);
  // The delays of answers use a separate random sequence, so that the kills do not depend on them.
  const delays = new Random(seed ^ 0x5eed);
  const cluster = await startCluster(folder);
  const upstream = await startTicketUpstream(() => delays.between(1, SLOWEST_MS));
  const url = cluster.urlOf(await createDatabase(cluster.url));
  const pool = new pg.Pool({ connectionString: url, max: 3, connectionTimeoutMillis: 5_000 });
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return {
    random,
    folder,
    cluster,
    upstream,
    environment: environmentOf(url, folder, upstream.origin),
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async close(before) {
      await pool.end();
      await upstream.stop();
      await cluster.stop();
      before?.();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createDatabase(server: string): Promise<string> {
  const name = `faults_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return name;
}

function environmentOf(databaseUrl: string, folder: string, upstream: string): Record<string, string> {
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATA_DIR: path.join(folder, 'service'),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'the password of the faults suite',
    ADMIN_API_KEY: ADMIN_KEY,
    JWT_SECRET: SECRET,
    SERVICE_TOKEN: SECRET,
    ENCRYPTION_KEY: SECRET,
    OPENAI_BASE_URL: `${upstream}/v1`,
    OPENAI_API_KEY: 'k',
    OUTBOUND_ALLOW: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
  };
}
