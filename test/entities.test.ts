import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityMetadata } from '@mikro-orm/core';
import { ENTITIES } from '../src/modules/registry.js';
import { Database } from '../src/platform/database/database.js';
import { createLog } from '../src/platform/logging/log.js';
import { databaseUrl } from './support/config.js';
import { createDatabase } from './support/database.js';

/** Tables that belong to no module. */
const SKIPPED_TABLES = [
  // MikroORM's own list of the migrations that ran.
  'mikro_orm_migrations',
  // What `migrate --allow-newer` accepted: platform/database reads it before it knows the schema.
  'accepted_migration',
];

/**
 * Foreign keys that point to a table of a module above, or back within a module. Relations of entities point down only: an
 * entity that named the table above would import it.
 */
const UPWARD_FOREIGN_KEYS = [
  ['billing_credit', 'billing_credit_workflow_id_fkey'],
  ['message', 'message_of_scenario_run'],
  ['prompt', 'prompt_of_scenario_run'],
  ['scenario', 'scenario_of_scenario_run'],
  ['variable', 'variable_of_scenario_run'],
  ['workflow', 'workflow_market_terms_id_fkey'],
  ['workflow', 'workflow_published_revision_id_foreign'],
  ['workflow', 'workflow_revision_id_foreign'],
];

const ALLOWED = UPWARD_FOREIGN_KEYS.map(([table, key]) => `alter table "${table}" drop constraint "${key}";`);

let database: Database;

beforeAll(async () => {
  const url = databaseUrl(await createDatabase());
  database = await Database.open({ url, entities: [...ENTITIES], migrations: [], log: createLog('silent') });
  database.orm.config.set('schemaGenerator', {
    ...database.orm.config.get('schemaGenerator'),
    skipTables: SKIPPED_TABLES,
    // Written in migrations, in PL/pgSQL: no code would execute a copy of them in an entity.
    ignoreTriggers: true,
    ignoreRoutines: true,
  });
});

afterAll(() => database.close());

/** The statements that would convert the migrated schema to the one that the entities declare. */
async function differences(): Promise<string[]> {
  const sql = await database.orm.schema.getUpdateSchemaSQL({ safe: false });
  return sql.split('\n').filter(line => line !== '' && !line.startsWith('set names'));
}

function entities(): EntityMetadata[] {
  return [...database.orm.getMetadata().getAll().values()];
}

describe('the entities', () => {
  it('declare the migrated schema', async () => {
    expect((await differences()).sort()).toEqual(ALLOWED.sort());
  });

  it('declare each table once', () => {
    const tables = entities().map(({ tableName }) => tableName);
    expect(tables).toEqual([...new Set(tables)]);
  });

  /** MikroORM compares an index that is declared by an expression by its name only. */
  it('declare each index expression as PostgreSQL has it', async () => {
    const indexes = entities().flatMap(({ indexes, uniques }) => [...indexes, ...uniques]);
    const declared = indexes.flatMap(({ name, expression }) => (expression ? [[name!, expression as string]] : []));
    const rows = await database.query<{ name: string; definition: string }>(
      'select indexname as name, indexdef as definition from pg_indexes where indexname = any($1::text[])',
      [declared.map(([name]) => name)],
    );
    const stored = Object.fromEntries(rows.map(({ name, definition }) => [name, normalized(definition)]));
    expect(Object.fromEntries(declared.map(([name, text]) => [name, normalized(text!)]))).toEqual(stored);
  });

  /** Changes the database that the other tests read, so it must stay the last one. */
  it('differ from a schema in which a column was renamed', async () => {
    await database.query('alter table keyword_cluster rename column position to place');
    const renamed = 'alter table "keyword_cluster" rename column "place" to "position";';
    expect(await differences()).toContain(renamed);
  });
});

/** An index definition without what PostgreSQL adds when it prints one. */
function normalized(definition: string): string {
  return definition
    .toLowerCase()
    .replace(/\bpublic\.| using btree|::\w+(\[\])?|\bonly /g, '')
    .replace(/= any \(array\[([^\]]*)\]\)/, 'in ($1)')
    .replace(/ where \((.*)\)$/, ' where $1');
}
