import DataLoader from 'dataloader';
import type { Sql } from '../../../platform/database/database.js';
import { anyInt, type Expression, expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { PageBytes } from '../../../platform/lists/page-bytes.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';

/** Reports whether a run of a list is returned with its results and copies. One query gets the sizes for the whole page. */
export async function isWhole(
  context: RequestContext,
  sql: Sql,
  pageBytes: PageBytes,
  run: { id: number },
): Promise<boolean> {
  const loader = context.loader(
    'scenarioRun.bytes',
    () =>
      new DataLoader<number, number>(async ids => {
        // A single run has no size limit.
        if (ids.length === 1) return [0];
        const bytes = new Map((await readBytes(sql, ids)).map(row => [row.id, Number(row.bytes)]));
        return ids.map(each => bytes.get(each) ?? 0);
      }),
  );
  const { id } = run;
  return pageBytes.fits(context, 'scenario-run', run, { id, bytes: await loader.load(id) });
}

/** Sums the bytes of results and copies. For an unfinished run the journal counts too: its events are the results. */
function readBytes(sql: Sql, ids: readonly number[]) {
  return queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run as r')
    .select(({ case: when, eb, lit, ref, selectFrom }) => {
      const variables = selectFrom('variable as v')
        .select(row => total(bytesOf(row.ref('v.variable_names'))).as('bytes'))
        .whereRef('v.scenariorun_id', '=', 'r.id');
      const messages = selectFrom('message as m')
        .select(row => total(eb(bytesOf(row.ref('m.parameters')), '+', bytesOf(row.ref('m.conditions')))).as('bytes'))
        .whereRef('m.scenariorun_id', '=', 'r.id');
      const journal = selectFrom('scenario_run_journal as j')
        .select(row => total(bytesOf(row.ref('j.events'))).as('bytes'))
        .whereRef('j.run_id', '=', 'r.id');
      const parts = [
        bytesOf(ref('r.final_result')),
        bytesOf(ref('r.local_variables')),
        bytesOf(ref('r.processed_messages')),
        bytesOf(ref('r.inserted_variables')),
        expression<number>`${variables}`,
        expression<number>`${messages}`,
        when().when('r.finished_at', 'is', null).then(expression<number>`${journal}`).else(lit(0)).end(),
      ];
      return ['r.id' as const, expression<number>`${expression.join(parts, expression` + `)}`.as('bytes')];
    })
    .where('r.id', '=', anyInt(ids))
    .execute();
}

function bytesOf(column: Expression<unknown>) {
  return expression<number>`coalesce(octet_length(${column}::text), 0)`;
}

function total(bytes: Expression<number>) {
  return expression<number>`coalesce(sum(${bytes}), 0)`;
}
