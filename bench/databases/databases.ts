import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';

/** A PostgreSQL server on which the benchmark creates its databases. */
export interface Databases {
  /** Folder for the files of services and of the cluster. */
  folder: string;
  /** Creates an empty database and returns its URL. */
  create(): Promise<string>;
  /** Drops the created databases, and stops the cluster if it was started for the benchmark. */
  close(): Promise<void>;
}

/** Uses the server at `url`. Default: an embedded PostgreSQL with durable commits. */
export async function openDatabases(url?: string): Promise<Databases> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-bench-'));
  await chmod(folder, 0o755);
  const embedded = url === undefined ? await startEmbeddedPostgres({ dataDir: folder, durable: true }) : undefined;
  const server = url ?? embedded!.url;
  const created: string[] = [];
  return {
    folder,
    async create() {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      await executeStatements(server, [`create database ${name}`]);
      created.push(name);
      const databaseUrl = new URL(server);
      databaseUrl.pathname = `/${name}`;
      return databaseUrl.href;
    },
    async close() {
      if (embedded === undefined)
        await executeStatements(
          server,
          created.map(name => `drop database ${name} with (force)`),
        );
      await embedded?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Executes statements in sequence, each in its own transaction. */
export async function executeStatements(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}

/** The SQL expression for the id of run number `n`. The ids have the order of `n`, like those of the service have that of time. */
export function runIdSql(n: string): string {
  return `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}
