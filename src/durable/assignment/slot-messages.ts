/** The notification channel on which workers offer slots and other processes request them. */
export const SLOT_CHANNEL = 'scenarium_slots';
/** The message of a process that requests slots of all workers. */
export const SLOT_REQUEST = 'request';
/** Interval in milliseconds at which a process without a worker requests slots. */
export const REQUEST_MS = 1_000;
/** Time in milliseconds after which an offer is no longer used, so that a suspended worker is assigned no more runs. */
export const OFFER_MS = 2_500;
/** Prefix of the notification channels of workers. The id of the worker follows. A message consists of run ids, separated by commas. */
export const ASSIGNMENT_CHANNEL_PREFIX = 'scenarium_assigned_';

/** A worker accepts `slots` runs from each process that receives the message. It replaces the worker's earlier offer. */
export interface SlotOffer {
  workerId: number;
  slots: number;
}

export function formatOffer({ workerId, slots }: SlotOffer): string {
  return `${workerId}:${slots}`;
}

/** Returns undefined for any other message. */
export function parseOffer(message: string): SlotOffer | undefined {
  const match = /^(\d+):(\d+)$/.exec(message);
  return match ? { workerId: Number(match[1]), slots: Number(match[2]) } : undefined;
}
