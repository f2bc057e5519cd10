import type { Sql } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, viewersRole } from '../projects/access.js';
import type { Action } from '../projects/rights.js';
import { KEYWORD_COLUMNS, type Keyword } from './keyword.js';
import type { KeywordTables } from './keyword-tables.js';
import type { KeywordRun } from './runs/keyword-run.js';
import { keywordRunColumns } from './runs/keyword-run-columns.js';

/** Finds a keyword for `action`. Throws NOT_FOUND without access to its project, FORBIDDEN without the right. */
export async function locateKeyword(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<Keyword> {
  const row = await queryBuilder<KeywordTables>(sql)
    .selectFrom('keyword')
    .select(KEYWORD_COLUMNS)
    .select(viewersRole(viewer, 'keyword.project_id').as('role'))
    .where('id', '=', id)
    .executeTakeFirst();
  assertAllowed(row?.role ?? null, action);
  const { role: _, ...keyword } = row!;
  return keyword;
}

/** Finds a keyword run for `action`. Throws NOT_FOUND without access to its project, FORBIDDEN without the right. */
export async function locateKeywordRun(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<KeywordRun> {
  const row = await queryBuilder<KeywordTables>(sql)
    .selectFrom('keyword_run')
    .select(keywordRunColumns)
    .select(viewersRole(viewer, 'keyword_run.project_id').as('role'))
    .where('id', '=', id)
    .executeTakeFirst();
  assertAllowed(row?.role ?? null, action);
  const { role: _, ...run } = row!;
  return run;
}

/** Reads keyword runs by id, in any order. */
export function readKeywordRuns(sql: Sql, ids: readonly number[]): Promise<KeywordRun[]> {
  return queryBuilder<KeywordTables>(sql)
    .selectFrom('keyword_run')
    .select(keywordRunColumns)
    .where('id', '=', anyInt(ids))
    .execute();
}
