import type { RoundEvent } from '../../../engine/scenario/events/run-event.js';
import type { RunCharge } from '../../billing/charge-run.sql.js';
import { reasonOf, serviceCostOf } from '../../billing/service-cost.js';

/** The end of a round, which the ledger charges. */
export type RoundEnd = Extract<RoundEvent, { type: 'message.succeeded' | 'message.failed' }>;

/** Builds the charge for a round. The node id is the key of the message; the iteration is set for several rounds. */
export function toRunCharge(event: RoundEnd, key: string): RunCharge {
  const { usage } = event;
  return {
    nodeId: key,
    iteration: event.rounds === 1 ? '' : String(event.round),
    status: event.type === 'message.succeeded' ? 'Success' : 'Error',
    amountUsd: usage?.costUsd ?? '0',
    reason: usage ? reasonOf(usage) : '',
    description: key,
    usage: usage ? [usage] : null,
    serviceUsd: serviceCostOf(usage ? [usage] : []),
  };
}
