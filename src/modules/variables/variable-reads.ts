import type { QueryCreator } from '../../platform/database/typed-queries.js';
import { PartList } from '../projects/parts/part-list.js';
import { partReads } from '../projects/parts/part-reads.js';
import type { Variable } from './variable.js';
import type { VariableTables } from './variable-tables.js';

type Tables = Pick<VariableTables, 'variable'>;

function selectVariables(tables: QueryCreator<Tables>) {
  return tables
    .selectFrom('variable as t')
    .select(['t.id', 't.project_id as projectId', 't.key', 't.last_name_id as lastNameId', 't.is_global as isGlobal'])
    .select(['t.keywordrun_id as keywordRunId', 't.keywordrun_mode as keywordRunMode', 't.sort_id as sortId'])
    .select(['t.scenariorun_id as scenarioRunId', 't.original_id as originalId'])
    .select(['t.created_at as createdAt', 't.updated_at as updatedAt'])
    .$castTo<Variable>();
}

/** Queries for variables as parts of their projects: by id and by project, with or without `variableNames`. */
export const VARIABLE_READS = partReads<Variable>({
  table: 'variable',
  select: selectVariables,
  withPayloads: (query: ReturnType<typeof selectVariables>) => query.select('t.variable_names as variableNames'),
});

/** The paginated, filtered list of variables. */
export const VARIABLE_LIST = new PartList(VARIABLE_READS);
