import type { Clock } from '../../ports.js';

/** Maximum duration of one timer. Longer waits use several timers. */
const LONGEST_TIMER_MS = 86_400_000;

/** A wait for an external event. */
export interface ExternalWait<T> {
  /** Time of the last check, in milliseconds since 1970; null: check only when signalled. */
  until: number | null;
  /** Checks for the result; undefined: not available yet. */
  check(): Promise<T | undefined>;
  /** Aborts the wait. The promise rejects with its reason. */
  signal: AbortSignal;
}

interface Entry {
  until: number | null;
  check(): void;
}

/** The waits of a run. When only waits are left, the run is suspended and occupies no worker. */
export class ExternalWaits {
  readonly #entries = new Set<Entry>();
  #checking = 0;

  constructor(
    private readonly clock: Clock,
    private readonly onChange: () => void,
  ) {}

  /** True if no check is in progress, so only a signal or time can end a wait. */
  get isQuiet(): boolean {
    return this.#checking === 0;
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
  checkAll(): void {
    for (const entry of this.#entries) entry.check();
  }

  /** Waits until `check` returns a result. */
  wait<T>({ until, check, signal }: ExternalWait<T>): Promise<T> {
    const timers = new AbortController();
    return new Promise<T>((resolve, reject) => {
      let isChecking = false;
      // True if a further check was requested during a check, which may have missed the result.
      let isStale = false;
      const settle = (finish: () => void) => {
        if (!this.#entries.delete(entry)) return;
        timers.abort();
        signal.removeEventListener('abort', onAbort);
        finish();
        this.onChange();
      };
      const onAbort = () => settle(() => reject(signal.reason));
      const checkNow = async () => {
        if (isChecking) {
          isStale = true;
          return;
        }
        isChecking = true;
        this.#checking++;
        try {
          do {
            isStale = false;
            const result = await check();
            if (result !== undefined) settle(() => resolve(result));
          } while (isStale && this.#entries.has(entry));
        } catch (error) {
          settle(() => reject(error));
        } finally {
          isChecking = false;
          this.#checking--;
          this.onChange();
        }
      };
      const entry: Entry = { until, check: () => void checkNow() };
      this.#entries.add(entry);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      if (until !== null) void this.#checkAt(until, checkNow, timers.signal);
      void checkNow();
    });
  }

  async #checkAt(until: number, check: () => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      for (let left = this.#remainingMs(until); left > 0; left = this.#remainingMs(until)) {
        await this.clock.sleep(Math.min(left, LONGEST_TIMER_MS), signal);
      }
      await check();
    } catch {
      // The timer is aborted only by the end of the wait.
    }
  }

  #remainingMs(until: number): number {
    return until - this.clock.now().getTime();
  }
}
