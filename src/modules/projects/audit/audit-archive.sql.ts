import type { Sql } from '../../../platform/database/database.js';

export const ARCHIVE_PAGE = 1_000;

/** An entry of the audit log as it leaves the database: one line of JSON each. */
export interface ArchivedEntry {
  id: string;
  line: string;
}

const READ = `
  select e.id, json_build_object(
      'id', e.id, 'created_at', e.created_at, 'action', e.action, 'user', e.user_id, 'user_email', e.user_email, 'via', e.via,
      'address', e.address, 'object_type', e.object_type, 'object_id', e.object_id, 'project', e.project_id,
      'detail', e.detail)::text as line
    from audit_entry e
   where e.created_at < $1 and ($2::uuid is null or (e.created_at, e.id) > ($3::timestamptz, $2))
   order by e.created_at, e.id limit ${ARCHIVE_PAGE}`;

/** A page of entries before a moment, oldest first, behind `last`. Raw, because PostgreSQL writes the JSON of a line. */
export function readArchivedEntries(
  sql: Sql,
  before: Date,
  last: { id: string; at: string } | undefined,
): Promise<ArchivedEntry[]> {
  return sql.query(READ, [before, last?.id ?? null, last?.at ?? null]);
}
