import type { Usage } from '../../../engine/ports.js';
import type { RoundEvent } from '../../../engine/scenario/events/run-event.js';
import { serviceCostOf } from '../../billing/service-cost.js';

/** One round of a message on the ledger. */
export interface LedgerRow {
  nodeId: string;
  iteration: string;
  status: 'Success' | 'Error';
  amountUsd: string;
  reason: string;
  description: string;
  usage: Usage[] | null;
  /** Paid with a provider key of the service; undefined: nothing. */
  serviceUsd: string | undefined;
}

/** Columns of LedgerRow in a JSON array, for json_to_recordset. */
export const LEDGER_COLUMNS = `"nodeId" text, iteration text, status text, "amountUsd" numeric, reason text,
  description text, usage json, "serviceUsd" numeric`;

export type RoundEnd = Extract<RoundEvent, { type: 'message.succeeded' | 'message.failed' }>;

/** The row of a round that ended, by the key of its message; one of several rounds is told apart by its number from 0. */
export function ledgerRow(event: RoundEnd, key: string): LedgerRow {
  const { usage } = event;
  return {
    nodeId: key,
    iteration: event.rounds === 1 ? '' : String(event.round),
    status: event.type === 'message.succeeded' ? 'Success' : 'Error',
    amountUsd: usage?.costUsd ?? '0',
    reason: usage && usage.costUsd === null ? `The price of ${usage.model} is unknown: charged nothing.` : '',
    description: key,
    usage: usage ? [usage] : null,
    serviceUsd: serviceCostOf(usage ? [usage] : []),
  };
}
