import { defineEntity, p } from '@mikro-orm/core';
import { DocumentEntity } from './document.entity.js';

/** The documents of an upload that has an idempotency key. The primary key prevents a repetition from creating them again. */
export const DocumentUploadEntity = defineEntity({
  name: 'DocumentUpload',
  tableName: 'document_upload',
  properties: {
    /** Derived from the idempotency key of the upload. All its documents have the same. */
    id: p.uuid().primary(),
    /** The position of the file in the upload, from 1. */
    place: p.smallint().primary(),
    document: () =>
      p.manyToOne(DocumentEntity).deleteRule('cascade').foreignKeyName('document_upload_document_id_fkey'),
  },
  uniques: [{ name: 'document_upload_document_id_key', properties: ['document'] }],
});
