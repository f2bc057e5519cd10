import { keyOf } from '../../../engine/workflow/history/replay-record.js';
import { type NodePlace, placeOf } from '../../../engine/workflow/run/recorded-state.js';
import type { Database } from '../../../platform/database/database.js';
import { anyUuid, expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { sum } from '../../../platform/money/money.js';
import type { BillingTables } from '../../billing/billing-tables.js';
import { MAX_CHAIN } from '../execution/run-chain.js';
import { costSql } from '../history/workflow-run.js';
import type { RunTables } from '../run-tables.js';

/** The recorded costs of a run. */
export interface RunCosts {
  /** US dollars that an execution of a node has cost, including its sub-runs; undefined: none are recorded. */
  of(place: NodePlace): string | undefined;
  /** US dollars of all executions, including sub-runs. */
  total: string;
}

/** Reads the costs of the executions of a run from the ledger. `subRuns`: by the ids of sub-runs, the executions that wait for them. */
export async function readRunCosts(
  database: Database,
  runId: string,
  subRuns: ReadonlyMap<string, NodePlace>,
): Promise<RunCosts> {
  const rows = await queryBuilder<BillingTables>(database)
    .selectFrom('billing_transaction')
    .select(({ fn }) => ['node_id as node', 'iteration', fn.sum<string>('amount_usd').as('amount')])
    .where('run_id', '=', runId)
    .groupBy(['node_id', 'iteration'])
    .execute();
  const amounts = new Map(rows.map(({ node, iteration, amount }) => [keyOf(placeOf(node, iteration)), amount]));
  for (const [place, amount] of await costsOfChildren(database, subRuns))
    amounts.set(keyOf(place), sum([amounts.get(keyOf(place)) ?? '0', amount]));
  return { of: place => amounts.get(keyOf(place)), total: sum(amounts.values()) };
}

/** The cost of a run does not include its sub-runs. */
async function costsOfChildren(
  database: Database,
  subRuns: ReadonlyMap<string, NodePlace>,
): Promise<[NodePlace, string][]> {
  const costs: [NodePlace, string][] = [];
  let level = subRuns;
  for (let depth = 0; depth < MAX_CHAIN && level.size > 0; depth++) {
    const ids = [...level.keys()];
    const runs = await queryBuilder<RunTables>(database)
      .selectFrom('workflow_run as r')
      .select(['r.id', expression<string>`${expression.raw(costSql('r'))}`.as('cost')])
      .where('r.id', '=', anyUuid(ids))
      .execute();
    for (const { id, cost } of runs) costs.push([level.get(id)!, cost]);
    const children = await queryBuilder<RunTables>(database)
      .selectFrom('workflow_run as r')
      .select(['r.id', 'r.parent_run_id as parentRunId'])
      .where('r.parent_run_id', '=', anyUuid(ids))
      .execute();
    level = new Map(children.map(({ id, parentRunId }) => [id, level.get(parentRunId!)!]));
  }
  return costs;
}
