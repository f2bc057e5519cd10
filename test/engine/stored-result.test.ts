import { expect, it } from '@jest/globals';
import type { RunResult } from '../../src/engine/workflow/run/progress.js';
import { fromStoredResult, toStoredResult } from '../../src/engine/workflow/run/stored-result.js';

const result = (data: Record<string, object | null>) => ({ data, output: 'o' }) as unknown as RunResult;
/** The value as PostgreSQL returns it. */
const kept = (given: RunResult) => JSON.parse(JSON.stringify(toStoredResult(given)));

it.each([
  ['a node that succeeded', { id: 'a', status: 'succeed', result: { content: 'x' } }],
  ['one that used a model', { id: 'a', status: 'succeed', result: { content: 'x' }, usage: { total_tokens: 3 } }],
  ['one that was reused', { id: 'a', status: 'succeed', result: { content: 'x' }, reused: true }],
  ['one with more than a content', { id: 'a', status: 'succeed', result: { content: 'x', more: 1 } }],
  ['one whose content is not a text', { id: 'a', status: 'succeed', result: { content: { x: 1 } } }],
  ['one that failed', { id: 'a', status: 'failed', error: { code: 'c', message: 'm' } }],
  ['one with another id', { id: 'b', status: 'succeed', result: { content: 'x' } }],
  ['none', null],
])('the entry of %s is read as it was', (_, entry) => {
  expect(fromStoredResult(kept(result({ a: entry })))).toEqual(result({ a: entry }));
});

it('stores only the content of a node that succeeded', () => {
  const given = result({ a: { id: 'a', status: 'succeed', result: { content: 'x' } } });
  expect(kept(given)).toEqual({ data: { a: 'x' }, output: 'o' });
});

it('reads what was stored whole, or without ids', () => {
  const entry = { status: 'succeed', result: { content: 'x' } };
  const shown = result({ a: { id: 'a', ...entry } });
  expect(fromStoredResult(shown)).toEqual(shown);
  expect(fromStoredResult(result({ a: entry }))).toEqual(shown);
});
