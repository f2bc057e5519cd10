/** Time after which a computation lets other work proceed. */
const SLICE_MS = 10;
/** Units of work between two readings of the time. */
const UNITS_PER_READING = 2000;

/** Divides a long computation, so that other work of the process proceeds. */
export class TimeSlices {
  #startedAt = performance.now();
  #units = 0;

  constructor(private readonly sleep: () => Promise<void>) {}

  /** Counts units of work, of less than a microsecond each. Returns true if `pause` has to be called. */
  isOver(units: number): boolean {
    this.#units += units;
    if (this.#units < UNITS_PER_READING) return false;
    this.#units = 0;
    return performance.now() - this.#startedAt > SLICE_MS;
  }

  async pause(): Promise<void> {
    await this.sleep();
    this.#startedAt = performance.now();
  }
}
