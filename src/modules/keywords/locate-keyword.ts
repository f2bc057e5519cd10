import type { Sql } from '../../platform/database/database.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, roleSql } from '../projects/access.js';
import type { Action, ProjectRole } from '../projects/rights.js';
import { KEYWORD_COLUMNS, type Keyword } from './keyword.js';
import { KEYWORD_RUN_COLUMNS, type KeywordRun } from './runs/keyword-run.js';

/** Finds a keyword if the viewer may do `action` with it, and throws otherwise. The one check of a keyword's id. */
export async function locateKeyword(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<Keyword> {
  const [row] = await sql.query<Keyword & { role: ProjectRole | null }>(
    `select ${KEYWORD_COLUMNS}, ${roleSql('k.project_id', '$2', '$3')} as role from keyword k where k.id = $1`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  const { role: _, ...keyword } = row!;
  return keyword;
}

/** The same for a keyword run. `lock`: a locking clause on `r`, for a transaction. */
export async function locateKeywordRun(
  sql: Sql,
  viewer: Viewer,
  id: number,
  action: Action,
  lock = '',
): Promise<KeywordRun> {
  const [row] = await sql.query<KeywordRun & { role: ProjectRole | null }>(
    `select ${KEYWORD_RUN_COLUMNS}, ${roleSql('r.project_id', '$2', '$3')} as role
       from keyword_run r where r.id = $1 ${lock}`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  const { role: _, ...run } = row!;
  return run;
}
