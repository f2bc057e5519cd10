import { expect, test } from '@jest/globals';
import { attemptHistory } from '../../src/engine/workflow/run/attempt-history.js';
import type { RunEvent } from '../../src/engine/workflow/run/run-event.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const error = { code: 'upstream_error', message: 'the upstream cannot be reached' };

test('lists failed attempts with their errors, and the last one without', () => {
  const events: RunEvent[] = [
    { type: 'node.started', node: 'a', attempt: 1, at: at(1) },
    { type: 'node.retrying', node: 'a', attempt: 1, error, at: at(2) },
    { type: 'node.started', node: 'a', attempt: 2, at: at(3) },
    { type: 'node.succeeded', node: 'a', content: 'x', at: at(4) },
    { type: 'node.skipped', node: 'b', at: at(4) },
  ];
  expect(Object.fromEntries(attemptHistory(events))).toEqual({
    a: [
      { number: 1, startedAt: at(1), endedAt: at(2), error },
      { number: 2, startedAt: at(3), endedAt: at(4), error: null },
    ],
    b: [],
  });
});

test('an attempt whose process stopped ends as interrupted when the next one starts', () => {
  const events: RunEvent[] = [
    { type: 'node.started', node: 'a', attempt: 1, at: at(1) },
    { type: 'node.started', node: 'a', attempt: 2, at: at(9) },
  ];
  expect(attemptHistory(events).get('a')).toEqual([
    { number: 1, startedAt: at(1), endedAt: at(9), error: expect.objectContaining({ code: 'interrupted' }) },
    { number: 2, startedAt: at(9), endedAt: null, error: null },
  ]);
});

test('excludes iterations of loops and results that a fork took over', () => {
  const events: RunEvent[] = [
    { type: 'node.started', node: 'inner', iteration: '0', attempt: 1, at: at(1) },
    { type: 'node.succeeded', node: 'reused', content: 'x', reused: true, at: at(2) },
    { type: 'run.succeeded', output: null, at: at(3) },
  ];
  expect([...attemptHistory(events)]).toEqual([['reused', []]]);
});
