import type { SearchHit } from '../../engine/ports.js';
import type { Sql } from '../../platform/database/database.js';

// Finds chunks with any of the words; chunks with all words come first. ts_rank 1 | 32 normalizes the score by length and
// scales it to 0-1. `distinct on` removes equal texts from several runs of a document.
const SEARCH = `
  with search_query as (
    select plainto_tsquery('simple', $2) as every,
           replace(plainto_tsquery('simple', $2)::text, ' & ', ' | ')::tsquery as any),
  found as (
    select distinct on (r.document_id, md5(c.text))
           c.id, r.document_id as document, d.filename, c.page, c.text, c.search @@ a.every as "hasAll",
           ts_rank(c.search, a.any, 1 | 32)::float8 as score
      from search_query a, recognition_chunk c
      join recognition_run r on r.id = c.run_id
      join document d on d.id = r.document_id
     where r.project_id = $1 and r.state = 'finished' and c.is_enabled and c.search @@ a.any
       and ($3::int[] is null or r.document_id = any($3))
     order by r.document_id, md5(c.text), c.id)
  select document, filename, page, text, score from found order by "hasAll" desc, score desc, id limit $4`;

/** The best chunks of a project for a query; `documentIds` null searches all documents. */
export function searchChunks(
  sql: Sql,
  search: { projectId: number; query: string; documentIds: readonly number[] | null; limit: number },
): Promise<SearchHit[]> {
  return sql.query<SearchHit>(SEARCH, [search.projectId, search.query, search.documentIds, search.limit]);
}
