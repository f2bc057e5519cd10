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

/** The columns of the large members, which lists read only when they are selected. */
export const VARIABLE_PAYLOADS = { variableNames: 'variable_names' };

/** Queries for variables as parts of their projects: by id and by project, with or without `variableNames`. */
export const VARIABLE_READS = partReads<Variable>({
  table: 'variable',
  select: selectVariables,
  payloads: VARIABLE_PAYLOADS,
});

/** The paginated, filtered list of variables. */
export const VARIABLE_LIST = new PartList(VARIABLE_READS);
