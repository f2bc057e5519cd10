import { defineEntity, p } from '@mikro-orm/core';
import { ConnectionEntity } from './connection.entity.js';

/** The uses of a connection by one user in one workflow. Ids are 0 if there is no workflow or no user. */
export const ConnectionUseEntity = defineEntity({
  name: 'ConnectionUse',
  tableName: 'connection_use',
  properties: {
    id: p.integer().primary().autoincrement(),
    connection: () =>
      p.manyToOne(ConnectionEntity).deleteRule('cascade').foreignKeyName('connection_use_connection_id_fkey'),
    workflowId: p.integer().default(0),
    userId: p.integer().default(0),
    /** The last run. Null: a test. */
    runId: p.uuid().nullable(),
    firstUsedAt: p.datetime(3).defaultRaw('now()'),
    lastUsedAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'connection_use_of_workflow', properties: ['connection', 'workflowId', 'userId'] }],
  indexes: [{ name: 'connection_use_by_age', properties: ['lastUsedAt'] }],
});
