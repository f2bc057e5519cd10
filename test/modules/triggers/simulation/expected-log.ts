import { startTime } from '../../../../src/modules/triggers/schedule/schedule.js';
import { expectedOccurrences } from './expected-occurrences.js';
import { type SimulatedSchedule, YEAR } from './simulated-schedule.js';

const GRACE_MS = 60_000;

/** An entry of the log of a trigger. */
export interface Entry {
  dueAt: number;
  outcome: 'started' | 'skipped' | 'waiting';
  reason: 'It was missed.' | 'The previous run has not ended.' | null;
}

/** A started run. */
export interface SimulatedRun {
  triggerId: number;
  dueAt: number;
  endsAt: number;
  hasEnded: boolean;
}

/** What the policies of a schedule demand. */
export class ExpectedLog {
  readonly entries: Entry[] = [];
  readonly runs: SimulatedRun[] = [];
  readonly #occurrences: number[];
  #waitingAt: number | null = null;

  constructor(
    readonly triggerId: number,
    readonly schedule: SimulatedSchedule,
    from = YEAR.start,
  ) {
    this.#occurrences = expectedOccurrences(schedule).filter(time => time >= from);
  }

  /** The next occurrence. Undefined at the end of the year. */
  get next(): number | undefined {
    return this.#occurrences[0];
  }

  /** When the next occurrence starts. */
  get startsAt(): number {
    return this.next === undefined ? Number.POSITIVE_INFINITY : this.#startOf(this.next);
  }

  get #lastRun(): SimulatedRun | undefined {
    return this.runs.at(-1);
  }

  /** A run waits for the end of its predecessor, which has ended. */
  get mayContinue(): boolean {
    return this.#waitingAt !== null && this.#lastRun?.hasEnded === true;
  }

  /**
   * Handles the occurrences that are due, as one pass of the service at this time: first the new ones, then the one that
   * waits. The schedules have at least half an hour between occurrences, more than any jitter.
   */
  pass(now: number): void {
    const later = this.#occurrences.findIndex(time => this.#startOf(time) > now);
    const due = this.#occurrences.splice(0, later < 0 ? this.#occurrences.length : later);
    const missed = due.filter(time => now - this.#startOf(time) > GRACE_MS);
    const timely = due.slice(missed.length);
    const kept = this.#keptOf(missed, timely);
    for (const dueAt of missed.slice(0, missed.length - kept))
      this.entries.push({ dueAt, outcome: 'skipped', reason: 'It was missed.' });
    for (const dueAt of [...missed.slice(missed.length - kept), ...timely]) this.#occur(dueAt, now);
    if (!this.mayContinue) return;
    this.#start(this.#waitingAt!, now);
    this.#waitingAt = null;
  }

  #keptOf(missed: readonly number[], timely: readonly number[]): number {
    const { missed: policy, maxMissed } = this.schedule;
    const kept = policy === 'all' ? maxMissed : policy === 'one' && timely.length === 0 ? 1 : 0;
    return Math.min(kept, missed.length);
  }

  #occur(dueAt: number, now: number): void {
    const { overlap } = this.schedule;
    const last = this.#lastRun;
    const isBusy = this.#waitingAt !== null || last?.hasEnded === false;
    if (!isBusy || overlap === 'allow') return this.#start(dueAt, now);
    if (overlap === 'cancel_previous') {
      last!.hasEnded = true;
      return this.#start(dueAt, now);
    }
    if (overlap === 'queue' && this.#waitingAt === null) {
      this.#waitingAt = dueAt;
      this.entries.push({ dueAt, outcome: 'waiting', reason: null });
      return;
    }
    this.entries.push({ dueAt, outcome: 'skipped', reason: 'The previous run has not ended.' });
  }

  #start(dueAt: number, now: number): void {
    const endsAt = now + this.schedule.runMinutes * 60_000;
    this.runs.push({ triggerId: this.triggerId, dueAt, endsAt, hasEnded: false });
    this.entries.push({ dueAt, outcome: 'started', reason: null });
  }

  #startOf(occurrence: number): number {
    return startTime(this.triggerId, new Date(occurrence), this.schedule.jitterSeconds).getTime();
  }
}
