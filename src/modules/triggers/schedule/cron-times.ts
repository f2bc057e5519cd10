import { CronExpressionParser } from 'cron-parser';
import { changeBetween, isNearChange, MAX_CHANGE_MS, offsetAt, timeOfLocal } from './zone-time.js';

/** Daylight-saving transitions between two times of an expression, for example between two 29ths of February. */
const MAX_CHANGES = 100;

/**
 * The times of a cron expression in a zone, in milliseconds since the epoch. The expression is evaluated in local time:
 * - with fixed hours, a local time that occurs twice means the first occurrence, and one that a daylight-saving
 *   transition skips is moved forward by the transition;
 * - with every hour (`*`), each hour that passes counts.
 */
export class CronTimes {
  readonly #everyHour: boolean;

  /** @throws Error when the expression is invalid */
  constructor(
    private readonly cron: string,
    private readonly timeZone: string,
  ) {
    this.#everyHour = CronExpressionParser.parse(cron, { tz: 'UTC' }).fields.hour.isWildcard;
  }

  /** The first time after `after`. */
  next(after: number): number {
    return this.#everyHour ? this.#nextOfEveryHour(after) : this.#nextOfFixedHours(after);
  }

  /** The last time at or before `until`. */
  last(until: number): number {
    return this.#everyHour ? this.#lastOfEveryHour(until) : this.#lastOfFixedHours(until);
  }

  #nextOfFixedHours(after: number): number {
    const { timeZone } = this;
    const local = after + offsetAt(timeZone, after);
    // An earlier local time that a transition skips may be moved behind `after`.
    const locals = this.#locals(isNearChange(timeZone, after) ? local - MAX_CHANGE_MS : local);
    let found = Number.POSITIVE_INFINITY;
    for (;;) {
      const candidate = locals.next().getTime();
      const time = timeOfLocal(timeZone, candidate);
      if (time > after) found = Math.min(found, time);
      // A skipped local time is moved behind local times that follow it.
      if (found < Number.POSITIVE_INFINITY && candidate >= found + offsetAt(timeZone, found)) return found;
    }
  }

  #lastOfFixedHours(until: number): number {
    const { timeZone } = this;
    const local = until + offsetAt(timeZone, until);
    // A later local time may mean the first of two occurrences, which is before `until`. `+ 1` includes `until` itself.
    const locals = this.#locals((isNearChange(timeZone, until) ? local + MAX_CHANGE_MS : local) + 1);
    let found = Number.NEGATIVE_INFINITY;
    for (;;) {
      const candidate = locals.prev().getTime();
      const time = timeOfLocal(timeZone, candidate);
      if (time <= until) found = Math.max(found, time);
      if (found === Number.NEGATIVE_INFINITY) continue;
      // An earlier local time that a transition skips may be moved behind `found`.
      const reach = isNearChange(timeZone, found) ? MAX_CHANGE_MS : 0;
      if (candidate <= found + offsetAt(timeZone, found) - reach) return found;
    }
  }

  /** Searches with the offset at `after`, and again from each transition in front of the time that was found. */
  #nextOfEveryHour(after: number): number {
    const { timeZone } = this;
    let from = after;
    for (let changes = 0; changes < MAX_CHANGES; changes++) {
      const offset = offsetAt(timeZone, from + 1);
      const time =
        this.#locals(from + offset)
          .next()
          .getTime() - offset;
      if (offsetAt(timeZone, time) === offset) return time;
      from = changeBetween(timeZone, from + 1, time) - 1;
    }
    throw new Error('It has no time in the next years');
  }

  #lastOfEveryHour(until: number): number {
    const { timeZone } = this;
    let to = until;
    for (let changes = 0; changes < MAX_CHANGES; changes++) {
      const offset = offsetAt(timeZone, to);
      const time =
        this.#locals(to + offset + 1)
          .prev()
          .getTime() - offset;
      if (offsetAt(timeZone, time) === offset) return time;
      to = changeBetween(timeZone, time, to) - 1;
    }
    throw new Error('It has no time in the last years');
  }

  /** Local times as if they were UTC: `next` returns those after `local`, `prev` those before it. */
  #locals(local: number) {
    return CronExpressionParser.parse(this.cron, { tz: 'UTC', currentDate: new Date(local) });
  }
}
