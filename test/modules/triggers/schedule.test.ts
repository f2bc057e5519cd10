import { describe, expect, it } from '@jest/globals';
import { selectOccurrences } from '../../../src/modules/triggers/schedule/occurrence-policy.js';
import {
  dueOccurrences,
  nextOccurrence,
  type Schedule,
  scheduleFault,
  startTime,
} from '../../../src/modules/triggers/schedule/schedule.js';

const daily = (timeZone: string, cron = '30 2 * * *'): Schedule => ({ cron, at: null, timeZone });
const time = (text: string) => new Date(text);

describe('occurrences', () => {
  it('happen once a day when the clock changes', () => {
    const from = time('2026-01-01T00:00:00Z');
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
      const days = new Set<string>();
      let at = from;
      for (let day = 0; day < 365; day++) {
        at = nextOccurrence(daily(zone), at)!;
        days.add(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at));
      }
      expect(days.size).toBe(365);
    }
  });

  it('that the change to summer time skips are an hour later', () => {
    expect(nextOccurrence(daily('Europe/Berlin'), time('2026-03-29T00:00:00Z'))).toEqual(time('2026-03-29T01:30:00Z'));
  });

  it('count backwards from now, so a long pause costs no more than a short one', () => {
    const due = dueOccurrences(
      daily('UTC', '* * * * * *'),
      time('2020-01-01T00:00:00Z'),
      time('2026-01-01T00:00:00Z'),
      3,
    );
    expect(due.map(each => each.toISOString())).toEqual([
      '2025-12-31T23:59:58.000Z',
      '2025-12-31T23:59:59.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
  });

  it('start late by at most the jitter, and always by the same', () => {
    const at = time('2026-01-01T00:00:00Z');
    const starts = Array.from({ length: 50 }, (_, id) => startTime(id, at, 60).getTime() - at.getTime());
    expect(starts.every(ms => ms >= 0 && ms <= 60_000)).toBe(true);
    expect(new Set(starts).size).toBeGreaterThan(40);
    expect(startTime(7, at, 60)).toEqual(startTime(7, at, 60));
  });
});

describe('missed occurrences', () => {
  const now = time('2026-01-01T10:00:00Z');
  const due = [6, 7, 8, 9].map(hour => time(`2026-01-01T0${hour}:00:00Z`));
  const hours = (dates: Date[]) => dates.map(date => date.getUTCHours());

  it.each([
    ['skip' as const, [], [6, 7, 8, 9]],
    ['one' as const, [9], [6, 7, 8]],
    ['all' as const, [8, 9], [6, 7]],
  ])('are selected by the policy %s', (policy, start, skip) => {
    const selection = selectOccurrences(due, now, policy, 2);
    expect([hours(selection.start), hours(selection.skip)]).toEqual([start, skip]);
  });

  it('do not include the timely one', () => {
    expect(selectOccurrences([...due, now], now, 'one', 2).start).toEqual([now]);
  });
});

describe('faults', () => {
  it.each([
    [{ cron: '61 * * * *', at: null, timeZone: 'UTC' }, 'cron'],
    [{ cron: '* * *', at: null, timeZone: 'UTC' }, 'cron'],
    [{ cron: null, at: null, timeZone: 'UTC' }, 'cron'],
    [{ cron: '* * * * *', at: null, timeZone: 'Mars/Base' }, 'timeZone'],
  ])('of %j name %s', (schedule, member) => {
    expect(scheduleFault(schedule)?.member).toBe(member);
  });
});
