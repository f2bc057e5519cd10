import type { Database, Sql } from '../../platform/database/database.js';
import { Batcher } from '../../platform/sql/batcher.js';
import type { Viewer } from '../accounts/viewer.js';
import { budgetIsSpentSql } from '../billing/budgets/budget.js';
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
  /** It was copied from a marketplace: its runs may owe a fee. */
  isCopy: boolean;
}

const COLUMNS = `
  w.id, w.project_id as "projectId", w.revision_id as "revisionId", w.sort_id as "sortId",
  w.category_id as "categoryId", w.subcategory_id as "subcategoryId", w.is_published as "isPublished",
  w.market_terms_id is not null as "isCopy", ${budgetIsSpentSql('p')} as "isBudgetSpent"`;

type Found = LocatedWorkflow & { role: ProjectRole | null };

/**
 * Finds a workflow if the viewer may do `action` with it, and throws otherwise; archived ones are gone for everyone. The
 * one place where a workflow's id is checked. `lock` is a locking clause on `w`.
 */
export async function locateWorkflow(
  sql: Sql,
  viewer: Viewer,
  id: number,
  action: Action,
  lock: '' | 'for no key update of w' = '',
): Promise<LocatedWorkflow> {
  const [row] = await sql.query<Found>(
    `select ${COLUMNS}, ${roleSql('w.project_id', '$2', '$3')} as role
       from workflow w join project p on p.id = w.project_id where w.id = $1 and w.archived_at is null ${lock}`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  return row!;
}

const LOCATE = `
  select a.nth::int as nth, ${COLUMNS}, ${roleSql('w.project_id', 'a.user_id', 'a.is_admin')} as role
    from unnest($1::int[], $2::int[], $3::boolean[]) with ordinality as a(id, user_id, is_admin, nth)
    join workflow w on w.id = a.id and w.archived_at is null join project p on p.id = w.project_id`;

/** The same for what many ask for at once: those who ask together share a statement, and a row when they ask the same. */
export class WorkflowLocator {
  readonly #batches: Batcher<{ viewer: Viewer; id: number }, Found | undefined>;

  constructor(private readonly database: Database) {
    this.#batches = new Batcher(asked => this.#find(asked), { lanes: 2, maxBatch: 500 });
  }

  async locate(viewer: Viewer, id: number, action: Action): Promise<LocatedWorkflow> {
    const found = await this.#batches.add({ viewer, id });
    judge(found?.role ?? null, action);
    return found!;
  }

  async #find(asked: { viewer: Viewer; id: number }[]): Promise<(Found | undefined)[]> {
    const keys = asked.map(({ viewer, id }) => `${id} ${viewer.userId} ${viewer.isAdmin}`);
    const distinct = [...new Map(keys.map((key, index) => [key, asked[index]!]))];
    const rows = await this.database.byKey<Found & { nth: number }>('locate-workflows', LOCATE, [
      distinct.map(([, { id }]) => id),
      distinct.map(([, { viewer }]) => viewer.userId),
      distinct.map(([, { viewer }]) => viewer.isAdmin),
    ]);
    const byKey = new Map(rows.map(({ nth, ...found }) => [distinct[nth - 1]![0], found]));
    return keys.map(key => byKey.get(key));
  }
}
