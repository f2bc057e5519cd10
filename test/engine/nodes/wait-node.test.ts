import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { validateRun } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts } from '../fake-ports.js';
import { execution, run, short, template, trigger, wait, workflow } from '../samples.js';

const models = { servesModel: () => true };

const graph = (data: JsonObject = {}) =>
  workflow(
    [
      trigger('t'),
      wait('w', 'paid', '{{ input.order }}', data),
      ...['yes', 'late'].map(id => template(id, { template: id })),
    ],
    ['t>w', 'w:received>yes', 'w:expired>late'],
  );

describe('a wait for an event', () => {
  test('suspends the run, and continues with the payload of its event', async () => {
    const ports = fakePorts();
    const input = { order: 7 };
    const first = await execution(graph(), { ports, input });
    // The step `event` of `w` waits for an event.
    expect(short(first.events)).toEqual(['+t', 't={"order":7}', '+w', 'w/event…event']);
    expect(first.suspended?.until).toBe(new Date(ports.clock.time + 86_400_000).toISOString());
    ports.sent.set('paid 8', { payload: 'another order' });
    const still = await execution(graph(), { ports, input, recorded: first.events });
    expect(short(still.events)).toEqual([]);
    ports.sent.set('paid 7', { payload: { amount: 20 } });
    const later = await execution(graph(), { ports, input, recorded: first.events });
    expect(short(later.events)).toEqual(
      expect.arrayContaining(['w/event={"payload":{"amount":20}}', 'w={"amount":20}', '+yes', '-late']),
    );
  });

  test.each<[unknown, string]>([
    ['as it is', 'as it is'],
    [[1, 2], '[1,2]'],
    [null, ''],
  ])('has the payload %j as the content %j', async (payload, content) => {
    const ports = fakePorts();
    ports.sent.set('paid 7', { payload });
    expect(short(await run(graph(), { ports, input: { order: 7 } }))).toContain(`w=${content}`);
  });

  test('follows its output `expired` after its time', async () => {
    const ports = fakePorts();
    // `run` sets the clock to the end of the wait, and continues.
    const events = await run(graph({ event_timeout_seconds: 60 }), { ports, input: { order: 7 } });
    expect(short(events)).toEqual(expect.arrayContaining(['w/event=null', 'w=', '-yes', '+late']));
  });

  test.each<[JsonObject, string]>([
    [{ event: '' }, 'event'],
    [{ event_timeout_seconds: 0 }, 'event_timeout_seconds'],
    [{ accept_earlier_seconds: 3601 }, 'accept_earlier_seconds'],
  ])('with %j is refused', (data, path) => {
    const check = validateRun(compileGraph(graph(data)), { order: 7 }, models);
    expect(check).toMatchObject({ status: 422, data: { w: { result: [{ [path]: expect.any(String) }] } } });
  });
});
