import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ProjectMember } from '../../src/modules/projects/members/project-member.js';
import { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { databaseUrl, TEMPLATE_DATABASE } from './config.js';
import { refuseSecondConnections } from './transactions/second-connections.js';

refuseSecondConnections();

/** Key of the list of databases that this test file created. Its environment drops them; see scripts/jest/file-databases.cjs. */
const CREATED = Symbol.for('scenarium.databases');
const globals = globalThis as unknown as Record<symbol, string[]>;
globals[CREATED] ??= [];

/** In memory, file copies need a third of the CPU time of copies through the WAL. On a disk they need more. */
const COPY =
  process.env.TEST_IN_MEMORY === 'yes'
    ? { options: '-c file_copy_method=clone', strategy: 'strategy file_copy' }
    : { options: '', strategy: '' };

/** Creates a database from the migrated template. */
export async function createDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  globals[CREATED]?.push(name);
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL as string, options: COPY.options });
  await client.connect();
  await client.query(`create database ${name} template ${TEMPLATE_DATABASE} ${COPY.strategy}`);
  await client.end();
  return name;
}

/** A database, by default a new one, for tests that only execute statements, without the service. */
export async function openDatabase(name?: string): Promise<Database> {
  return openDatabaseAt(databaseUrl(name ?? (await createDatabase())));
}

export function openDatabaseAt(url: string): Promise<Database> {
  // MikroORM requires at least one entity; the tests do not use it.
  return Database.open({ url, entities: [ProjectMember], migrations: [], log: createLog('silent') });
}
