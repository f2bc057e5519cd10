import type { Usage } from '../../../engine/ports.js';
import { findNode, type Graph } from '../../../engine/workflow/graph/graph.js';
import type { NodePlace } from '../../../engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { sum } from '../../../platform/money/money.js';
import type { ColumnTypes } from '../../../platform/sql/column-arrays.js';
import { serviceCostOf } from '../../billing/service-cost.js';
import type { JournalEvent } from './run-journal.js';

/** The ledger row of one executed node. */
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
  /** US dollars paid with the provider keys of the service. Undefined: none. */
  serviceUsd: string | undefined;
}

/** The end event of a node. */
export type NodeEnd = Extract<RunEvent, { type: 'node.succeeded' | 'node.failed' }>;

/** Builds the ledger row of a finished node. `usages` covers all of its attempts, including failed ones. */
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
  const unpriced = [...new Set(usages.filter(usage => usage.costUsd === null).map(({ model }) => model))];
  return {
    runId,
    nodeId: event.node,
    iteration: event.iteration ?? '',
    operation: node?.kind.type ?? 'unknown',
    status: event.type === 'node.succeeded' ? 'Success' : 'Error',
    amountUsd: sum(usages.map(usage => usage.costUsd ?? '0')),
    reason: unpriced.length > 0 ? `Not charged, because the price is unknown: ${unpriced.join(', ')}.` : '',
    description: node?.label ?? '',
    usage: usages.length > 0 ? usages : null,
    serviceUsd: serviceCostOf(usages),
  };
}

/** The usage of one call. `masked` is written to the ledger; `original` identifies the reservation. */
export interface RunUsage {
  masked: Usage;
  original: Usage;
}

/** The usage of unfinished nodes over all attempts and steps. It is not on the ledger yet. */
export class UnbilledUsage {
  readonly #byNode = new Map<string, RunUsage[]>();

  constructor(events: Iterable<RunEvent | JournalEvent> = []) {
    for (const event of events) {
      this.add(event);
      if (event.type === 'node.succeeded' || event.type === 'node.failed') this.take(event);
    }
  }

  /** `unmasked` is the event from before masking. */
  add(event: RunEvent | JournalEvent, unmasked: RunEvent | JournalEvent = event): void {
    if (!('usage' in event) || !event.usage) return;
    const original = (unmasked as typeof event).usage ?? event.usage;
    this.#byNode.set(keyOf(event), [...this.#of(event), { masked: event.usage, original }]);
  }

  /** Returns and removes the usage of a node that is now billed. */
  take(place: NodePlace): RunUsage[] {
    const used = this.#of(place);
    this.#byNode.delete(keyOf(place));
    return used;
  }

  all(): Usage[] {
    return [...this.#byNode.values()].flat().map(({ original }) => original);
  }

  #of(place: NodePlace): RunUsage[] {
    if (this.#byNode.size === 0) return [];
    return this.#byNode.get(keyOf(place)) ?? [];
  }
}

function keyOf({ node, iteration = '' }: NodePlace): string {
  return JSON.stringify([node, iteration]);
}

/** A ledger row with the number, from 1, of the report or run in its statement that it belongs to. */
export type NumberedLedgerRow = Omit<LedgerRow, 'runId'> & { owner: number };

export const LEDGER_COLUMNS: ColumnTypes<NumberedLedgerRow> = {
  owner: 'int',
  nodeId: 'text',
  iteration: 'text',
  operation: 'text',
  status: 'text',
  amountUsd: 'numeric',
  reason: 'text',
  description: 'text',
  usage: 'json',
  serviceUsd: 'numeric',
};

/** Numbers the ledger rows of the reports or runs of a statement. */
export function numberLedgers(owners: readonly { ledger?: readonly LedgerRow[] | undefined }[]): NumberedLedgerRow[] {
  return owners.flatMap(({ ledger = [] }, index) => ledger.map(row => ({ ...row, owner: index + 1 })));
}
