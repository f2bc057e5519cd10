import { sum } from '../../base/money.js';
import type { Usage } from '../../engine/ports.js';
import { findNode, type Graph } from '../../engine/workflow/graph.js';
import type { NodePlace } from '../../engine/workflow/recorded.js';
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

/** What models used, by node: every try and every step of a node adds to its one row on the ledger. */
export class UsageByNode {
  readonly #usages = new Map<string, Usage[]>();

  constructor(events: Iterable<RunEvent> = []) {
    for (const event of events) this.add(event);
  }

  add(event: RunEvent): void {
    if ('usage' in event && event.usage) this.#usages.set(keyOf(event), [...this.of(event), event.usage]);
  }

  of(place: NodePlace): Usage[] {
    return this.#usages.get(keyOf(place)) ?? [];
  }
}

function keyOf({ node, iteration = '' }: NodePlace): string {
  return JSON.stringify([node, iteration]);
}

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
  const node = graph ? findNode(graph, event.node) : undefined;
  const unpriced = usages.find(usage => usage.costUsd === null);
  return {
    runId,
    nodeId: event.node,
    iteration: event.iteration ?? '',
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
