import { expect, it } from '@jest/globals';
import type { JournalEvent } from '../../../src/modules/workflow-runs/journal/run-journal.js';
import { fromStored, toStored } from '../../../src/modules/workflow-runs/journal/stored-events.js';

const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678) + milliseconds).toISOString();
const events = (...given: object[]) => given as unknown as JournalEvent[];
/** The value as PostgreSQL returns it. */
const kept = (given: JournalEvent[]) => JSON.parse(JSON.stringify(toStored(given))) as object[];

it('are read as they were, without what is removed before they are written', () => {
  const given = events(
    { type: 'node.started', node: 'a', at: at(0), attempt: 1, durable: true, sequence: 7 },
    { type: 'node.retrying', node: 'a', at: at(5), attempt: 1, error: { code: 'c', message: 'm' }, sequence: 8 },
    { type: 'node.started', node: 'a', at: at(-3), attempt: 2, sequence: 9 },
    { type: 'node.succeeded', node: 'a', at: 'of another form', content: '', sequence: 10 },
    { type: 'run.succeeded', at: at(90_000_000), output: null, sequence: 11 },
  );
  const { durable: _durable, ...first } = given[0] as JournalEvent & { durable?: true };
  expect(fromStored(kept(given), 7)).toEqual([first, ...given.slice(1)]);
});

it('are stored without what the row implies', () => {
  const given = events(
    { type: 'node.started', node: 'a', at: at(0), attempt: 1, durable: true, sequence: 1 },
    { type: 'node.succeeded', node: 'a', at: at(12), content: 'x', durable: true, sequence: 2 },
  );
  expect(kept(given)).toEqual([
    { type: 'node.started', at: at(0) },
    { node: 'a', at: 12, content: 'x' },
  ]);
});

it('are read as well where an earlier release stored them whole', () => {
  const given = events(
    { type: 'node.started', node: 'a', at: at(0), attempt: 1, durable: true, sequence: 3 },
    { type: 'run.succeeded', at: at(1), output: 'o', sequence: 4 },
  );
  expect(fromStored(given, 3)).toEqual(given);
});

it('may be absent, or of a row without timestamps', () => {
  expect(fromStored(kept([]), 1)).toEqual([]);
  expect(fromStored([{ type: 'run.failed' }], 4)).toEqual([{ type: 'run.failed', at: undefined, sequence: 4 }]);
});
