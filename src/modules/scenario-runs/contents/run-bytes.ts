import DataLoader from 'dataloader';
import type { Sql } from '../../../platform/database/database.js';
import type { PageBytes } from '../../../platform/lists/page-bytes.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { InsertedVariable } from './inserted-variable.type.js';

const BYTES = `
  select r.id,
         coalesce(octet_length(r.final_result), 0) + coalesce(octet_length(r.local_variables::text), 0)
         + coalesce(octet_length(r.processed_messages::text), 0) + octet_length(r.inserted_variables::text)
         + (select coalesce(sum(octet_length(v.variable_names::text)), 0) from variable v where v.scenariorun_id = r.id)
         + (select coalesce(sum(octet_length(m.parameters::text) + octet_length(m.conditions::text)), 0)
              from message m where m.scenariorun_id = r.id)
         + case when r.finished_at is null
                then (select coalesce(sum(octet_length(j.events::text)), 0) from scenario_run_journal j where j.run_id = r.id)
                else 0 end as bytes
    from scenario_run r where r.id = any($1::int[])`;

/** Whether a run of a list is shown with its outcome and copies: one query for the whole page, which ships none of them. */
export async function isWhole(context: RequestContext, sql: Sql, pageBytes: PageBytes, id: number): Promise<boolean> {
  const loader = context.loader(
    'scenarioRun.bytes',
    () =>
      new DataLoader<number, number>(async ids => {
        // What is read alone is shown whole.
        if (ids.length === 1) return [0];
        const rows = await sql.query<{ id: number; bytes: number }>(BYTES, [ids]);
        const bytes = new Map(rows.map(row => [row.id, Number(row.bytes)]));
        return ids.map(each => bytes.get(each) ?? 0);
      }),
  );
  return pageBytes.fits(context, 'scenario-run', { id, bytes: await loader.load(id) });
}

/** The values that runs were given, one query for all the runs of a list. */
export function insertedInto(context: RequestContext, sql: Sql): DataLoader<number, InsertedVariable[]> {
  return context.loader(
    'scenarioRun.inserted',
    () =>
      new DataLoader<number, InsertedVariable[]>(async ids => {
        const rows = await sql.query<{ id: number; values: InsertedVariable[] }>(
          'select id, inserted_variables as values from scenario_run where id = any($1::int[])',
          [ids],
        );
        const values = new Map(rows.map(row => [row.id, row.values]));
        return ids.map(id => values.get(id) ?? []);
      }),
  );
}
