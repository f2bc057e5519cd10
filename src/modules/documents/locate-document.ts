import type { Sql } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import { anyInt, type QueryCreator, queryBuilder } from '../../platform/database/typed-queries.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, viewersRole } from '../projects/access.js';
import type { Action } from '../projects/rights.js';
import { DOCUMENT_COLUMNS, type Document } from './document.js';
import type { DocumentTables } from './document-tables.js';

const READ_DOCUMENT = keyedQuery(
  'document',
  (tables: QueryCreator<DocumentTables>, value: Placeholder<{ id: number; userId: number; isAdmin: boolean }>) =>
    tables
      .selectFrom('document')
      .select(DOCUMENT_COLUMNS)
      .select(viewersRole({ userId: value('userId'), isAdmin: value('isAdmin') }, 'document.project_id').as('role'))
      .where('id', '=', value('id')),
);

/**
 * Returns a document that the viewer may do `action` with. Every access to a document by id uses this check.
 * @throws NotFoundError when the viewer cannot read it, ForbiddenError when the role does not allow `action`.
 */
export async function locateDocument(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<Document> {
  const [row] = await READ_DOCUMENT(sql, { id, userId: viewer.userId, isAdmin: viewer.isAdmin });
  assertAllowed(row?.role ?? null, action);
  const { role: _, ...document } = row!;
  return document;
}

/** The documents with these ids, in any order. */
export function readDocuments(sql: Sql, ids: readonly number[]): Promise<Document[]> {
  return queryBuilder<DocumentTables>(sql)
    .selectFrom('document')
    .select(DOCUMENT_COLUMNS)
    .where('id', '=', anyInt(ids))
    .execute();
}
