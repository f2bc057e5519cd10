import 'reflect-metadata';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startService } from '../../src/app.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { createLog } from '../../src/platform/logging/log.js';
import { TEMPLATE_DATABASE, testConfig } from './config.js';

/** Starts one PostgreSQL for the whole run, with a migrated template that each test file copies. */
export default async function globalSetup(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'scenarium-jest-'));
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  process.env.TEST_POSTGRES_URL = postgres.url;
  process.env.TEST_DATA_DIR = dataDir;
  (globalThis as Record<string, unknown>).__stopPostgres = () => postgres.stop();

  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${TEMPLATE_DATABASE}`);
  await client.end();
  const config = testConfig(TEMPLATE_DATABASE, { role: 'api' });
  const service = await startService(config, createLog('silent'));
  await service.stop();
}
