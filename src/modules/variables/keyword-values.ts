import type { Sql } from '../../platform/database/database.js';
import { anyInt, type Expression, expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { KeywordRunMode } from './variable.js';
import type { VariableName } from './variable-name.type.js';
import { MAX_VALUE_CHARACTERS } from './variable-names.js';
import type { VariableTables } from './variable-tables.js';

const SEPARATOR = ', ';

/**
 * Builds the values of a variable from the enabled keywords of a keyword run, which the caller has locked. A value has
 * the id of its keyword or cluster, so placeholders stay valid. The mode JOINED has one value with the id 1.
 */
async function readKeywordValues(sql: Sql, runId: number, mode: KeywordRunMode | null): Promise<VariableName[]> {
  const keywords = await queryBuilder<VariableTables>(sql)
    .selectFrom('keyword as k')
    .leftJoin('keyword_cluster as c', 'c.id', 'k.keyword_cluster_id')
    .select(['k.id', 'k.name', 'c.id as clusterId', 'c.name as clusterName'])
    .where('k.keywordrun_id', '=', runId)
    .where('k.is_enabled', '=', true)
    .orderBy('k.rank', rank => rank.asc().nullsLast())
    .orderBy('k.id')
    .execute();
  if (mode === KeywordRunMode.JOINED) return keywords.length === 0 ? [] : [buildValue(1, 'keywords', keywords)];
  if (mode !== KeywordRunMode.CLUSTERS) return keywords.map(keyword => buildValue(keyword.id, keyword.name, [keyword]));
  const clusters = Map.groupBy(
    keywords.filter(({ clusterId }) => clusterId !== null),
    ({ clusterId }) => clusterId!,
  );
  const ordered = await queryBuilder<VariableTables>(sql)
    .selectFrom('keyword_cluster')
    .select('id')
    .where('run_id', '=', runId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return ordered.flatMap(({ id }) => {
    const members = clusters.get(id);
    return members ? [buildValue(id, members[0]!.clusterName!, members)] : [];
  });
}

/** Joins as many keywords as fit into one value; keywords are never cut. */
function buildValue(id: number, name: string, keywords: readonly { name: string }[]): VariableName {
  let text = '';
  for (const keyword of keywords) {
    const longerText = text === '' ? keyword.name : text + SEPARATOR + keyword.name;
    if (longerText.length > MAX_VALUE_CHARACTERS) break;
    text = longerText;
  }
  return { id, name, value: text, isActive: true };
}

/** Replaces the values of these variables by the keywords of the run. */
export async function writeKeywordValues(
  sql: Sql,
  variableIds: readonly number[],
  runId: number,
  mode: KeywordRunMode | null,
): Promise<void> {
  const names = await readKeywordValues(sql, runId, mode);
  const lastId = Math.max(0, ...names.map(({ id }) => id));
  await queryBuilder<VariableTables>(sql)
    .updateTable('variable')
    .set({
      variable_names: JSON.stringify(names),
      last_name_id: expression`greatest(last_name_id, ${lastId})`,
      updated_at: NOW,
    })
    .where('id', '=', anyInt(variableIds))
    .execute();
}

/** Updates the variables that use a keyword run after its keywords changed. Copies of scenario runs stay unchanged. */
export async function refreshKeywordVariables(runId: number, sql: Sql): Promise<void> {
  const variables = await queryBuilder<VariableTables>(sql)
    .selectFrom('variable')
    .select(['id', 'keywordrun_mode as mode'])
    .where('keywordrun_id', '=', runId)
    .where('scenariorun_id', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const [mode, group] of Map.groupBy(variables, variable => variable.mode)) {
    const ids = group.map(({ id }) => id);
    await writeKeywordValues(sql, ids, runId, mode);
  }
}

/** SQL condition: a variable uses the keyword run. */
export function usesKeywordRun(sql: Sql, runId: Expression<number>) {
  const variables = queryBuilder<VariableTables>(sql)
    .selectFrom('variable')
    .select('id')
    .where('keywordrun_id', '=', runId);
  return expression<boolean>`exists ${variables}`;
}
