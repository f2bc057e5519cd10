import type { Random } from '../../../faults/suite/random.js';

/** A schedule on half hours of a zone, from which its settings and its expected occurrences are derived. */
export interface SimulatedSchedule {
  form: 'cron' | 'rrule';
  timeZone: string;
  minutes: readonly number[];
  /** `*`: every hour. */
  hours: readonly number[] | '*';
  /** Days of the week from 0 (Sunday). `*`: every day. */
  weekdays: readonly number[] | '*';
  overlap: 'skip' | 'queue' | 'cancel_previous' | 'allow';
  missed: 'skip' | 'one' | 'all';
  maxMissed: number;
  jitterSeconds: number;
  /** How long its runs take in simulated time. */
  runMinutes: number;
}

export const YEAR = { start: Date.UTC(2027, 0, 1), end: Date.UTC(2028, 0, 1) };

/** The clocks of these zones change by an hour or half an hour, at night or at midnight, or never. */
const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Auckland'],
  ...['Africa/Cairo', 'Asia/Kolkata', 'UTC'],
];
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Half of the schedules are daily, others are due on one or two weekdays or three times a day, and one of 200 hourly. */
export function randomSchedule(random: Random, index: number): SimulatedSchedule {
  // Hours at which clocks change are more likely than others.
  const hour = () => (random.chance(0.6) ? random.between(0, 3) : random.between(0, 23));
  const kind = index % 200 === 0 ? 'hourly' : random.pick(['daily', 'daily', 'daily', 'weekly', 'weekly', 'often']);
  const hours = kind === 'hourly' ? '*' : kind === 'often' ? distinct([hour(), hour(), hour()]) : [hour()];
  const days = distinct([random.between(0, 6), random.between(0, 6)]);
  return {
    form: kind === 'hourly' || random.chance(0.7) ? 'cron' : 'rrule',
    timeZone: random.pick(ZONES),
    minutes: kind === 'daily' && random.chance(0.2) ? [0, 30] : [random.pick([0, 30])],
    ...{ hours, weekdays: kind === 'weekly' ? days : '*' },
    overlap: random.pick(['skip', 'queue', 'cancel_previous', 'allow']),
    missed: random.pick(['skip', 'one', 'all']),
    maxMissed: random.between(1, 5),
    jitterSeconds: random.chance(0.2) ? random.between(1, 1_200) : 0,
    runMinutes: random.pick([0, 5, 45, 400, 1_500, 3_000]),
  };
}

/** The settings of a trigger as the REST API takes them. */
export function settingsOf(schedule: SimulatedSchedule): Record<string, unknown> {
  const { form, timeZone, minutes, hours, weekdays, overlap, missed, maxMissed, jitterSeconds } = schedule;
  const list = (values: readonly (number | string)[] | '*') => (values === '*' ? '*' : values.join(','));
  const cron = `${list(minutes)} ${list(hours)} * * ${list(weekdays)}`;
  const days = weekdays === '*' ? '' : `;BYDAY=${weekdays.map(day => DAYS[day]).join(',')}`;
  const rule = `FREQ=DAILY;BYHOUR=${list(hours)};BYMINUTE=${list(minutes)};BYSECOND=0${days}`;
  return {
    ...(form === 'cron' ? { cron } : { rrule: `DTSTART;TZID=${timeZone}:20260101T000000\nRRULE:${rule}` }),
    ...{ time_zone: timeZone, overlap, missed, max_missed: maxMissed, jitter_seconds: jitterSeconds },
  };
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].toSorted((a, b) => a - b);
}
