import type { Database, Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { type Currencies, sum } from '../../platform/money/money.js';
import { useSnapshot } from '../../platform/sql/transaction-isolation.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { CostSummary, CostSummaryItem } from './cost-summary.type.js';
import { quantileMs } from './duration-classes.js';
import { readRollupProgress } from './hourly-rollup.js';
import { runSums, spendingSums, type TimeRange } from './hourly-sums.js';
import type { RunFigures, RunSummary } from './run-summary.type.js';
import { CostGroup, type SummaryInterval } from './summary.inputs.js';
import { wholeHours } from './summary-range.js';
import type { SummaryTables } from './summary-tables.js';

const MAX_ITEMS = 1_000;

/** The column of each group. The id 0 and the empty model stand for "none". */
const GROUP_COLUMNS = {
  MODEL: ['model', `nullif(s.model, '')`],
  WORKFLOW: ['workflowId', 'nullif(s.workflow_id, 0)'],
  API_KEY: ['apiKeyId', 'nullif(s.api_key_id, 0)'],
  USER: ['userId', 'nullif(s.user_id, 0)'],
} as const satisfies Record<CostGroup, readonly [keyof CostSummaryItem, string]>;

export interface SummaryQuery {
  projectId: number;
  range: TimeRange;
  interval: SummaryInterval | null;
}

interface CostRow extends Omit<CostSummaryItem, 'cost'> {
  amountUsd: string;
}

interface RunRow {
  start: Date | null;
  state: 'succeeded' | 'failed' | 'cancelled';
  durationClass: number;
  runs: number;
  costUsd: string;
}

/**
 * Sums up the costs and runs of a project: hourly sums, plus the rows that they do not include yet. Both are read in
 * one snapshot.
 */
export class SummaryService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly currencies: Currencies,
  ) {}

  /** Sums up the charges, for each interval and combination of `groups`. */
  async costs(viewer: Viewer, query: SummaryQuery, groups: readonly CostGroup[]): Promise<CostSummary> {
    const { projectId, interval } = query;
    await this.access.authorize(viewer, projectId, 'project.read');
    const range = wholeHours(query.range, interval);
    const { rows, total } = await this.#inSnapshot(async sql => {
      const through = await readRollupProgress(sql);
      const sums = () => costRows(sql, projectId, range, through);
      const rows = await sums()
        .select([startOf(interval).as('start'), ...Object.values(CostGroup).map(group => groupColumn(group, groups))])
        .select([
          expression<string>`sum(s.amount_usd)`.as('amountUsd'),
          expression<number>`sum(s.transactions)::int`.as('transactions'),
          expression<number>`sum(s.prompt_tokens)::float8`.as('promptTokens'),
          expression<number>`sum(s.completion_tokens)::float8`.as('completionTokens'),
        ])
        .groupBy(expression`1, 2, 3, 4, 5`)
        .orderBy(expression`1, "amountUsd" desc, 2, 3, 4, 5`)
        .limit(MAX_ITEMS + 1)
        .$castTo<CostRow>()
        .execute();
      const total = await sums()
        .select(expression<string>`coalesce(sum(s.amount_usd), 0)`.as('usd'))
        .executeTakeFirstOrThrow();
      return { rows, total: total.usd };
    });
    return {
      ...range,
      total: this.currencies.of(total),
      items: rows.slice(0, MAX_ITEMS).map(({ amountUsd, ...row }) => ({ ...row, cost: this.currencies.of(amountUsd) })),
      isShortened: rows.length > MAX_ITEMS,
    };
  }

  /** Counts the ended runs, of one workflow or of all. */
  async runs(viewer: Viewer, query: SummaryQuery, workflowId: number | null): Promise<RunSummary> {
    const { projectId, interval } = query;
    await this.access.authorize(viewer, projectId, 'project.read');
    const range = wholeHours(query.range, interval);
    const rows = await this.#inSnapshot(async sql => {
      const through = await readRollupProgress(sql);
      return runRows(sql, projectId, range, through)
        .$if(workflowId !== null, sums => sums.where('s.workflow_id', '=', workflowId!))
        .select([startOf(interval).as('start'), 's.state', 's.duration_class as durationClass'])
        .select([expression<number>`sum(s.runs)::int`.as('runs'), expression<string>`sum(s.cost_usd)`.as('costUsd')])
        .groupBy(expression`1, 2, 3`)
        .orderBy(expression`1, 2, 3`)
        .$castTo<RunRow>()
        .execute();
    });
    const byStart = Map.groupBy(rows, row => row.start?.getTime());
    return {
      ...range,
      ...this.#figures(rows),
      items:
        interval === null
          ? []
          : [...byStart.values()].map(group => ({ start: group[0]!.start!, ...this.#figures(group) })),
    };
  }

  #figures(rows: readonly RunRow[]): RunFigures {
    const count = (state: RunRow['state']) =>
      rows.filter(row => row.state === state).reduce((total, { runs }) => total + runs, 0);
    const [succeeded, failed, cancelled] = [count('succeeded'), count('failed'), count('cancelled')];
    const durations = new Map<number, number>();
    for (const { durationClass, runs } of rows)
      durations.set(durationClass, (durations.get(durationClass) ?? 0) + runs);
    return {
      runs: succeeded + failed + cancelled,
      succeeded,
      failed,
      cancelled,
      errorRate: succeeded + failed > 0 ? failed / (succeeded + failed) : null,
      durationP50Ms: quantileMs(durations, 0.5),
      durationP95Ms: quantileMs(durations, 0.95),
      cost: this.currencies.of(sum(rows.map(row => row.costUsd))),
    };
  }

  #inSnapshot<T>(read: (sql: Sql) => Promise<T>): Promise<T> {
    return this.database.transaction(async sql => {
      await useSnapshot(sql);
      return read(sql);
    });
  }
}

/** Selects the hourly sums of costs and, from `through` on, the sums of the ledger rows that they do not include yet. */
function costRows(sql: Sql, projectId: number, { from, to }: TimeRange, through: Date) {
  const tail = { from: latestOf(from, through), to };
  return queryBuilder<SummaryTables>(sql).selectFrom(({ selectFrom }) =>
    selectFrom('spending_hour')
      .select(['project_id', 'hour', 'workflow_id', 'model', 'user_id', 'api_key_id'])
      .select(['amount_usd', 'transactions', 'prompt_tokens', 'completion_tokens'])
      .where('project_id', '=', projectId)
      .where('hour', '>=', from)
      .where('hour', '<', to)
      .unionAll(spendingSums(sql, tail, projectId))
      .as('s'),
  );
}

/** Selects the hourly counts of runs and, from `through` on, the counts of runs that they do not include yet. */
function runRows(sql: Sql, projectId: number, { from, to }: TimeRange, through: Date) {
  const tail = { from: latestOf(from, through), to };
  return queryBuilder<SummaryTables>(sql).selectFrom(({ selectFrom }) =>
    selectFrom('run_hour')
      .select(['project_id', 'hour', 'workflow_id', 'state', 'duration_class', 'runs', 'cost_usd'])
      .where('project_id', '=', projectId)
      .where('hour', '>=', from)
      .where('hour', '<', to)
      .unionAll(runSums(sql, tail, projectId))
      .as('s'),
  );
}

function latestOf(left: Date, right: Date): Date {
  return left > right ? left : right;
}

function startOf(interval: SummaryInterval | null) {
  if (interval === null) return expression<Date | null>`null::timestamptz`;
  return expression<Date | null>`date_trunc(${expression.lit(interval.toLowerCase())}, s.hour, 'UTC')`;
}

function groupColumn(group: CostGroup, groups: readonly CostGroup[]) {
  const [member, column] = GROUP_COLUMNS[group];
  return (groups.includes(group) ? expression.raw<unknown>(column) : expression.raw<unknown>('null')).as(member);
}
