/** Slots reserved for runs that are about to be inserted as claimed. Either `start` or `release` must follow. */
export interface RunSlots<Run> {
  count: number;
  /** The worker of another process that executes the runs (`SlotOffers.workerId`). Absent: this process executes them. */
  workerId?: number;
  /** Executes the runs, at most `count`. Their rows must be committed. */
  start(runs: readonly Run[]): void;
  /** Ends the reservation after a failed insertion. */
  release(): void;
  /** Ends the use of the offer, because the worker of the other process accepts no more runs. */
  discardOffer?(): void;
}
