import { CallTimer } from '../call-timer.js';
import type { CallContext, Clock } from '../ports.js';
import { PortError } from '../ports.js';
import type { RunError } from './events/run-event.js';
import { ScenarioError } from './failure.js';

/** Microtask turns that an aborted call has to report its usage. */
const TURNS_AFTER_ABORT = 16;

/** The calls of one run that are in flight. Each has a timeout; all of them are aborted with the run. */
export class Calls {
  readonly #inFlight = new Set<(reason: RunError) => void>();

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** Makes a call and returns its result. A port that ignores the abort signal is abandoned. */
  async execute<T>(idempotencyKey: string, ask: (call: CallContext) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = new CallTimer(this.clock);
    let abortReason: RunError | undefined;
    let unregister = () => {};
    const aborted = new Promise<never>((_, reject) => {
      const end = async (reason: RunError) => {
        if (abortReason) return;
        abortReason = reason;
        controller.abort(new DOMException(reason.message, 'AbortError'));
        for (let turn = 0; turn < TURNS_AFTER_ABORT; turn++) await undefined;
        reject(new ScenarioError(reason.code, reason.message));
      };
      this.#inFlight.add(end);
      unregister = () => this.#inFlight.delete(end);
      timer.start(this.timeoutMs, () => void end(this.#timedOut()));
    });
    try {
      const { signal } = controller;
      return await Promise.race([timer.run(waitFor => ask({ signal, idempotencyKey, waitFor })), aborted]);
    } catch (error) {
      if (!abortReason) throw error;
      throw new ScenarioError(
        abortReason.code,
        abortReason.message,
        error instanceof PortError ? error.usage : undefined,
      );
    } finally {
      timer.stop();
      unregister();
    }
  }

  /** Aborts all calls in flight with `reason`. */
  endAll(reason: RunError): void {
    for (const end of this.#inFlight) end(reason);
  }

  #timedOut(): RunError {
    return { code: 'timeout', message: `the message was not answered within ${this.timeoutMs / 1000} seconds` };
  }
}
