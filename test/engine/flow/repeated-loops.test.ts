import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { openNodes } from '../../../src/engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../../src/engine/workflow/run/run-event.js';
import { fakePorts } from '../fake-ports.js';
import { delay, http, loop, output, run, trigger, workflow } from '../samples.js';

/** trigger → loop of http → delay → output → output. Each request contains the output of the iteration before. */
function repeating(repeat: string, condition: JsonObject): JsonObject {
  const body = workflow(
    [
      http('h', { url: 'http://outside/{{ input.index }}{{ input.output }}' }),
      delay('d', 60),
      output('r', { value: '{{ nodes.h.content }}' }),
    ],
    ['h>d', 'd>r'],
    { start_node: 'h' },
  );
  return workflow([trigger('t'), loop('l', undefined, { repeat, condition, body }), output('o')], ['t>l', 'l>o']);
}
const answering = () => fakePorts({ http: ({ url }) => ({ body: url.split('/').at(-1) ?? '' }) });
const isAnswer = (event: RunEvent) => event.type === 'node.succeeded' && event.node === 'h';

describe.each([
  ['while', { left: '{{ args.output }}', operator: '!=', right: '210' }],
  ['until', { left: '{{ args.output }}', operator: '==', right: '210' }],
])('a loop with %s that is resumed after a cut', (repeat, condition) => {
  test('at any of its events has the same output, and repeats no recorded request', async () => {
    const data = repeating(repeat, condition);
    const whole = await run(data, { ports: answering() });
    expect(whole.at(-1)).toMatchObject({ type: 'run.succeeded', output: '["0","10","210"]' });
    expect(whole.length).toBeGreaterThan(20);
    for (const cut of whole.keys()) {
      const recorded = whole.slice(0, cut);
      const ports = answering();
      const rest = await run(data, { ports, recorded });
      const answers = recorded.filter(isAnswer).length;
      expect([cut, ports.httpRequests.map(({ url }) => url.split('/').at(-1))]).toEqual([
        cut,
        ['0', '10', '210'].slice(answers),
      ]);
      expect([cut, rest.at(-1)]).toEqual([
        cut,
        expect.objectContaining({ type: 'run.succeeded', output: '["0","10","210"]' }),
      ]);
      const ended = [...recorded, ...rest].filter(event => event.type === 'node.succeeded' && event.node === 'r');
      expect([cut, ended.map(event => 'iteration' in event && event.iteration)]).toEqual([cut, ['0', '1', '2']]);
      expect(openNodes([...recorded, ...rest])).toEqual([]);
    }
  });
});
