import type { Clock } from '../../ports.js';
import type { RoundEvent, UntimedEvent } from './run-event.js';

interface Report {
  event: RoundEvent;
  whenTaken(): void;
}

/** The events on their way to the caller, who takes one at a time. */
export class EventLog {
  readonly #waiting: Report[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Resolves once the caller has taken the event; never after the run was abandoned. */
  tell(told: UntimedEvent): Promise<void> {
    return new Promise(resolve => {
      if (this.#isClosed) return;
      const event = { ...told, at: this.now() } as RoundEvent;
      this.#waiting.push({ event, whenTaken: resolve });
      this.wake();
    });
  }

  next(): Report | undefined {
    return this.#waiting.shift();
  }

  /** Answers that are known and not reported. */
  *answers(): Generator<RoundEvent> {
    for (const { event } of this.#waiting.splice(0)) {
      if (event.type === 'message.succeeded' || event.type === 'message.failed') yield event;
    }
  }

  /** Resolves when there may be something to take, or nothing will come any more. */
  somethingHappened(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
      if (this.#isClosed || this.#waiting.length > 0) resolve();
    });
  }

  wake(): void {
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  now(): string {
    return this.clock.now().toISOString();
  }
}
