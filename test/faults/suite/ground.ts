import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Cluster, startCluster } from './cluster.js';
import { Random } from './random.js';
import { startTicketUpstream, type TicketUpstream } from './ticket-upstream.js';

export const ADMIN_KEY = 'sk-faults-administrator-key-0123456789';
export const SECRET = 'of the faults suite alone, 32 characters or more';

/** What a procedure is given. */
export interface Context {
  seed: number;
  /** 1: as often as the task of the suite says. */
  scale: number;
  /** A number of the full scale at this one, at least `least`. */
  scaled(full: number, least?: number): number;
  /** Whether FAULTS_MINUTES have passed: a procedure then ends with what it has done. */
  isLate(): boolean;
  say(line: string): void;
}

/** What a procedure stands on: PostgreSQL, the stub upstream, and the environment of processes. */
export interface Ground {
  random: Random;
  folder: string;
  cluster: Cluster;
  upstream: TicketUpstream;
  /** Of a process of the product on the database of this ground. */
  environment: Record<string, string>;
  sql<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** `before` is done when nothing runs any more, and before the folder goes. */
  close(before?: () => void): Promise<void>;
}

/** Most milliseconds that the upstream takes to answer. */
const SLOWEST_MS = 80;

/** `prepare` is given the folder before anything lies in it. */
export async function layGround({ seed }: Context, prepare?: (folder: string) => void): Promise<Ground> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-faults-'));
  await chmod(folder, 0o755);
  prepare?.(folder);
  const random = new Random(seed);
  // Answers take their time by a sequence of their own: what is killed when does not depend on them.
  const pace = new Random(seed ^ 0x5eed);
  const cluster = await startCluster(folder);
  const upstream = await startTicketUpstream(() => pace.between(1, SLOWEST_MS));
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

export async function createDatabase(server: string, template = 'template1'): Promise<string> {
  const name = `faults_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  return name;
}

export function environmentOf(databaseUrl: string, folder: string, upstream: string): Record<string, string> {
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
