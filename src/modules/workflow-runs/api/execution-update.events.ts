import { findNode, type Graph } from '../../../engine/workflow/graph/graph.js';
import type { NodeEntry, Progress } from '../../../engine/workflow/run/progress.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { type LedgerRow, ledgerRow, type NodeEnd } from '../journal/run-ledger.js';
import type { ParsedUpdate, UpdateEntries, UpdateTransactions } from './execution-update.parsing.js';

/** Converts the new information of an update into run events. */
export function eventsOf({ status, entries, output, error }: ParsedUpdate, existing: Progress, at: string): RunEvent[] {
  const events: RunEvent[] = [];
  for (const [node, entry] of Object.entries(entries))
    events.push(...nodeEvents(node, entry, existing.nodes.get(node), at));
  if (status === 'succeed') events.push({ type: 'run.succeeded', at, output });
  if (status === 'failed') {
    const reason = error ?? { code: 'failed', message: 'The execution service reported a failure.' };
    events.push({ type: 'run.failed', at, error: reason, output });
  }
  return events;
}

function nodeEvents(
  node: string,
  entry: UpdateEntries[string],
  existing: NodeEntry | undefined,
  at: string,
): RunEvent[] {
  // The first reported end of a node is final.
  if (entry.status === 'in queue' || (existing && existing.status !== 'in progress')) return [];
  const started: RunEvent[] = existing ? [] : [{ type: 'node.started', node, at, attempt: 1 }];
  if (entry.status === 'in progress') return started;
  if (entry.status === 'succeed')
    return [...started, { type: 'node.succeeded', node, at, content: entry.result?.content ?? '' }];
  const error = entry.error ?? { code: 'failed', message: '' };
  return [...started, { type: 'node.failed', node, at, error, continued: false }];
}

/** An existing ledger row, which must not be written twice. */
export interface ExistingCharge {
  nodeId: string;
  operation: string;
}

/**
 * Returns the reported transactions as ledger rows. At the end of the run, every finished node without a charge
 * gets a row with amount 0, so each executed node has one.
 */
export function ledgerOf(
  runId: string,
  { status, transactions }: ParsedUpdate,
  {
    events,
    existing,
    graph,
  }: { events: readonly RunEvent[]; existing: readonly ExistingCharge[]; graph: Graph | null },
): LedgerRow[] {
  const rows = new Map<string, LedgerRow>();
  const written = new Set(existing.map(keyOf));
  for (const [index, transaction] of transactions.entries()) {
    const row = ledgerRowOf(runId, transaction, index, graph);
    if (!written.has(keyOf(row)) && !rows.has(keyOf(row))) rows.set(keyOf(row), row);
  }
  if (status !== 'succeed' && status !== 'failed') return [...rows.values()];
  const charged = new Set([...existing, ...rows.values()].map(({ nodeId }) => nodeId));
  for (const event of events) {
    if (!isEnd(event) || event.iteration !== undefined || charged.has(event.node)) continue;
    charged.add(event.node);
    const row = ledgerRow({ runId, event, usages: [], graph });
    rows.set(keyOf(row), row);
  }
  return [...rows.values()];
}

function keyOf({ nodeId, operation }: ExistingCharge): string {
  return JSON.stringify([nodeId, operation]);
}

function isEnd(event: RunEvent): event is NodeEnd {
  return event.type === 'node.succeeded' || event.type === 'node.failed';
}

/** Builds a ledger row. A transaction without a node is identified by its index in the list. */
function ledgerRowOf(
  runId: string,
  transaction: UpdateTransactions[number],
  index: number,
  graph: Graph | null,
): LedgerRow {
  const nodeId = transaction.node_id ?? `transaction ${index}`;
  const label = graph && transaction.node_id ? findNode(graph, transaction.node_id)?.label : undefined;
  return {
    runId,
    nodeId,
    iteration: '',
    operation: transaction.operation,
    status: transaction.status,
    amountUsd: transaction.amount?.USD ?? '0',
    reason: transaction.reason ?? '',
    description: transaction.description ?? label ?? '',
    usage: null,
    serviceUsd: undefined,
  };
}
