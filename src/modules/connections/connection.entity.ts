import { defineEntity, p } from '@mikro-orm/core';
import type { ConnectionKind } from '../../engine/connections/kinds.js';
import { Project } from '../projects/project.js';

/** A connection: public settings, and credentials that are sealed. */
export const ConnectionEntity = defineEntity({
  name: 'Connection',
  tableName: 'connection',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('connection_project_id_fkey'),
    name: p.text(),
    kind: p.text().$type<ConnectionKind>(),
    preset: p.text().nullable(),
    settings: p.json<unknown>().defaultRaw(`'{}'`),
    /** The secret. Null: the kind needs none. */
    sealed: p.text().nullable(),
    allowedHosts: p.array(String).columnType('text[]').defaultRaw(`'{}'`),
    secretChangedAt: p.datetime(3).nullable(),
    /** The tokens of OAuth 2, sealed. Null: none, or another kind. */
    tokens: p.text().nullable(),
    /** When the access token is replaced, shortly before its expiry. Null: its lifetime is not known. */
    refreshAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'connection_of_project', properties: ['project', 'name'] }],
});
