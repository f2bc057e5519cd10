import { defineEntity, p } from '@mikro-orm/core';
import type { Viewer } from './viewer.js';

/** One row of the audit log. It has no foreign keys, because an entry outlives the objects it names. */
export const AuditEntryEntity = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.uuid().primary(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    action: p.text(),
    userId: p.integer().nullable(),
    userEmail: p.text().nullable(),
    via: p.text().$type<Viewer['via']>(),
    address: p.text().nullable(),
    objectType: p.text(),
    objectId: p.text(),
    projectId: p.integer().nullable(),
    detail: p.json<unknown>().columnType('json'),
  },
  indexes: [
    { name: 'audit_entry_by_time', properties: ['createdAt', 'id'] },
    { name: 'audit_entry_of_project', properties: ['projectId', 'createdAt', 'id'] },
    { name: 'audit_entry_of_user', properties: ['userId', 'createdAt', 'id'] },
  ],
});
