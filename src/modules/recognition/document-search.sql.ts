import type { SearchHit } from '../../engine/ports.js';
import type { Sql } from '../../platform/database/database.js';

// Chunks that hold any of the words, those that hold all of them first, by how often and how near to each other they
// do. The same text found twice (in two runs of a document) counts once.
const SEARCH = `
  with asked as (
    select plainto_tsquery('simple', $2) as every,
           replace(plainto_tsquery('simple', $2)::text, ' & ', ' | ')::tsquery as any),
  found as (
    select distinct on (r.document_id, md5(c.text))
           c.id, r.document_id as document, d.filename, c.page, c.text, c.search @@ a.every as "hasAll",
           ts_rank(c.search, a.any, 1 | 32)::float8 as score
      from asked a, recognition_chunk c
      join recognition_run r on r.id = c.run_id
      join document d on d.id = r.document_id
     where r.project_id = $1 and r.state = 'finished' and c.is_enabled and c.search @@ a.any
       and ($3::int[] is null or r.document_id = any($3))
     order by r.document_id, md5(c.text), c.id)
  select document, filename, page, text, score from found order by "hasAll" desc, score desc, id limit $4`;

/** The best chunks of a project for a query; `documentIds` null: of all its documents. */
export function searchChunks(
  sql: Sql,
  search: { projectId: number; query: string; documentIds: readonly number[] | null; limit: number },
): Promise<SearchHit[]> {
  return sql.query<SearchHit>(SEARCH, [search.projectId, search.query, search.documentIds, search.limit]);
}
