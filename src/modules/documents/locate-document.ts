import type { Sql } from '../../platform/database/database.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, roleSql } from '../projects/access.js';
import type { Action, ProjectRole } from '../projects/rights.js';
import { DOCUMENT_COLUMNS, type Document } from './document.js';

/** Finds a document if the viewer may do `action` with it, and throws otherwise. The one check of a document's id. */
export async function locateDocument(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<Document> {
  const [row] = await sql.query<Document & { role: ProjectRole | null }>(
    `select ${DOCUMENT_COLUMNS}, ${roleSql('d.project_id', '$2', '$3')} as role from document d where d.id = $1`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  const { role: _, ...document } = row!;
  return document;
}
