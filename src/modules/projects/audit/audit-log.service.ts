import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { Faults } from '../../../platform/errors/fields.js';
import {
  type Connection,
  type ConnectionArgs,
  type Keyset,
  readConnection,
} from '../../../platform/lists/connection.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { timeWithin } from '../../../platform/lists/time-filter.input.js';
import { Totals } from '../../../platform/sql/totals.js';
import type { AccountTables } from '../../accounts/account-tables.js';
import { assertAdministrator } from '../../accounts/users/user.service.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../access.js';
import type { AuditEntry, AuditFilter } from './audit-entry.type.js';

const COLUMNS = [
  ...(['id', 'created_at as createdAt', 'action', 'user_id as userId', 'user_email as userEmail', 'via'] as const),
  ...(['address', 'object_type as objectType', 'object_id as objectId', 'project_id as projectId'] as const),
] as const;

const NEWEST_FIRST: Keyset = {
  name: 'auditLog',
  columns: [
    { ref: 'created_at', type: 'timestamptz' },
    { ref: 'id', type: 'uuid' },
  ],
  order: 'desc',
};

/** Lists the audit log. Admins of a project read its log, administrators of the service the whole log. */
export class AuditLogService {
  readonly #totals = new Totals();

  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** Lists entries, newest first. Administrators can also read the log of a deleted project. */
  async list(
    viewer: Viewer,
    projectId: number | null,
    filter: AuditFilter | null | undefined,
    page: PageArgs,
  ): Promise<Page<AuditEntry>> {
    await this.#authorize(viewer, projectId);
    const { limit, offset } = toLimitOffset(page);
    const entries = this.#entries(projectId, filter);
    const [items, { total }] = await Promise.all([
      entries.select(COLUMNS).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
      entries.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { ...page, total, items };
  }

  /** The entries of `list`, selected by cursors. */
  async connection(
    viewer: Viewer,
    projectId: number | null,
    filter: AuditFilter | null | undefined,
    args: ConnectionArgs,
  ): Promise<Connection<AuditEntry>> {
    await this.#authorize(viewer, projectId);
    const rows = this.#entries(projectId, filter).select(COLUMNS);
    return readConnection({ rows, keyset: NEWEST_FIRST, totals: this.#totals, itemOf: row => row }, args);
  }

  async #authorize(viewer: Viewer, projectId: number | null): Promise<void> {
    if (projectId === null) assertAdministrator(viewer);
    else if (!viewer.isAdmin) await this.access.authorize(viewer, projectId, 'audit.read');
  }

  #entries(projectId: number | null, filter: AuditFilter | null | undefined) {
    const faults = new Faults();
    faults.text('action', filter?.action, { max: 100 });
    faults.throwIfAny();
    const { action = null, userId = null } = filter ?? {};
    let entries = queryBuilder<AccountTables>(this.database)
      .selectFrom('audit_entry')
      .where(({ and }) => and(timeWithin(filter ?? {}, 'created_at')));
    if (projectId !== null) entries = entries.where('project_id', '=', projectId);
    if (action !== null) entries = entries.where('action', '=', action);
    if (userId !== null) entries = entries.where('user_id', '=', userId);
    return entries;
  }
}
