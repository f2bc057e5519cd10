import { describe, expect, it } from '@jest/globals';
import { nextStartColumns } from '../../../src/modules/triggers/schedule/next-start.js';
import { selectOccurrences } from '../../../src/modules/triggers/schedule/occurrence-policy.js';
import { withStart } from '../../../src/modules/triggers/schedule/recurrence.js';
import {
  dueOccurrences,
  nextOccurrence,
  type Schedule,
  scheduleFault,
  startTime,
} from '../../../src/modules/triggers/schedule/schedule.js';
import { checkSchedule } from '../../../src/modules/triggers/trigger-settings.js';
import { Faults } from '../../../src/platform/errors/fields.js';

const daily = (timeZone: string, cron = '30 2 * * *'): Schedule => ({ cron, rrule: null, at: null, timeZone });
const time = (text: string) => new Date(text);

describe('occurrences', () => {
  it('happen exactly once on each day of a year, also when the clock changes', () => {
    const from = time('2026-01-01T00:00:00Z');
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
      const days = new Set<string>();
      let at = from;
      for (let day = 0; day < 365; day++) {
        at = nextOccurrence(daily(zone), at)!;
        days.add(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at));
      }
      expect(days.size).toBe(365);
      const dates = [...days];
      expect(Date.parse(dates.at(-1)!) - Date.parse(dates[0]!)).toBe(364 * 86_400_000);
    }
  });

  it.each([
    ['30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00:00Z', ['10-31T00:30', '11-01T01:30']],
    ['0,30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', ['03-28T01:00', '03-28T01:30', '03-29T00:00']],
    ['0,30 2,3 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', ['03-28T01:00', '03-28T01:30', '03-29T00:00']],
    ['0 * * * *', 'Europe/Berlin', '2027-10-30T23:30:00Z', ['10-31T00:00', '10-31T01:00', '10-31T02:00']],
    ['0 * * * *', 'Europe/Berlin', '2027-03-28T00:30:00Z', ['03-28T01:00', '03-28T02:00']],
    // The clock changes by half an hour.
    ['15 2 * * *', 'Australia/Lord_Howe', '2027-10-02T12:00:00Z', ['10-02T15:45', '10-03T15:15']],
    ['45 1 * * *', 'Australia/Lord_Howe', '2027-04-03T12:00:00Z', ['04-03T14:45', '04-04T15:15']],
    // The clock changes at midnight.
    ['30 0 * * 0', 'America/Santiago', '2027-09-04T12:00:00Z', ['09-05T04:30', '09-12T03:30']],
  ])(
    'of %s in %s around a daylight-saving transition are the same in both directions',
    (cron, timeZone, after, expected) => {
      const schedule = daily(timeZone, cron);
      const forwards: Date[] = [];
      for (let at = time(after); forwards.length < expected.length; forwards.push(at))
        at = nextOccurrence(schedule, at)!;
      expect(forwards.map(at => at.toISOString().slice(5, 16))).toEqual(expected);
      expect(dueOccurrences(schedule, forwards[0]!, forwards.at(-1)!, 100)).toEqual(forwards);
    },
  );

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
  const onTime = (occurrence: Date) => occurrence;

  it.each([
    ['skip' as const, [], [6, 7, 8, 9]],
    ['one' as const, [9], [6, 7, 8]],
    ['all' as const, [8, 9], [6, 7]],
  ])('are selected by the policy %s', (policy, start, skip) => {
    const selection = selectOccurrences(due, now, onTime, policy, 2);
    expect([hours(selection.start), hours(selection.skip)]).toEqual([start, skip]);
  });

  it('do not include the timely one', () => {
    expect(selectOccurrences([...due, now], now, onTime, 'one', 2).start).toEqual([now]);
  });

  it('do not include one that starts late because of its jitter, or after the jitter of an earlier one', () => {
    const [first, second] = [time('2026-01-01T09:50:00Z'), time('2026-01-01T09:55:00Z')];
    const startOf = (occurrence: Date) => (occurrence === first ? now : occurrence);
    expect(selectOccurrences([first, second], now, startOf, 'skip', 2)).toEqual({ start: [first, second], skip: [] });
    const later = time('2026-01-01T10:02:00Z');
    expect(selectOccurrences([first, second], later, startOf, 'skip', 2)).toEqual({ start: [], skip: [first, second] });
  });
});

describe('recurrence rules', () => {
  const rule = (rrule: string, timeZone = 'Europe/Berlin'): Schedule => ({ cron: null, rrule, at: null, timeZone });
  const next = (schedule: Schedule, after: string) => nextOccurrence(schedule, time(after))?.toISOString() ?? null;

  it.each([
    ['DTSTART:20260101T090000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR', '2026-11-24T00:00:00Z', '2026-11-27T08:00:00.000Z'],
    ['DTSTART:20260101T090000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR', '2026-07-01T00:00:00Z', '2026-07-31T07:00:00.000Z'],
    ['DTSTART:20260101T090000\nRRULE:FREQ=DAILY;COUNT=3', '2026-01-02T09:00:00Z', '2026-01-03T08:00:00.000Z'],
    ['DTSTART:20260101T090000\nRRULE:FREQ=DAILY;COUNT=3', '2026-01-03T09:00:00Z', null],
    [
      'DTSTART:20260101T090000\nRRULE:FREQ=DAILY\nEXDATE:20260102T090000',
      '2026-01-01T09:00:00Z',
      '2026-01-03T08:00:00.000Z',
    ],
    // The local time does not exist on this day.
    ['DTSTART:20260328T023000\nRRULE:FREQ=DAILY', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00.000Z'],
  ])('%j are due after %s at %s', (text, after, expected) => {
    expect(next(rule(text), after)).toBe(expected);
  });

  it('count backwards from now', () => {
    const due = dueOccurrences(
      rule('DTSTART:20200101T000000\nRRULE:FREQ=MINUTELY', 'UTC'),
      time('2020-01-01T00:00:00Z'),
      time('2026-01-01T00:00:30Z'),
      2,
    );
    expect(due.map(each => each.toISOString())).toEqual(['2025-12-31T23:59:00.000Z', '2026-01-01T00:00:00.000Z']);
  });

  it('without a first time begin now, in their zone', () => {
    const text = withStart('FREQ=WEEKLY;BYDAY=MO', 'Europe/Berlin', time('2026-07-01T22:30:40Z'));
    expect(text).toBe('DTSTART;TZID=Europe/Berlin:20260702T003000\nRRULE:FREQ=WEEKLY;BYDAY=MO');
    expect(withStart(text, 'UTC', new Date())).toBe(text);
  });

  it('that need too much work have no further occurrence', () => {
    expect(
      next(rule('DTSTART:20260101T090000\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'), '2026-01-01T00:00:00Z'),
    ).toBeNull();
  });
});

describe('faults', () => {
  it.each<[Partial<Schedule>, string]>([
    [{ cron: '61 * * * *' }, 'cron'],
    [{ cron: '* * *' }, 'cron'],
    [{}, 'cron'],
    [{ cron: '* * * * *', rrule: 'FREQ=DAILY' }, 'cron'],
    [{ cron: '* * * * *', timeZone: 'Mars/Base' }, 'timeZone'],
    [{ rrule: 'FREQ=NEVER' }, 'rrule'],
    [{ rrule: 'DTSTART:20200101T090000\nRRULE:FREQ=DAILY;UNTIL=20200201T000000Z' }, 'rrule'],
    [{ rrule: 'DTSTART:20260101T090000\nRRULE:FREQ=DAILY;COUNT=1001' }, 'rrule'],
    [{ rrule: 'x'.repeat(501) }, 'rrule'],
  ])('of %j name %s', (given, member) => {
    expect(scheduleFault({ cron: null, rrule: null, at: null, timeZone: 'UTC', ...given })?.member).toBe(member);
  });
});

describe('a single time', () => {
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

  function settingsOf(at: Date, storedAt: Date | null = null) {
    const faults = new Faults();
    const settings = checkSchedule({ at }, storedAt, faults);
    faults.throwIfAny();
    return settings;
  }

  it('that has passed is refused, and the fault names both times', () => {
    const past = secondsAgo(90);
    const message = expect.stringMatching(`^The time ${past.toISOString()} has passed: it is 2\\S+Z now.`);
    const refused = expect.objectContaining({
      extensions: { code: 'BAD_USER_INPUT', fields: { 'schedule.at': [message] } },
    });
    for (const stored of [null, secondsAgo(120)]) expect(() => settingsOf(past, stored)).toThrow(refused);
  });

  it('that has passed may be saved again', () => {
    const past = secondsAgo(90);
    const settings = settingsOf(past, past);
    expect(settings.at).toBe(past.toISOString());
    expect(nextStartColumns(1, settings)).toEqual({ next_at: null, start_at: null });
  });

  it('that has passed within the last minute starts at once when it is new, and not again', () => {
    const past = secondsAgo(30);
    const settings = settingsOf(past);
    expect(nextStartColumns(1, settings, true)).toEqual({ next_at: past, start_at: past });
    expect(nextStartColumns(1, settings)).toEqual({ next_at: null, start_at: null });
  });
});
