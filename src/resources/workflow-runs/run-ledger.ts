import { sum } from '../../base/money.js';
import type { Usage } from '../../engine/ports.js';
import type { Graph } from '../../engine/workflow/graph.js';
import type { RunEvent } from '../../engine/workflow/run-event.js';

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

/** Columns of LedgerRow in a JSON array, for json_to_recordset. */
export const LEDGER_COLUMNS = `"runId" uuid, "nodeId" text, iteration text, operation text, status text, "amountUsd" numeric,
  reason text, description text, usage json`;

/** Rows of one run that cost nothing; a run's paid rows are written by the record statement with their totals. */
export const WRITE_LEDGER = `
  insert into billing_transaction
    (project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage)
  select r.project_id, r.id, l."nodeId", l.iteration, r.user_id, l.operation, l.status, l."amountUsd", l.reason, l.description, l.usage
    from workflow_run r, json_to_recordset($2::json) as l(${LEDGER_COLUMNS})
   where r.id = $1
  on conflict (run_id, node_id, iteration, operation) do nothing`;
