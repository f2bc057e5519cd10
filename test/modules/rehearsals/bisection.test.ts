import { describe, expect, it } from '@jest/globals';
import { toReplayRecord } from '../../../src/engine/workflow/history/replay-record.js';
import type { RunEvent } from '../../../src/engine/workflow/run/run-event.js';
import {
  Bisection,
  changesBetween,
  findingOf,
  recordAfter,
} from '../../../src/modules/rehearsals/execution/bisection.js';
import type { RecordedRun } from '../../../src/modules/workflow-runs/replay/recorded-runs.js';
import type { Revision } from '../../../src/modules/workflows/revision-store.js';

const AT = '2026-11-25T00:00:00.000Z';
const answered = (node: string, content: string, model = 'm1', request = node) =>
  ({
    type: 'node.succeeded',
    node,
    content,
    request,
    at: AT,
    usage: { model, promptTokens: 1, completionTokens: 1, costUsd: '0' },
  }) as unknown as RunEvent;
const toolChanged = (node: string) =>
  ({ type: 'node.failed', node, error: { code: 'mcp_tool_changed', message: 'x' }, at: AT }) as unknown as RunEvent;
const recorded = (number: number, events: RunEvent[], input = {}) =>
  ({
    ...{ revision: { id: 100 + number, number, data: { nodes: [], edges: [] } }, input, variables: [], events },
    record: toReplayRecord(events),
  }) as unknown as RecordedRun;
const REVISIONS = [1, 2, 3].map(number => ({ id: 100 + number, number }));

const good = recorded(1, [
  answered('a', '1'),
  answered('b', '1'),
  answered('c', '1'),
  answered('t', '1'),
  answered('same', '1'),
]);
const bad = recorded(
  3,
  [answered('a', '2'), answered('b', '2', 'm2'), answered('c', '2', 'm2'), toolChanged('t'), answered('same', '1')],
  { topic: 'tea' },
);

describe('the changes between two runs', () => {
  const changes = changesBetween(good, bad, REVISIONS);

  it('are the input, the revisions, models, tools and other answers, in this order', () => {
    expect(changes.map(({ kind }) => kind)).toEqual(['input', 'revision', 'revision', 'model', 'tool_pins', 'answer']);
    expect(changes.slice(3)).toMatchObject([
      { nodeIds: ['b', 'c'], models: { before: 'm1', after: 'm2' } },
      { nodeIds: ['t'] },
      { nodeIds: ['a'] },
    ]);
  });

  it('leave out answers to other requests', () => {
    const other = recorded(1, [answered('a', '2', 'm1', 'another request')]);
    expect(changesBetween(good, other, REVISIONS)).toEqual([]);
  });

  it('are replayed with the answers of the good run until they are applied', () => {
    const contents = (count: number) =>
      [...recordAfter(good, bad, changes, count).levels.get('')!.finished].map(([node, end]) => [
        node,
        'content' in end ? end.content : 'failed',
      ]);
    const same = ['same', '1'];
    expect(contents(3)).toEqual([['a', '1'], ['b', '1'], ['c', '1'], ['t', '1'], same]);
    expect(contents(4)).toEqual([['a', '1'], ['b', '2'], ['c', '2'], ['t', '1'], same]);
    expect(contents(6)).toEqual([['a', '2'], ['b', '2'], ['c', '2'], ['t', 'failed'], same]);
  });
});

it.each([
  [0, 'INPUT'],
  [2, 'REVISION'],
  [3, 'MODEL'],
  [4, 'TOOL_PINS'],
  [5, 'ANSWER'],
])('the search finds change %s of six in at most three replays', (culprit, cause) => {
  const bisection = new Bisection(changesBetween(good, bad, REVISIONS));
  for (let next = bisection.next; next !== undefined; next = bisection.next) bisection.settle(next, next > culprit);
  const revision = (number: number) => ({ number, data: { nodes: [], edges: [] } }) as unknown as Revision;
  const finding = findingOf(bisection, { before: revision(2), after: revision(3) });
  expect(finding).toMatchObject({ cause: cause.toLowerCase(), changesCount: 6 });
  expect(finding.replaysCount).toBeLessThanOrEqual(3);
  expect(finding.modelAfter).toBe(cause === 'MODEL' ? 'm2' : null);
});
