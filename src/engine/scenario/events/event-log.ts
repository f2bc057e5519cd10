import type { Clock } from '../../ports.js';
import type { RoundEvent, UntimedEvent } from './run-event.js';

interface Report {
  event: RoundEvent;
  onTaken(): void;
}

/** Queue of events between a run and its caller. The caller takes one event at a time. */
export class EventLog {
  readonly #waiting: Report[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Queues an event. Resolves when the caller has taken it; never resolves after the run was abandoned. */
  append(untimed: UntimedEvent): Promise<void> {
    return new Promise(resolve => {
      if (this.#isClosed) return;
      const event = { ...untimed, at: this.now() } as RoundEvent;
      this.#waiting.push({ event, onTaken: resolve });
      this.wake();
    });
  }

  /** Takes the next event, if there is one. */
  next(): Report | undefined {
    return this.#waiting.shift();
  }

  /** Removes all queued events and yields the answers among them. */
  *drainAnswers(): Generator<RoundEvent> {
    for (const { event } of this.#waiting.splice(0)) {
      if (event.type === 'message.succeeded' || event.type === 'message.failed') yield event;
    }
  }

  /** Resolves when an event is queued or the queue is closed. */
  waitForEvent(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
      if (this.#isClosed || this.#waiting.length > 0) resolve();
    });
  }

  /** Wakes the caller that waits for an event. */
  wake(): void {
    this.#wake?.();
  }

  /** Ignores further events and wakes the caller. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** The current time as ISO 8601 text. */
  now(): string {
    return this.clock.now().toISOString();
  }
}
