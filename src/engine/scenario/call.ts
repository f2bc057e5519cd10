import type { CallContext, Clock } from '../ports.js';
import { PortError } from '../ports.js';
import { ScenarioError } from './failure.js';
import type { RunError } from './run-event.js';

/** Turns of the microtask queue that an aborted call has to say what it cost. */
const TURNS_AFTER_ABORT = 16;

/** The calls of one run that are in flight: each within its time, all of them ended with the run. */
export class Calls {
  readonly #inFlight = new Set<(reason: RunError) => void>();

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** What the port answers; one that does not heed its signal is let go. */
  async make<T>(idempotencyKey: string, ask: (call: CallContext) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = new AbortController();
    let ended: RunError | undefined;
    const cutShort = new Promise<never>((_, reject) => {
      const end = async (reason: RunError) => {
        if (ended) return;
        ended = reason;
        controller.abort(new DOMException(reason.message, 'AbortError'));
        for (let turn = 0; turn < TURNS_AFTER_ABORT; turn++) await undefined;
        reject(new ScenarioError(reason.code, reason.message));
      };
      this.#inFlight.add(end);
      timer.signal.addEventListener('abort', () => this.#inFlight.delete(end));
      this.clock.sleep(this.timeoutMs, timer.signal).then(
        () => end(this.#timedOut()),
        () => {},
      );
    });
    try {
      return await Promise.race([ask({ signal: controller.signal, idempotencyKey }), cutShort]);
    } catch (error) {
      if (!ended) throw error;
      throw new ScenarioError(ended.code, ended.message, error instanceof PortError ? error.usage : undefined);
    } finally {
      timer.abort();
    }
  }

  endAll(reason: RunError): void {
    for (const end of this.#inFlight) end(reason);
  }

  #timedOut(): RunError {
    return { code: 'timeout', message: `the message was not answered within ${this.timeoutMs / 1000} seconds` };
  }
}
