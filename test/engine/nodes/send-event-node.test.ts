import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { validateRun } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts } from '../fake-ports.js';
import { execution, run, sendEvent, short, trigger, workflow } from '../samples.js';

const graph = (data: JsonObject = {}) =>
  workflow([trigger('t'), sendEvent('s', 'paid', { payload: { n: '{{ input.n }}' }, ...data })], ['t>s']);

describe('a node that sends an event', () => {
  test.each<[JsonObject, object]>([
    [{}, { name: 'paid', key: '', payload: { n: 7 } }],
    [{ correlation_key: 'order {{ input.n }}' }, { name: 'paid', key: 'order 7', payload: { n: 7 } }],
    [
      { event: 'paid-{{ input.n }}', payload: null },
      { name: 'paid-7', key: '', payload: null },
    ],
  ])('with %j sends %j', async (data, sent) => {
    const ports = fakePorts();
    expect(short(await run(graph(data), { ports, input: { n: 7 } }))).toContain('s=event 1');
    expect([...ports.outbox.values()]).toEqual([sent]);
  });

  test('sends it with the same key when the run resumes after the announcement', async () => {
    const ports = fakePorts();
    const { events } = await execution(graph(), { ports, input: { n: 7 } });
    const announced = events.slice(0, events.findIndex(({ type }) => type === 'node.step.started') + 1);
    await execution(graph(), { ports, input: { n: 7 }, recorded: announced });
    expect(ports.outbox.size).toBe(1);
  });

  test.each<[JsonObject, string]>([
    [{ event: '' }, 'event'],
    [{ event: 'x'.repeat(201) }, 'event'],
    [{ correlation_key: 'x'.repeat(501) }, 'correlation_key'],
  ])('with %j is refused', (data, path) => {
    const check = validateRun(compileGraph(graph(data)), { n: 7 }, { servesModel: () => true });
    expect(check).toMatchObject({ status: 422, data: { s: { result: [{ [path]: expect.any(String) }] } } });
  });
});
