import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** The sums of a project's entries. Each change locks this row, which serializes the changes of a project. */
export const KeyValueStoreEntity = defineEntity({
  name: 'KeyValueStore',
  tableName: 'key_value_store',
  properties: {
    project: () =>
      p
        .manyToOne(Project)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('key_value_store_project_id_fkey'),
    /** The version of the last change in the project. */
    version: p.bigint('number').defaultRaw('0'),
    entries: p.integer().defaultRaw('0'),
    bytes: p.bigint('number').defaultRaw('0'),
  },
});

/** A value of a project. */
export const KeyValueEntryEntity = defineEntity({
  name: 'KeyValueEntry',
  tableName: 'key_value_entry',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('key_value_entry_project_id_fkey'),
    key: p.text().collation('C'),
    value: p.json<unknown>().columnType('json'),
    /** UTF-8 bytes of key and value. */
    bytes: p.integer(),
    version: p.bigint('number'),
    expiresAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'key_value_entry_of_project', properties: ['project', 'key'] }],
  indexes: [{ name: 'key_value_entry_expiry', properties: ['expiresAt'], where: 'expires_at is not null' }],
});

/** The outcome of a change by a run. Its id derives from the idempotency key of the node. */
export const KeyValueChangeEntity = defineEntity({
  name: 'KeyValueChange',
  tableName: 'key_value_change',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('key_value_change_project_id_fkey'),
    outcome: p.json<unknown>().columnType('json'),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'key_value_change_by_age', properties: ['createdAt'] },
    { name: 'key_value_change_of_project', properties: ['project'] },
  ],
});
