import { expression, type QueryCreator, type SelectQueryBuilder } from '../../platform/database/typed-queries.js';
import { type PageValue, preparedPage } from '../../platform/lists/counted-page.js';
import { toContainsPattern } from '../../platform/lists/page.js';
import { timeWithin } from '../../platform/lists/time-filter.input.js';
import { isVisible, type ViewerParameters } from '../projects/access.js';
import { type DocumentFilter, DocumentOrder } from './document.inputs.js';
import { DOCUMENT_COLUMNS, type Document } from './document.js';
import type { DocumentTables } from './document-tables.js';

/** Ties are ordered by id, in the same direction. */
const ORDERS = {
  [DocumentOrder.CREATED_AT_ASC]: ['document.created_at', 'asc'],
  [DocumentOrder.CREATED_AT_DESC]: ['document.created_at', 'desc'],
  [DocumentOrder.FILENAME_ASC]: ['document.filename', 'asc'],
  [DocumentOrder.FILENAME_DESC]: ['document.filename', 'desc'],
  [DocumentOrder.SIZE_ASC]: ['document.size', 'asc'],
  [DocumentOrder.SIZE_DESC]: ['document.size', 'desc'],
} as const;

/** Selects the documents that a viewer can read, in a given order. */
export function visibleDocuments(
  tables: QueryCreator<DocumentTables>,
  viewer: ViewerParameters,
  order: DocumentOrder,
): SelectQueryBuilder<DocumentTables, 'document', Document> {
  const [column, direction] = ORDERS[order];
  return tables
    .selectFrom('document')
    .select(DOCUMENT_COLUMNS)
    .where(isVisible(viewer, 'document.project_id'))
    .orderBy(column, direction)
    .orderBy('document.id', direction);
}

/** Restricts documents to those that match every condition of a valid filter. */
export function filterDocuments(
  documents: ReturnType<typeof visibleDocuments>,
  filter: DocumentFilter,
): ReturnType<typeof visibleDocuments> {
  const { projectId, filenameContains, contentType, minSize, maxSize } = filter;
  let found = documents.where(({ and }) => and(timeWithin(filter, 'document.created_at')));
  if (projectId != null) found = found.where('project_id', '=', projectId);
  if (filenameContains) found = found.where('filename', 'ilike', toContainsPattern(filenameContains));
  if (contentType?.endsWith('/'))
    found = found.where(({ fn, val }) => fn<boolean>('starts_with', ['content_type', val(contentType)]));
  else if (contentType) found = found.where('content_type', '=', contentType);
  if (minSize != null) found = found.where('size', '>=', minSize);
  if (maxSize != null) found = found.where('size', '<=', maxSize);
  return found;
}

/** Queries for pages of the documents that a viewer can read, by sort order. Queries for administrators check no membership. */
export const DOCUMENT_PAGES = Object.fromEntries(
  Object.values(DocumentOrder).map(order => [
    order,
    { ofAdmin: preparePage(order, true), ofMember: preparePage(order, false) },
  ]),
) as Record<DocumentOrder, Record<'ofAdmin' | 'ofMember', ReturnType<typeof preparePage>>>;

function preparePage(order: DocumentOrder, isAdmin: boolean) {
  return preparedPage(
    `documents ${order}${isAdmin ? '-admin' : ''}`,
    (tables: QueryCreator<DocumentTables>, value: PageValue<{ userId: number }>) =>
      visibleDocuments(
        tables,
        { userId: expression<number>`${value('userId')}::int`, isAdmin: expression.lit(isAdmin) },
        order,
      ),
  );
}
