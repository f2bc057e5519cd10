import { PortError, type SearchHit, type SearchPort } from '../../engine/ports.js';
import type { Database } from '../../platform/database/database.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';

export interface Search {
  query: string;
  /** Null: all documents of the project. */
  documentIds: readonly number[] | null;
  limit: number;
}

const MAX_QUERY = 2000;
const MAX_LIMIT = 50;
const MAX_DOCUMENTS = 1000;

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

/** Full-text search over the enabled chunks of a project's finished recognition runs, in any language. */
export class DocumentSearch {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** The best chunks first. Documents that are not the project's are refused, as if they were not there. */
  async search(viewer: Viewer, projectId: number, search: Search): Promise<SearchHit[]> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const { query, documentIds, limit } = search;
    const faults = new Faults();
    faults.text('query', query, { min: 1, max: MAX_QUERY });
    faults.integer('limit', limit, { min: 1, max: MAX_LIMIT });
    if ((documentIds?.length ?? 0) > MAX_DOCUMENTS)
      faults.add('documentIds', `Ensure this list has no more than ${MAX_DOCUMENTS} documents.`);
    faults.throwIfAny();
    if (!(await this.#holds(projectId, documentIds)))
      throw new InvalidInputError({ documentIds: ['Object does not exist.'] });
    return this.#find(projectId, search);
  }

  /** The search of a run: it has the rights of the run's project, and sees nothing beyond it. */
  of(projectId: number): SearchPort {
    return {
      search: async ({ query, documentIds, limit }) => {
        if (!(await this.#holds(projectId, documentIds)))
          throw new PortError('unknown_document', 'document_ids names a document that the project does not have');
        return this.#find(projectId, { query: query.slice(0, MAX_QUERY), documentIds, limit });
      },
    };
  }

  #find(projectId: number, { query, documentIds, limit }: Search): Promise<SearchHit[]> {
    return this.database.query<SearchHit>(SEARCH, [projectId, query, documentIds, limit]);
  }

  async #holds(projectId: number, documentIds: readonly number[] | null): Promise<boolean> {
    if (documentIds === null || documentIds.length === 0) return true;
    const asked = new Set(documentIds);
    const [row] = await this.database.query<{ count: number }>(
      'select count(*)::int as count from document where project_id = $1 and id = any($2)',
      [projectId, [...asked]],
    );
    return row!.count === asked.size;
  }
}
