import { defineEntity, p } from '@mikro-orm/core';

/** A stored file without a document, and the earliest time to remove it. */
export const DocumentFileRemovalEntity = defineEntity({
  name: 'DocumentFileRemoval',
  tableName: 'document_file_removal',
  properties: {
    resultFile: p.text().primary(),
    dueAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [{ name: 'document_file_removal_due', properties: ['dueAt'] }],
});
