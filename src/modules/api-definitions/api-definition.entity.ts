import { defineEntity, p } from '@mikro-orm/core';
import { ConnectionEntity } from '../connections/connection.entity.js';
import { Project } from '../projects/project.js';

/** An imported OpenAPI document. */
export const ApiDefinitionEntity = defineEntity({
  name: 'ApiDefinition',
  tableName: 'api_definition',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('api_definition_project_id_fkey'),
    name: p.text(),
    title: p.text().default(''),
    version: p.text().default(''),
    /** Null: the document was pasted. */
    sourceUrl: p.text().nullable(),
    /** Without a trailing slash. Empty: that of the connection. */
    baseUrl: p.text().default(''),
    connection: () =>
      p
        .manyToOne(ConnectionEntity)
        .nullable()
        .deleteRule('set null')
        .foreignKeyName('api_definition_connection_id_fkey'),
    operationsCount: p.integer().default(0),
    skippedOperations: p.array(String).columnType('text[]').defaultRaw(`'{}'`),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'api_definition_of_project', properties: ['project', 'name'] }],
  indexes: [{ name: 'api_definition_of_connection', properties: ['connection'] }],
});
