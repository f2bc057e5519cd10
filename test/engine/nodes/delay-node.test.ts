import { describe, expect, test } from '@jest/globals';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { validateRun } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts } from '../fake-ports.js';
import { delay, execution, http, output, run, short, trigger, workflow } from '../samples.js';

const t = trigger('t');
const models = { servesModel: () => true };

describe('a delay', () => {
  test('suspends the run until its time, and continues from there', async () => {
    const data = workflow([t, delay('d', 3600), output('o', { value: 'late' })], ['t>d', 'd>o']);
    const ports = fakePorts();
    const began = ports.clock.time;
    const first = await execution(data, { ports });
    expect(short(first.events)).toEqual(['+t', 't={}', '+d', 'd/delay…timer']);
    expect(first.suspended?.until).toBe(new Date(began + 3_600_000).toISOString());
    const early = await execution(data, { ports, recorded: first.events });
    expect([short(early.events), early.suspended?.until]).toEqual([[], first.suspended?.until]);
    ports.clock.time = began + 3_600_000;
    const late = await execution(data, { ports, recorded: first.events });
    expect(short(late.events)).toEqual(['d=', '+o', 'o=late', 'run="late"']);
  });

  test('keeps other branches going, and the run awake while they work', async () => {
    const data = workflow([t, delay('d', 5), http('h'), output('o')], ['t>d', 't>h', 'd>o', 'h>o']);
    const ports = fakePorts({ latency: () => 10_000 });
    const { events, suspended } = await execution(data, { ports });
    expect(suspended).toBeUndefined();
    expect(short(events)).toEqual([
      '+t',
      't={}',
      '+d',
      '+h',
      'd/delay…timer',
      'd=',
      'h=',
      '+o',
      'o=["",""]',
      'run="[\\"\\",\\"\\"]"',
    ]);
  });

  test('too short to suspend the run is waited for in place', async () => {
    const { events, suspended } = await execution(workflow([t, delay('d', 0.5)], ['t>d']));
    expect([suspended, short(events).at(-1)]).toEqual([undefined, 'run=null']);
  });

  test.each([
    [-1, 'seconds'],
    [2_592_001, 'seconds'],
    ['soon', 'seconds'],
  ])('of %p seconds is refused', (seconds, path) => {
    const check = validateRun(compileGraph(workflow([t, delay('d', seconds)], ['t>d'])), {}, models);
    expect(check).toMatchObject({ status: 422, data: { d: { result: [{ [path]: expect.any(String) }] } } });
  });

  test('that is longer than any timer of the process works as well', async () => {
    const ports = fakePorts({ latency: () => 40 * 86_400_000 });
    const data = workflow([t, delay('d', 30 * 86_400), http('h', { timeout_seconds: 3600 })], ['t>d', 't>h']);
    expect(short(await run(data, { ports })).at(-1)).toBe('run!timeout');
  });
});
