import type { Database } from '../../../platform/database/database.js';
import { recordDeed } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';

const PAGE = 1_000;

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
   order by e.created_at, e.id limit ${PAGE}`;

/** Reads the audit log to be kept elsewhere, and removes what was written there. */
export class AuditArchive {
  constructor(private readonly database: Database) {}

  /** The entries before a moment, oldest first, in pages. Works beside a service: nothing is locked. */
  async *pages(before: Date): AsyncGenerator<ArchivedEntry[]> {
    let last: { id: string; at: string } | undefined;
    for (;;) {
      const rows: ArchivedEntry[] = await this.database.query(READ, [before, last?.id ?? null, last?.at ?? null]);
      if (rows.length > 0) yield rows.map(row => ({ ...row, line: row.line.replaceAll('\n', ' ') }));
      const end = rows.at(-1);
      if (!end || rows.length < PAGE) return;
      last = { id: end.id, at: (JSON.parse(end.line) as { created_at: string }).created_at };
    }
  }

  /** Writes down who removes entries, before the first of them goes. */
  async recordPrune(viewer: Viewer, before: Date): Promise<void> {
    await recordDeed(this.database, viewer, {
      action: 'audit.prune',
      object: { type: 'audit-log', id: 0 },
      detail: { before: before.toISOString() },
    });
  }

  /** Removes entries that are safe elsewhere. */
  async remove(entries: readonly ArchivedEntry[]): Promise<void> {
    await this.database.query('delete from audit_entry where id = any($1::uuid[])', [entries.map(({ id }) => id)]);
  }
}
