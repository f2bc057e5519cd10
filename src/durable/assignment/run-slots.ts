/** Slots reserved for runs that this process is about to write as claimed. Either `start` or `release` must follow. */
export interface RunSlots<Run> {
  count: number;
  /** The worker that executes the runs, in another process (`SlotOffers.workerId`). Absent: this process executes them. */
  workerId?: number;
  /** Executes the runs, at most `count`. Their rows must be committed. */
  start(runs: readonly Run[]): void;
  /** Ends the reservation without runs. The worker of another process has ended or cannot be reached. */
  release(): void;
}
