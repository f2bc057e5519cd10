import type { Database } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { AccountTables } from '../../accounts/account-tables.js';
import { deleteAuditEntries, recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';

const PAGE_SIZE = 1_000;

/** An entry of the audit log as one line of JSON. */
interface ArchivedEntry {
  id: string;
  line: string;
}

/** Reads entries of the audit log for an archive and deletes archived entries. */
export class AuditArchive {
  constructor(private readonly database: Database) {}

  /** Yields the entries before a time in pages, oldest first. It takes no locks, so the service may keep running. */
  async *pages(before: Date): AsyncGenerator<ArchivedEntry[]> {
    let last: { id: string; at: string } | undefined;
    for (;;) {
      const rows: ArchivedEntry[] = await this.#read(before, last);
      // A `detail` of the type json keeps its original white space.
      if (rows.length > 0) yield rows.map(row => ({ ...row, line: row.line.replaceAll('\n', ' ') }));
      const end = rows.at(-1);
      if (!end || rows.length < PAGE_SIZE) return;
      last = { id: end.id, at: (JSON.parse(end.line) as { created_at: string }).created_at };
    }
  }

  /** Records in the audit log who deletes entries. Call it before the first deletion. */
  async recordPrune(viewer: Viewer, before: Date): Promise<void> {
    await recordAuditEvent(this.database, viewer, {
      action: 'audit.prune',
      object: { type: 'audit-log', id: 0 },
      detail: { before: before.toISOString() },
    });
  }

  /** Deletes entries that have been archived. */
  async remove(entries: readonly ArchivedEntry[]): Promise<void> {
    await deleteAuditEntries(
      this.database,
      entries.map(({ id }) => id),
    );
  }

  /** Reads the page after `last`. PostgreSQL serializes the JSON, so that numbers and times keep their exact format. */
  #read(before: Date, last: { id: string; at: string } | undefined): Promise<ArchivedEntry[]> {
    return queryBuilder<AccountTables>(this.database)
      .selectFrom('audit_entry as e')
      .select([
        'e.id',
        expression<string>`json_build_object(
          'id', e.id, 'created_at', e.created_at, 'action', e.action, 'user', e.user_id, 'user_email', e.user_email,
          'via', e.via, 'address', e.address, 'object_type', e.object_type, 'object_id', e.object_id,
          'project', e.project_id, 'detail', e.detail)::text`.as('line'),
      ])
      .where('e.created_at', '<', before)
      .$if(last !== undefined, query =>
        query.where(expression<boolean>`(e.created_at, e.id) > (${last?.at}::timestamptz, ${last?.id}::uuid)`),
      )
      .orderBy('e.created_at')
      .orderBy('e.id')
      .limit(PAGE_SIZE)
      .execute();
  }
}
