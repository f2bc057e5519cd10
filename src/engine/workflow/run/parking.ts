import type { Clock } from '../../ports.js';

/** Maximum duration of one timer. Longer waits use several timers. */
const LONGEST_TIMER_MS = 86_400_000;

/** A wait for an external event. */
export interface ParkedWork<T> {
  /** Time of the last check, in milliseconds since 1970; null: check only when signalled. */
  until: number | null;
  /** Checks for the result; undefined: not available yet. */
  look(): Promise<T | undefined>;
  /** Aborts the wait. The promise rejects with its reason. */
  signal: AbortSignal;
}

interface Entry {
  until: number | null;
  look(): void;
}

/** The waits of a run. When only waits are left, the run is suspended and occupies no worker. */
export class Parking {
  readonly #entries = new Set<Entry>();
  #looking = 0;

  constructor(
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  /** True if no check is in progress, so only a signal or time can end a wait. */
  get isQuiet(): boolean {
    return this.#looking === 0;
  }

  /** Number of waits. */
  get count(): number {
    return this.#entries.size;
  }

  /** Earliest time of a check in milliseconds since 1970; null: no wait has a time. */
  get earliest(): number | null {
    let earliest: number | null = null;
    for (const { until } of this.#entries)
      if (until !== null && (earliest === null || until < earliest)) earliest = until;
    return earliest;
  }

  /** Checks every wait again. */
  lookAgain(): void {
    for (const entry of this.#entries) entry.look();
  }

  /** Waits until `look` returns a result. */
  wait<T>({ until, look, signal }: ParkedWork<T>): Promise<T> {
    const timers = new AbortController();
    return new Promise<T>((resolve, reject) => {
      let isLooking = false;
      let isStale = false;
      const settle = (finish: () => void) => {
        if (!this.#entries.delete(entry)) return;
        timers.abort();
        signal.removeEventListener('abort', onAbort);
        finish();
        this.onChange();
      };
      const onAbort = () => settle(() => reject(signal.reason));
      const lookNow = async () => {
        if (isLooking) {
          isStale = true;
          return;
        }
        isLooking = true;
        this.#looking++;
        try {
          do {
            isStale = false;
            const answer = await look();
            if (answer !== undefined) settle(() => resolve(answer));
          } while (isStale && this.#entries.has(entry));
        } catch (error) {
          settle(() => reject(error));
        } finally {
          isLooking = false;
          this.#looking--;
          this.onChange();
        }
      };
      const entry: Entry = { until, look: () => void lookNow() };
      this.#entries.add(entry);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      if (until !== null) void this.#lookAt(until, lookNow, timers.signal);
      void lookNow();
    });
  }

  async #lookAt(until: number, look: () => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      for (let left = this.#left(until); left > 0; left = this.#left(until)) {
        await this.clock.sleep(Math.min(left, LONGEST_TIMER_MS), signal);
      }
      await look();
    } catch {
      // The timer is aborted only by the end of the wait.
    }
  }

  #left(until: number): number {
    return until - this.clock.now().getTime();
  }
}
