import { sum } from '../../base/money.js';
import type { Usage } from '../../engine/ports.js';
import type { Graph } from '../../engine/workflow/graph.js';
import type { RunEvent } from '../../engine/workflow/run-event.js';
import type { JournalEvent } from './run-journal.js';

/** One executed node on the ledger. */
export interface LedgerRow {
  runId: string;
  nodeId: string;
  iteration: string;
  operation: string;
  status: 'Success' | 'Error';
  amountUsd: string;
  reason: string;
  description: string;
  usage: Usage[] | null;
}

export type NodeEnd = Extract<RunEvent, { type: 'node.succeeded' | 'node.failed' }>;

/** The row of a node that ended; `usages` are those of all its tries, the failed ones included. */
export function ledgerRow({
  runId,
  event,
  usages,
  graph,
}: {
  runId: string;
  event: NodeEnd;
  usages: Usage[];
  graph: Graph | null;
}): LedgerRow {
  const node = graph?.byId.get(event.node);
  const unpriced = usages.find(usage => usage.costUsd === null);
  return {
    runId,
    nodeId: event.node,
    iteration: '',
    operation: node?.kind.type ?? 'unknown',
    status: event.type === 'node.succeeded' ? 'Success' : 'Error',
    amountUsd: sum(usages.map(usage => usage.costUsd ?? '0')),
    reason: unpriced ? `The price of ${unpriced.model} is unknown: charged nothing.` : '',
    description: node?.label ?? '',
    usage: usages.length > 0 ? usages : null,
  };
}

/** What nodes that have not ended have used: known from the journal, and not on the ledger. */
export function unbilledUsage(events: readonly JournalEvent[]): Map<string, Usage[]> {
  const unbilled = new Map<string, Usage[]>();
  for (const event of events) {
    if (!('node' in event)) continue;
    if (event.type === 'node.succeeded' || event.type === 'node.failed') unbilled.delete(event.node);
    else if ('usage' in event && event.usage)
      unbilled.set(event.node, [...(unbilled.get(event.node) ?? []), event.usage]);
  }
  return unbilled;
}

/** Columns of LedgerRow in a JSON array, for json_to_recordset. */
export const LEDGER_COLUMNS = `"runId" uuid, "nodeId" text, iteration text, operation text, status text, "amountUsd" numeric,
  reason text, description text, usage json`;

/** Charges and settles what the CTEs `ledger` and `freed` wrote and deleted, both (project_id, amount_usd), at once. */
export const RAISE_TOTALS = `
  sums as (
    select project_id, sum(spent) as spent, sum(freed) as freed
      from (select project_id, amount_usd as spent, 0 as freed from ledger
            union all select project_id, 0, amount_usd from freed) as moved
     group by project_id having sum(spent) <> 0 or sum(freed) <> 0),
  locked as (select id from project where id in (select project_id from sums) order by id for no key update),
  totals as (
    update project p set total_spent_usd = p.total_spent_usd + s.spent, reserved_usd = p.reserved_usd - s.freed
      from locked join sums s on s.project_id = locked.id where p.id = locked.id)`;

/** The last rows of a run whose row is locked, with the totals they move; drops whatever it had reserved. */
export const CLOSE_LEDGER = `
  with ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage)
    select r.project_id, r.id, l."nodeId", l.iteration, r.user_id, l.operation, l.status, l."amountUsd", l.reason, l.description, l.usage
      from workflow_run r, json_to_recordset($2::json) as l(${LEDGER_COLUMNS})
     where r.id = $1
    on conflict (run_id, node_id, iteration, operation) do nothing
    returning project_id, amount_usd),
  freed as (delete from budget_reservation where holder = $1 returning project_id, amount_usd), ${RAISE_TOTALS}
  update workflow_run set cost_usd = cost_usd + (select sum(amount_usd) from ledger)
   where id = $1 and exists (select 1 from ledger)`;
