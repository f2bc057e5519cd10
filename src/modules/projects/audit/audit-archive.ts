import type { Database } from '../../../platform/database/database.js';
import { expression, queries } from '../../../platform/database/typed-queries.js';
import type { AccountTables } from '../../accounts/account-tables.js';
import { recordDeed } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import { ARCHIVE_PAGE, type ArchivedEntry, readArchivedEntries } from './audit-archive.sql.js';

/** Reads the audit log to be kept elsewhere, and removes what was written there. */
export class AuditArchive {
  constructor(private readonly database: Database) {}

  /** The entries before a moment, oldest first, in pages. Works beside a service: nothing is locked. */
  async *pages(before: Date): AsyncGenerator<ArchivedEntry[]> {
    let last: { id: string; at: string } | undefined;
    for (;;) {
      const rows: ArchivedEntry[] = await readArchivedEntries(this.database, before, last);
      if (rows.length > 0) yield rows.map(row => ({ ...row, line: row.line.replaceAll('\n', ' ') }));
      const end = rows.at(-1);
      if (!end || rows.length < ARCHIVE_PAGE) return;
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
    await queries<AccountTables>(this.database)
      .deleteFrom('audit_entry')
      .where('id', '=', ({ fn }) => fn.any(expression<string[]>`${entries.map(({ id }) => id)}::uuid[]`))
      .execute();
  }
}
