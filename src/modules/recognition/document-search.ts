import { PortError, type SearchHit, type SearchPort } from '../../engine/ports.js';
import type { Database } from '../../platform/database/database.js';
import { anyInt, queryBuilder, rowCount } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { DOES_NOT_EXIST } from '../projects/parts/part-scope.js';
import { searchChunks } from './document-search.sql.js';
import type { RecognitionTables } from './recognition-tables.js';

export interface SearchQuery {
  query: string;
  /** Null searches all documents of the project. */
  documentIds: readonly number[] | null;
  limit: number;
}

const MAX_QUERY = 2000;
const MAX_LIMIT = 50;
const MAX_DOCUMENTS = 1000;

/** Full-text search in the enabled chunks of the finished recognition runs of a project. */
export class DocumentSearch {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** Returns the best chunks first. A document of another project is rejected like one that does not exist. */
  async search(viewer: Viewer, projectId: number, search: SearchQuery): Promise<SearchHit[]> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const { query, documentIds, limit } = search;
    const faults = new Faults();
    faults.text('query', query, { min: 1, max: MAX_QUERY });
    faults.integer('limit', limit, { min: 1, max: MAX_LIMIT });
    if ((documentIds?.length ?? 0) > MAX_DOCUMENTS)
      faults.add('documentIds', `Ensure this list has no more than ${MAX_DOCUMENTS} documents.`);
    faults.throwIfAny();
    if (!(await this.#hasDocuments(projectId, documentIds)))
      throw new InvalidInputError({ documentIds: [DOES_NOT_EXIST] });
    return this.#find(projectId, search);
  }

  /** The search port of a run: it finds only documents of the run's project. */
  of(projectId: number): SearchPort {
    return {
      search: async ({ query, documentIds, limit }) => {
        if (!(await this.#hasDocuments(projectId, documentIds)))
          throw new PortError('unknown_document', 'document_ids names a document that the project does not have');
        return this.#find(projectId, { query: query.slice(0, MAX_QUERY), documentIds, limit });
      },
    };
  }

  #find(projectId: number, { query, documentIds, limit }: SearchQuery): Promise<SearchHit[]> {
    return searchChunks(this.database, { projectId, query, documentIds, limit });
  }

  async #hasDocuments(projectId: number, documentIds: readonly number[] | null): Promise<boolean> {
    if (documentIds === null || documentIds.length === 0) return true;
    const distinctIds = new Set(documentIds);
    const { count } = await queryBuilder<RecognitionTables>(this.database)
      .selectFrom('document')
      .select(rowCount().as('count'))
      .where('project_id', '=', projectId)
      .where('id', '=', anyInt([...distinctIds]))
      .executeTakeFirstOrThrow();
    return count === distinctIds.size;
  }
}
