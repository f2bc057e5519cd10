import { defineEntity, p } from '@mikro-orm/core';
import { DocumentEntity } from './document.entity.js';

/** Documents of an upload with an idempotency key, so that two tries create them once. */
export const DocumentUploadEntity = defineEntity({
  name: 'DocumentUpload',
  tableName: 'document_upload',
  properties: {
    id: p.uuid().primary(),
    place: p.smallint().primary(),
    document: () =>
      p.manyToOne(DocumentEntity).deleteRule('cascade').foreignKeyName('document_upload_document_id_fkey'),
  },
  uniques: [{ name: 'document_upload_document_id_key', properties: ['document'] }],
});
