import { defineEntity, p } from '@mikro-orm/core';
import { RecognitionRunEntity } from './recognition-run.entity.js';

/** A chunk of a document's text, with its full-text search vector. */
export const RecognitionChunkEntity = defineEntity({
  name: 'RecognitionChunk',
  tableName: 'recognition_chunk',
  properties: {
    id: p.integer().primary().autoincrement(),
    run: () => p.manyToOne(RecognitionRunEntity).deleteRule('cascade').foreignKeyName('recognition_chunk_run_id_fkey'),
    index: p.integer(),
    text: p.text(),
    tokens: p.integer(),
    page: p.integer().nullable(),
    isEnabled: p.boolean().default(true),
    createdAt: p.datetime(3).defaultRaw('now()'),
    search: p.text().columnType('tsvector').generated(`(to_tsvector('simple'::regconfig, text)) stored`),
  },
  indexes: [{ name: 'recognition_chunk_search', properties: ['search'], type: 'gin' }],
  uniques: [{ name: 'recognition_chunk_run_id_index_key', properties: ['run', 'index'] }],
});
