import { describe, expect, test } from '@jest/globals';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { nextMoment } from '../../../src/engine/workflow/nodes/flow/next-moment.js';
import { delay, execution, output, run, short, trigger, workflow } from '../samples.js';

const t = trigger('t');

describe('a delay until', () => {
  const at = (text: string, zone: string, now: string) => {
    const moment = nextMoment(text, zone, Date.parse(now));
    return moment === undefined ? undefined : new Date(moment).toISOString();
  };

  // A local time that a transition to daylight-saving time skips is shifted by the transition. One that occurs twice is the first of both.
  test.each<[string, string, string, string | undefined]>([
    ['2027-01-31T09:00:00Z', 'UTC', '2026-01-01T00:00:00Z', '2027-01-31T09:00:00.000Z'],
    ['2027-01-31T09:00:00+02:00', 'UTC', '2026-01-01T00:00:00Z', '2027-01-31T07:00:00.000Z'],
    ['2027-07-31T09:00', 'Europe/Berlin', '2026-01-01T00:00:00Z', '2027-07-31T07:00:00.000Z'],
    ['2027-01-31', 'America/New_York', '2026-01-01T00:00:00Z', '2027-01-31T05:00:00.000Z'],
    ['09:00', 'UTC', '2026-01-02T03:04:05Z', '2026-01-02T09:00:00.000Z'],
    ['03:00', 'UTC', '2026-01-02T03:04:05Z', '2026-01-03T03:00:00.000Z'],
    ['03:00', 'Asia/Kolkata', '2026-01-01T22:00:00Z', '2026-01-02T21:30:00.000Z'],
    ['09:00:30', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T07:00:30.000Z'],
    ['02:30', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['02:30', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['2025-03-09T02:30', 'America/New_York', '2025-01-01T00:00:00Z', '2025-03-09T07:30:00.000Z'],
    ['2025-11-02T01:30', 'America/New_York', '2025-01-01T00:00:00Z', '2025-11-02T05:30:00.000Z'],
    ['2025-10-05T02:15', 'Australia/Lord_Howe', '2025-01-01T00:00:00Z', '2025-10-04T15:45:00.000Z'],
    ['2025-04-06T01:45', 'Australia/Lord_Howe', '2025-01-01T00:00:00Z', '2025-04-05T14:45:00.000Z'],
    ['02:30', 'America/New_York', '2025-03-09T07:00:00Z', '2025-03-09T07:30:00.000Z'],
    ['01:30', 'America/New_York', '2025-11-02T05:45:00Z', '2025-11-03T06:30:00.000Z'],
    ['24:00', 'UTC', '2026-01-01T00:00:00Z', undefined],
    ['2027-02-30T00:00:00Z', 'UTC', '2026-01-01T00:00:00Z', undefined],
    ['2027-02-30', 'Europe/Berlin', '2026-01-01T00:00:00Z', undefined],
    ['2028-02-29T23:59:59.5', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T23:59:59.500Z'],
    ['tomorrow', 'UTC', '2026-01-01T00:00:00Z', undefined],
  ])('%s in %s after %s is %s', (text, zone, now, expected) => {
    expect(at(text, zone, now)).toBe(expected);
  });

  test('waits until the time, and not at all for a past timestamp', async () => {
    const graph = (until: string) => workflow([t, delay('d', undefined, { until }), output('o')], ['t>d', 'd>o']);
    const { events, suspended } = await execution(graph('2026-01-03T00:00:00Z'));
    expect(suspended?.until).toBe('2026-01-03T00:00:00.000Z');
    expect(short(events).at(-1)).toBe('d/delay…timer');
    expect(short(await run(graph('2020-01-01T00:00:00Z'))).slice(2, 4)).toEqual(['+d', 'd=']);
  });

  test.each([
    [{ until: 'soon' }, 'invalid_time'],
    [{ until: '09:00', time_zone: 'Mars/Base' }, 'invalid_time'],
    // More than 366 days ahead.
    [{ until: '2030-01-01T00:00:00Z' }, 'invalid_time'],
  ])('%j fails', async (data, code) => {
    const events = await run(workflow([t, delay('d', undefined, data)], ['t>d']));
    expect(events.at(-1)).toMatchObject({ error: { code } });
  });

  test.each([
    [{ until: '25:00' }, ['until']],
    [{ until: '2027-02-30T00:00:00Z' }, ['until']],
    [{ until: '09:00', time_zone: 'Mars/A' }, ['time_zone']],
    [{ until: '{{ input.x }}', time_zone: '{{ input.zone }}' }, []],
    [{ until: '2020-01-01', time_zone: 'Europe/Berlin' }, []],
  ])('%j is checked before the run', (data, paths) => {
    const graph = workflow([t, delay('d', undefined, data)], ['t>d']);
    const issues = checkWorkflow(graph, { servesModel: () => true }).issues.filter(
      ({ severity }) => severity === 'error',
    );
    expect(issues.map(({ path }) => path)).toEqual(paths);
  });
});
