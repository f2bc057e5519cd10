import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';

/** An uploaded document. `result_file` is the storage key of its file. */
export const DocumentEntity = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('document_project_id_fkey'),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('document_created_by_id_fkey'),
    key: p.text(),
    filename: p.text(),
    resultFile: p.text(),
    contentType: p.text(),
    size: p.bigint('number'),
    sha256: p.blob().$type<Buffer>(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'document_created_by', properties: ['createdBy'] },
    { name: 'document_of_project', properties: ['project', 'id'] },
    { name: 'document_project_history', properties: ['project', 'createdAt', 'id'] },
  ],
  uniques: [{ name: 'document_result_file_key', properties: ['resultFile'] }],
});
