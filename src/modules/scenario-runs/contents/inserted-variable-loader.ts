import DataLoader from 'dataloader';
import type { Sql } from '../../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';
import type { InsertedVariable } from './inserted-variable.type.js';

/** Loads the inserted variables of runs, with one query for all runs of a list. */
export function insertedVariableLoader(context: RequestContext, sql: Sql): DataLoader<number, InsertedVariable[]> {
  return context.loader(
    'scenarioRun.inserted',
    () =>
      new DataLoader<number, InsertedVariable[]>(async ids => {
        const rows = await queryBuilder<ScenarioRunTables>(sql)
          .selectFrom('scenario_run')
          .select(['id', 'inserted_variables as values'])
          .where('id', '=', anyInt(ids))
          .$castTo<{ id: number; values: InsertedVariable[] }>()
          .execute();
        const values = new Map(rows.map(row => [row.id, row.values]));
        return ids.map(id => values.get(id) ?? []);
      }),
  );
}
