import type { Database } from '../../../platform/database/database.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type Page, type PageArgs, window } from '../../../platform/lists/page.js';
import { timeConditions } from '../../../platform/lists/time-filter.input.js';
import { demandAdministrator } from '../../accounts/users/user.service.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../access.js';
import type { AuditEntry, AuditFilter } from './audit-entry.type.js';

/** What was done, by whom: a project's log for its admins, the whole for administrators. */
export class AuditLogService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** Newest first. Administrators read the log of a deleted project as well. */
  async list(
    viewer: Viewer,
    projectId: number | null,
    filter: AuditFilter | null | undefined,
    page: PageArgs,
  ): Promise<Page<AuditEntry>> {
    if (projectId === null) demandAdministrator(viewer);
    else if (!viewer.isAdmin) await this.access.authorize(viewer, projectId, 'audit.read');
    const { limit, offset } = window(page);
    const faults = new Faults();
    faults.text('action', filter?.action, { max: 100 });
    faults.throwIfAny();
    const values: unknown[] = [projectId, filter?.action ?? null, filter?.user ?? null];
    const condition = [
      '($1::int is null or project_id = $1) and ($2::text is null or action = $2) and ($3::int is null or user_id = $3)',
      ...timeConditions(filter ?? {}, 'created_at', values),
    ].join(' and ');
    const [items, [count]] = await Promise.all([
      this.database.query<AuditEntry>(
        `select id, created_at as "createdAt", action, user_id as "userId", user_email as "userEmail", via, address,
                object_type as "objectType", object_id as "objectId", project_id as "projectId"
           from audit_entry where ${condition} order by created_at desc, id desc
          limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, limit, offset],
      ),
      this.database.query<{ total: number }>(
        `select count(*)::int as total from audit_entry where ${condition}`,
        values,
      ),
    ]);
    return { ...page, total: count!.total, items };
  }
}
