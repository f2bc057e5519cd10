import { defineEntity, p } from '@mikro-orm/core';

/** Stored files that no document has, and when they may be removed. */
export const DocumentFileRemovalEntity = defineEntity({
  name: 'DocumentFileRemoval',
  tableName: 'document_file_removal',
  properties: {
    resultFile: p.text().primary(),
    dueAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [{ name: 'document_file_removal_due', properties: ['dueAt'] }],
});
