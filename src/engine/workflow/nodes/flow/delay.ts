import { z } from 'zod';
import { DAY_MS } from '../../../expressions/functions/time-zone.js';
import { isUnset } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { type KindFault, nodeKind, oneOutput } from '../../graph/node-kind.js';
import { isTimeZone, nextMoment } from './next-moment.js';

const MAX_SECONDS = 30 * 86_400;
const MAX_AHEAD_MS = 366 * DAY_MS;
const ZONE_FORM = 'must be the IANA name of a time zone';
const UNTIL_FORM = 'must be a timestamp (ISO 8601) of a day that exists, or a time of day (HH:MM)';

export const delay = nodeKind({
  type: 'delay-node',
  nodeType: 'DelayNode',
  title: 'Delay',
  description:
    'Waits for a number of seconds or until a time, without occupying a worker. The content is the empty text.',
  category: 'logic',
  effects: 'steps',
  outputs: oneOutput,
  defaults: { seconds: 60 },
  defaultTimeout: null,
  form: {
    icon: 'clock',
    color: '#64748b',
    fields: {
      seconds: { title: 'Seconds', widget: 'number' },
      until: { title: 'Until', widget: 'text' },
      time_zone: { title: 'Time zone', widget: 'text' },
    },
    content: { sample: '' },
  },
  settings: setting =>
    z.looseObject({
      seconds: setting
        .value(z.number().min(0).max(MAX_SECONDS))
        .nullish()
        .describe('Seconds to wait, 0-2592000 (30 days), fractions allowed. Either this or `until`.'),
      until: z
        .string()
        .max(100)
        .nullish()
        .describe(
          'Time until which the node waits: a timestamp (ISO 8601, such as `2027-01-31T09:00:00Z`), or a time of day (`HH:MM` or `HH:MM:SS`), whose next occurrence counts. A local time that a daylight-saving transition skips is moved forward by the transition; one that occurs twice means the first occurrence. A past timestamp does not wait. At most 366 days ahead. Either this or `seconds`.',
        ),
      time_zone: z
        .string()
        .max(100)
        .nullish()
        .describe(
          'Time zone (IANA name, such as `Europe/Berlin`) of a time of day, and of a timestamp without an offset. Default `UTC`.',
        ),
    }),
  check: ({ seconds, until, time_zone: zone }) => {
    if (isUnset(seconds) && isUnset(until))
      return [{ code: 'invalid_setting', path: 'seconds', message: 'required without until' }];
    if (isUnset(until)) return [];
    if (!isUnset(seconds))
      return [{ code: 'invalid_setting', path: 'until', message: 'must be absent if seconds is set' }];
    const faults: KindFault[] = [];
    if (isConstant(zone) && !isTimeZone(zone)) faults.push({ path: 'time_zone', message: ZONE_FORM });
    // Which moment it is depends on the start of the run.
    if (isConstant(until) && nextMoment(until.trim(), 'UTC', 0) === undefined)
      faults.push({ path: 'until', message: UNTIL_FORM });
    return faults;
  },
  execute: async ({ settings: { seconds, until, time_zone }, steps, scope }) => {
    const step = { name: 'delay' };
    if (typeof seconds === 'number') {
      if (seconds > 0) await steps.waitSeconds(step, seconds);
    } else {
      const moment = momentOf(until ?? '', time_zone || 'UTC', scope.now);
      if (moment > Date.parse(scope.now)) await steps.waitUntil(step, new Date(moment).toISOString());
    }
    return { content: '' };
  },
});

/** Whether a setting is a text that does not depend on the run. An empty text is absent. */
function isConstant(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('{{');
}

/** The start of the attempt decides which occurrence is the next, so that a resumed run waits for the same one. */
function momentOf(until: string, zone: string, now: string): number {
  if (!isTimeZone(zone)) throw new PortError('invalid_time', `time_zone ${ZONE_FORM}`, { isFinal: true });
  const moment = nextMoment(until.trim(), zone, Date.parse(now));
  if (moment === undefined) throw new PortError('invalid_time', `until ${UNTIL_FORM}`, { isFinal: true });
  if (moment - Date.parse(now) > MAX_AHEAD_MS)
    throw new PortError('invalid_time', 'until must be at most 366 days ahead', { isFinal: true });
  return moment;
}
