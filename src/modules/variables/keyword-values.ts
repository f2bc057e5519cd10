import type { Sql } from '../../platform/database/database.js';
import { KeywordrunMode } from './variable.js';
import type { VariableName } from './variable-name.type.js';

const MAX_VALUE = 100_000;
const SEPARATOR = ', ';

interface EnabledKeyword {
  id: number;
  name: string;
  clusterId: number | null;
  clusterName: string | null;
}

const ENABLED = `
  select k.id, k.name, c.id as "clusterId", c.name as "clusterName"
    from keyword k left join keyword_cluster c on c.id = k.keyword_cluster_id
   where k.keywordrun_id = $1 and k.is_enabled
   order by k.rank nulls last, k.id`;

/**
 * The values that a variable takes from the enabled keywords of a run, whose row the caller has locked. Ids are those of
 * the keywords or of the clusters, so that placeholders go on finding them; of `joined` there is one, 1.
 */
export async function keywordValues(sql: Sql, runId: number, mode: KeywordrunMode | null): Promise<VariableName[]> {
  const keywords = await sql.query<EnabledKeyword>(ENABLED, [runId]);
  if (mode === KeywordrunMode.JOINED) return keywords.length === 0 ? [] : [value(1, 'keywords', keywords)];
  if (mode !== KeywordrunMode.CLUSTERS) return keywords.map(keyword => value(keyword.id, keyword.name, [keyword]));
  const clusters = Map.groupBy(
    keywords.filter(({ clusterId }) => clusterId !== null),
    ({ clusterId }) => clusterId!,
  );
  const [positions] = await sql.query<{ ids: number[] }>(
    'select coalesce(array_agg(id order by position, id), array[]::int[]) as ids from keyword_cluster where run_id = $1',
    [runId],
  );
  return positions!.ids.flatMap(id => {
    const members = clusters.get(id);
    return members ? [value(id, members[0]!.clusterName!, members)] : [];
  });
}

/** As many whole keywords as a value may hold. */
function value(id: number, name: string, keywords: readonly EnabledKeyword[]): VariableName {
  let text = '';
  for (const keyword of keywords) {
    const longer = text === '' ? keyword.name : text + SEPARATOR + keyword.name;
    if (longer.length > MAX_VALUE) break;
    text = longer;
  }
  return { id, name, value: text, isActive: true };
}

/** Writes the values of variables that take them from a run in one mode. */
export async function takeKeywordValues(
  sql: Sql,
  variableIds: readonly number[],
  runId: number,
  mode: KeywordrunMode | null,
): Promise<void> {
  const names = await keywordValues(sql, runId, mode);
  await sql.query(
    `update variable set variable_names = $2::json, last_name_id = greatest(last_name_id, $3), updated_at = now()
      where id = any($1::int[])`,
    [variableIds, JSON.stringify(names), Math.max(0, ...names.map(({ id }) => id))],
  );
}

/** The keywords of a run have changed: so have the variables that take them. Copies of scenario runs stay as they are. */
export async function refreshKeywordVariables(runId: number, sql: Sql): Promise<void> {
  const variables = await sql.query<{ id: number; mode: KeywordrunMode | null }>(
    `select id, keywordrun_mode as mode from variable where keywordrun_id = $1 and scenariorun_id is null
      order by id for no key update`,
    [runId],
  );
  for (const [mode, those] of Map.groupBy(variables, variable => variable.mode)) {
    const ids = those.map(({ id }) => id);
    await takeKeywordValues(sql, ids, runId, mode);
  }
}
