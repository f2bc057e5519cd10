import { type ExpressionBuilder, expression, type Table } from '../../platform/database/typed-queries.js';
import type { DocumentEntity } from '../documents/document.entity.js';
import type { RecognitionChunkEntity } from './recognition-chunk.entity.js';
import type { RecognitionRunEntity } from './recognition-run.entity.js';

export interface RecognitionTables {
  recognition_run: Table<typeof RecognitionRunEntity>;
  /** Excludes the generated column, which only the full-text search reads. */
  recognition_chunk: Omit<Table<typeof RecognitionChunkEntity>, 'search'>;
  /** Read-only in this module. */
  document: Table<typeof DocumentEntity>;
}

/** The columns of `recognition_run`, named as the members of a RecognitionRun. */
export function recognitionRunColumns({ cast, fn, ref }: ExpressionBuilder<RecognitionTables, 'recognition_run'>) {
  const progress = fn<number>('round', [cast(ref('recognition_run.progress'), 'numeric'), expression`3`]);
  return [
    'recognition_run.id' as const,
    'recognition_run.project_id as projectId' as const,
    'recognition_run.document_id as documentId' as const,
    'recognition_run.state as status' as const,
    'recognition_run.chunk_size as chunkSize' as const,
    'recognition_run.chunks_count as chunksCount' as const,
    cast<number>(progress, 'float8').as('progress'),
    cast<number>(ref('recognition_run.cost_usd'), 'float8').as('cost'),
    'recognition_run.error' as const,
    'recognition_run.created_at as createdAt' as const,
    'recognition_run.updated_at as updatedAt' as const,
  ];
}

/** The columns of `recognition_chunk`, named as the members of a RecognitionChunk. */
export function chunkColumns({ fn }: ExpressionBuilder<RecognitionTables, 'recognition_chunk'>) {
  return [
    'recognition_chunk.id' as const,
    'recognition_chunk.run_id as recognitionRunId' as const,
    'recognition_chunk.index' as const,
    fn<number>('octet_length', ['recognition_chunk.text']).as('bytes'),
    'recognition_chunk.tokens' as const,
    'recognition_chunk.page' as const,
    'recognition_chunk.is_enabled as isEnabled' as const,
    'recognition_chunk.created_at as createdAt' as const,
  ];
}
