import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';

/** A PostgreSQL on which the bench makes databases of its own. */
export interface Databases {
  /** For the files of services and of the cluster. */
  folder: string;
  /** A fresh database; answers its URL. */
  create(): Promise<string>;
  /** Drops what was made, and stops a cluster that was started for it. */
  close(): Promise<void>;
}

/** On the server at `url`, or without one on an embedded PostgreSQL with durable commits. */
export async function openDatabases(url?: string): Promise<Databases> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-bench-'));
  await chmod(folder, 0o755);
  const embedded = url === undefined ? await startEmbeddedPostgres({ dataDir: folder, durable: true }) : undefined;
  const server = url ?? embedded!.url;
  const made: string[] = [];
  return {
    folder,
    async create() {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      await statements(server, [`create database ${name}`]);
      made.push(name);
      const own = new URL(server);
      own.pathname = `/${name}`;
      return own.href;
    },
    async close() {
      if (embedded === undefined)
        await statements(
          server,
          made.map(name => `drop database ${name} with (force)`),
        );
      await embedded?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One after the other, each in a transaction of its own. */
export async function statements(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}
