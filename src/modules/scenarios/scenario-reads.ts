import type { QueryCreator } from '../../platform/database/typed-queries.js';
import { PartList } from '../projects/parts/part-list.js';
import { partReads } from '../projects/parts/part-reads.js';
import type { Scenario } from './scenario.js';
import type { ScenarioTables } from './scenario-tables.js';

type Tables = Pick<ScenarioTables, 'scenario'>;

function selectScenarios(tables: QueryCreator<Tables>) {
  return tables
    .selectFrom('scenario as t')
    .select(['t.id', 't.project_id as projectId', 't.name', 't.category_id as categoryId'])
    .select(['t.subcategory_id as subcategoryId', 't.run_fee as runFee', 't.free_runs_per_user as freeRunsPerUser'])
    .select(['t.available_languages as availableLanguages', 't.market_title as marketTitle'])
    .select(['t.short_description as shortDescription', 't.market_permission as marketPermission'])
    .select(['t.sort_id as sortId', 't.scenariorun_id as scenarioRunId'])
    .select(['t.created_at as createdAt', 't.updated_at as updatedAt'])
    .$castTo<Scenario>();
}

/** The columns of the large members, which lists read only when they are selected. */
export const SCENARIO_PAYLOADS = { readmeGuide: 'readme_guide' };

/** Queries for scenarios as parts of their projects: by id and by project. */
export const SCENARIO_READS = partReads<Scenario>({
  table: 'scenario',
  select: selectScenarios,
  payloads: SCENARIO_PAYLOADS,
  showsRole: true,
});

/** The paginated, filtered list of scenarios. */
export const SCENARIO_LIST = new PartList(SCENARIO_READS);
