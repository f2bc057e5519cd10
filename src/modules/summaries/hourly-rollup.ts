import type { Database, Sql } from '../../platform/database/database.js';
import { type Expression, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { runSums, spendingSums, type TimeRange } from './hourly-sums.js';
import type { SummaryTables } from './summary-tables.js';

/** The longest range of one transaction. */
const STEP_MS = 86_400_000;
/** Rows become visible at most this long after their time: longer than every transaction may take. */
const LATE_MS = 180_000;
const PROGRESS_ID = 1;
const SPENDING_KEY = ['project_id', 'hour', 'workflow_id', 'model', 'user_id', 'api_key_id'] as const;

/** Adds the ledger and the ended runs to `spending_hour` and `run_hour`, each row exactly once. */
export class HourlyRollup {
  constructor(private readonly database: Database) {}

  /** Adds everything until three minutes ago, in transactions of at most one day. */
  async run(): Promise<void> {
    const until = new Date(Date.now() - LATE_MS);
    while (await this.database.transaction(sql => addNextRange(sql, until)));
  }
}

/** Returns the time up to which the hourly sums include everything. */
export async function readRollupProgress(sql: Sql): Promise<Date> {
  const row = await queryBuilder<SummaryTables>(sql)
    .selectFrom('summary_progress')
    .select('through')
    .executeTakeFirst();
  return row?.through ?? new Date(0);
}

/** Returns whether a range remains. The lock on the row of the progress makes concurrent callers take turns. */
async function addNextRange(sql: Sql, until: Date): Promise<boolean> {
  const from = await lockProgress(sql);
  if (from >= until) return false;
  const to = new Date(Math.min(from.getTime() + STEP_MS, until.getTime()));
  await addSpending(sql, { from, to });
  await addRuns(sql, { from, to });
  await queryBuilder<SummaryTables>(sql).updateTable('summary_progress').set({ through: to }).execute();
  return to < until;
}

/** The first range starts with the hour of the oldest project, because neither runs nor charges are older. */
async function lockProgress(sql: Sql): Promise<Date> {
  const tables = queryBuilder<SummaryTables>(sql);
  await tables
    .insertInto('summary_progress')
    .columns(['id', 'through'])
    .expression(({ selectFrom }) =>
      selectFrom('project').select([
        expression.lit(PROGRESS_ID).as('id'),
        expression<Date>`date_trunc('hour', coalesce(min(created_at), now()), 'UTC')`.as('through'),
      ]),
    )
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
  const row = await tables.selectFrom('summary_progress').select('through').forUpdate().executeTakeFirstOrThrow();
  return row.through;
}

async function addSpending(sql: Sql, range: TimeRange): Promise<void> {
  await queryBuilder<SummaryTables>(sql)
    .insertInto('spending_hour')
    .columns([...SPENDING_KEY, 'amount_usd', 'transactions', 'prompt_tokens', 'completion_tokens'])
    .expression(spendingSums(sql, range))
    .onConflict(conflict =>
      conflict.columns(SPENDING_KEY).doUpdateSet({
        amount_usd: addColumn('spending_hour', 'amount_usd'),
        transactions: addColumn('spending_hour', 'transactions'),
        prompt_tokens: addColumn('spending_hour', 'prompt_tokens'),
        completion_tokens: addColumn('spending_hour', 'completion_tokens'),
      }),
    )
    .execute();
}

async function addRuns(sql: Sql, range: TimeRange): Promise<void> {
  await queryBuilder<SummaryTables>(sql)
    .insertInto('run_hour')
    .columns(['project_id', 'hour', 'workflow_id', 'state', 'duration_class', 'runs', 'cost_usd'])
    .expression(runSums(sql, range))
    .onConflict(conflict =>
      conflict.columns(['project_id', 'hour', 'workflow_id', 'state', 'duration_class']).doUpdateSet({
        runs: addColumn('run_hour', 'runs'),
        cost_usd: addColumn('run_hour', 'cost_usd'),
      }),
    )
    .execute();
}

/** The stored value of a column plus the new one. */
// biome-ignore lint/suspicious/noExplicitAny: a sum has the type of the column that it is assigned to.
function addColumn(table: string, column: string): Expression<any> {
  return expression`${expression.ref(`${table}.${column}`)} + ${expression.ref(`excluded.${column}`)}`;
}
