import type { Clock } from '../../ports.js';

/** The longest that a timer of the process is set to; a longer wait is looked at again then. */
const LONGEST_TIMER_MS = 86_400_000;

/** Something waited for, that others bring about. */
export interface ParkedWork<T> {
  /** Milliseconds since 1970 at which to look again at the latest; null: only when something was signalled. */
  until: number | null;
  /** The answer; undefined: not yet. */
  look(): Promise<T | undefined>;
  /** Ends the wait: the promise rejects with its reason. */
  signal: AbortSignal;
}

interface Entry {
  until: number | null;
  look(): void;
}

/** The waits of a run that keep no worker: when nothing else is left to do, the run is suspended. */
export class Parking {
  readonly #entries = new Set<Entry>();
  #looking = 0;

  constructor(
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  /** Nothing can come of these waits without a signal or the passing of time. */
  get isQuiet(): boolean {
    return this.#looking === 0;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** When the first of the waits is to be looked at again; null: none has a time. */
  get earliest(): number | null {
    let earliest: number | null = null;
    for (const { until } of this.#entries)
      if (until !== null && (earliest === null || until < earliest)) earliest = until;
    return earliest;
  }

  /** Something may have come: every wait looks again. */
  lookAgain(): void {
    for (const entry of this.#entries) entry.look();
  }

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
      // Only the end of the wait cuts the timer short.
    }
  }

  #left(until: number): number {
    return until - this.clock.now().getTime();
  }
}
