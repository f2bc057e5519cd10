import type { SlotOffer } from './slot-messages.js';

/** Slots reserved for runs that are about to be inserted as claimed. Either `start` or `release` must follow, if present. */
export interface RunSlots<Run> {
  count: number;
  /** The offer of the worker of another process that executes the runs. Absent: this process executes them. */
  offer?: Pick<SlotOffer, 'workerId' | 'offeredAt'>;
  /** Executes the runs, at most `count`. Their rows must be committed. Absent: their notification starts them. */
  start?(runs: readonly Run[]): void;
  /** Ends the reservation after a failed insertion. Absent: unused slots return with the next offer. */
  release?(): void;
  /** Ends the use of the offer, because the worker of the other process accepts no more runs. */
  discardOffer?(): void;
}
