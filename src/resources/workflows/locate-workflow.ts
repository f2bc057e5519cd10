import type { Sql } from '../../base/database.js';
import type { Viewer } from '../accounts/viewer.js';
import { budgetIsSpentSql } from '../billing/budget.js';
import { judge, roleSql } from '../projects/access.js';
import type { Action, ProjectRole } from '../projects/rights.js';

/** Where a workflow lives: what a service needs to know of it before it does anything. */
export interface LocatedWorkflow {
  id: number;
  projectId: number;
  /** The present one: what a run started now would use. */
  revisionId: number;
  sortId: number;
  /** The spending limit of the project is reached: no run begins. */
  isBudgetSpent: boolean;
  categoryId: number | null;
  subcategoryId: number | null;
  isPublished: boolean;
}

/**
 * Finds a workflow if the viewer may do `action` with it, and throws otherwise; archived ones are gone for everyone. The
 * one statement by which a workflow's id is checked. `lock` is a locking clause on `w`.
 */
export async function locateWorkflow(
  sql: Sql,
  viewer: Viewer,
  id: number,
  action: Action,
  lock: '' | 'for no key update of w' = '',
): Promise<LocatedWorkflow> {
  const [row] = await sql.prepared<LocatedWorkflow & { role: ProjectRole | null }>(
    lock === '' ? 'locate-workflow' : 'lock-workflow',
    `select w.id, w.project_id as "projectId", w.revision_id as "revisionId", w.sort_id as "sortId",
            w.category_id as "categoryId", w.subcategory_id as "subcategoryId", w.is_published as "isPublished",
            ${budgetIsSpentSql('p')} as "isBudgetSpent", ${roleSql('w.project_id', '$2', '$3')} as role
       from workflow w join project p on p.id = w.project_id where w.id = $1 and w.archived_at is null ${lock}`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  return row!;
}
