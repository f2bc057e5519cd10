import type { Log } from '../../base/log.js';
import type { Budget } from './budget.js';

const EVERY_MS = 60_000;

/** The last net under reservations: drops those whose holder is gone. */
export class ReservationSweep {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly budget: Budget,
    private readonly log: Log,
  ) {}

  start(): void {
    const round = () => {
      this.budget.expire().catch(error => this.log.warn({ err: error }, 'the sweep failed; trying again in a minute'));
    };
    this.#timer = setInterval(round, EVERY_MS);
    round();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
