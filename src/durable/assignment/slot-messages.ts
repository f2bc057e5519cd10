/** The notification channel on which workers offer slots and other processes ask for them. */
export const SLOT_CHANNEL = 'scenarium_slots';
/** The message of a process that asks all workers for slots. */
export const SLOT_REQUEST = 'request';
/** Interval in milliseconds at which a process without a worker asks for slots. */
export const REQUEST_MS = 1_000;
/** Time in milliseconds after which an offer is no longer used. A dead worker is assigned no runs afterwards. */
export const OFFER_MS = 2_500;

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

/** Returns the channel that announces runs to the worker to which they are assigned. A message consists of run ids, separated by commas. */
export function assignmentChannel(workerId: number | ''): string {
  return `scenarium_assigned_${workerId}`;
}
