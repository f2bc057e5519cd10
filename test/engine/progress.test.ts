import { describe, expect, test } from '@jest/globals';
import type { Usage } from '../../src/engine/ports.js';
import { isTerminal, storedLabels } from '../../src/engine/status.js';
import { progressOf, resultOf } from '../../src/engine/workflow/run/progress.js';
import { toRecordedLevels } from '../../src/engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../src/engine/workflow/run/run-event.js';
import { fakePorts, upstreamDown } from './fake-ports.js';
import { http, ifElse, output, run, trigger, workflow } from './samples.js';

const data = workflow(
  [
    trigger('t'),
    ifElse('if', { condition: { left: 1, operator: '==', right: 2 } }),
    output('no'),
    http('h', { on_error: 'continue' }),
    output('o'),
  ],
  ['t>if', 'if:condition-true>no', 'if:condition-false>h', 'h>o'],
);

describe('the progress of a run', () => {
  test('has an entry for each node, except skipped ones', async () => {
    const events = await run(data, { ports: fakePorts({ http: upstreamDown }) });
    const progress = progressOf(events);
    expect(progress.status).toBe('succeed');
    expect(resultOf(progress)).toEqual({
      data: {
        t: { id: 't', status: 'succeed', result: { content: '{}' } },
        if: { id: 'if', status: 'succeed', result: { content: 'false' } },
        h: { id: 'h', status: 'failed', error: { code: 'upstream_error', message: 'the upstream cannot be reached' } },
        o: { id: 'o', status: 'succeed', result: { content: '' } },
      },
      output: '',
    });
  });

  test('shows a node under way as in progress, and the run as in queue before it began', async () => {
    const events = await run(data);
    const underWay = progressOf(events.slice(0, 1));
    expect(underWay.status).toBe('in progress');
    expect(resultOf(underWay).data).toEqual({ t: { id: 't', status: 'in progress' } });
    expect(progressOf([]).status).toBe('in queue');
  });

  test('of a failed run names the reason', async () => {
    const failing = workflow([trigger('t'), http('h')], ['t>h']);
    const progress = progressOf(await run(failing, { ports: fakePorts({ http: upstreamDown }) }));
    expect([progress.status, resultOf(progress).error]).toEqual([
      'failed',
      { code: 'upstream_error', message: 'the upstream cannot be reached' },
    ]);
  });

  test('adds up the usage of a node over its attempts', () => {
    const use = (costUsd: string | null): Usage => ({
      provider: 'p',
      model: 'm',
      promptTokens: 3,
      completionTokens: 2,
      costUsd,
    });
    const base = { node: 'n', at: '' };
    const error = { code: 'c', message: 'm' };
    const events: RunEvent[] = [
      { ...base, type: 'node.started', attempt: 1 },
      { ...base, type: 'node.retrying', attempt: 1, error, usage: use('0.1') },
      { ...base, type: 'node.started', attempt: 2 },
      { ...base, type: 'node.succeeded', content: 'x', usage: use('0.2') },
    ];
    const used = (count: number) => progressOf(events.slice(0, count)).nodes.get('n')?.usage;
    const once = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost_usd: '0.1' };
    expect([1, 2, 3].map(used)).toEqual([undefined, once, once]);
    expect(used(4)).toEqual({ prompt_tokens: 6, completion_tokens: 4, total_tokens: 10, cost_usd: '0.3' });
    events.push({ ...base, type: 'node.failed', error, continued: false, usage: use(null) });
    expect(used(5)).toMatchObject({ total_tokens: 15, cost_usd: null });
  });

  test('treats a node id such as __proto__ as a plain member', () => {
    const event: RunEvent = { type: 'node.succeeded', node: '__proto__', at: '', content: 'x' };
    expect(JSON.stringify(resultOf(progressOf([event])).data)).toBe(
      '{"__proto__":{"id":"__proto__","status":"succeed","result":{"content":"x"}}}',
    );
  });
});

test('records the ends of nodes, and the attempts of nodes that have not ended', () => {
  const at = '';
  const error = { code: 'c', message: 'm' };
  const level = toRecordedLevels([
    { type: 'node.started', node: 'a', at, attempt: 1 },
    { type: 'node.succeeded', node: 'a', at, content: 'A', branch: 'b' },
    { type: 'node.started', node: 'b', at, attempt: 1 },
    { type: 'node.retrying', node: 'b', at, attempt: 1, error },
    { type: 'node.started', node: 'b', at, attempt: 2 },
    { type: 'node.skipped', node: 'c', at },
    { type: 'node.failed', node: 'd', at, error, continued: true },
  ]).get('');
  expect([...(level?.finished ?? [])]).toEqual([
    ['a', { content: 'A', branch: 'b' }],
    ['d', { error, continued: true }],
  ]);
  expect([...(level?.unfinished ?? [])].map(([id, { attempt }]) => [id, attempt])).toEqual([['b', 2]]);
});

describe('the states of a run', () => {
  test.each([
    ['draft', 'Draft'],
    ['queued', 'In Progress'],
    ['running', 'In Progress'],
    ['waiting', 'In Progress'],
    ['succeeded', 'Succeeded'],
    ['failed', 'Error'],
    ['cancelled', 'Cancelled'],
  ] as const)('%s is named %s in webhooks', (state, stored) => {
    expect(storedLabels[state]).toEqual(stored);
  });

  test('are final after the end of the run', () => {
    const states = Object.keys(storedLabels) as (keyof typeof storedLabels)[];
    expect(states.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled']);
  });
});
