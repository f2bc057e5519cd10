import { CallTimer } from '../call-timer.js';
import type { CallContext, Clock } from '../ports.js';
import { PortError } from '../ports.js';
import type { RunError } from './events/run-event.js';
import { ScenarioError } from './failure.js';

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
    const timer = new CallTimer(this.clock);
    let ended: RunError | undefined;
    let forget = () => {};
    const cutShort = new Promise<never>((_, reject) => {
      const end = async (reason: RunError) => {
        if (ended) return;
        ended = reason;
        controller.abort(new DOMException(reason.message, 'AbortError'));
        for (let turn = 0; turn < TURNS_AFTER_ABORT; turn++) await undefined;
        reject(new ScenarioError(reason.code, reason.message));
      };
      this.#inFlight.add(end);
      forget = () => this.#inFlight.delete(end);
      timer.start(this.timeoutMs, () => void end(this.#timedOut()));
    });
    try {
      const call: CallContext = { signal: controller.signal, idempotencyKey, waitFor: turn => timer.wait(turn) };
      return await Promise.race([ask(call), cutShort]);
    } catch (error) {
      if (!ended) throw error;
      throw new ScenarioError(ended.code, ended.message, error instanceof PortError ? error.usage : undefined);
    } finally {
      timer.stop();
      forget();
    }
  }

  endAll(reason: RunError): void {
    for (const end of this.#inFlight) end(reason);
  }

  #timedOut(): RunError {
    return { code: 'timeout', message: `the message was not answered within ${this.timeoutMs / 1000} seconds` };
  }
}
