import { expect, it } from '@jest/globals';
import type { JournalEvent } from '../../../../src/modules/workflow-runs/journal/run-journal.js';
import { fromStored, toStored } from '../../../../src/modules/workflow-runs/journal/stored-events.js';

/** An id made 20 ms before the first event. */
const RUN = '019b7ca9-8f1a-7000-8000-000000000000';
const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678) + milliseconds).toISOString();
const events = (...given: object[]) => given as unknown as JournalEvent[];
/** The value as PostgreSQL returns it. */
const kept = (given: JournalEvent[]) => JSON.parse(JSON.stringify(toStored(given, RUN))) as object[];

it('events are read as they were given, without the member durable', () => {
  const given = events(
    { type: 'node.started', node: 'a', at: at(0), attempt: 1, durable: true, sequence: 7 },
    { type: 'node.retrying', node: 'a', at: at(5), attempt: 1, error: { code: 'c', message: 'm' }, sequence: 8 },
    { type: 'node.started', node: 'a', at: at(-3), attempt: 2, sequence: 9 },
    { type: 'node.succeeded', node: 'a', at: 'of another form', content: '', sequence: 10 },
    { type: 'run.succeeded', at: at(90_000_000), output: null, sequence: 11 },
  );
  const { durable: _durable, ...first } = given[0] as JournalEvent & { durable?: true };
  expect(fromStored(kept(given), 7, RUN)).toEqual([first, ...given.slice(1)]);
});

it('events are stored without what the row implies', () => {
  const given = events(
    { type: 'node.started', node: 'a', at: at(0), attempt: 1, durable: true, sequence: 1 },
    { type: 'node.succeeded', node: 'a', at: at(12), content: 'x', durable: true, sequence: 2 },
  );
  expect(kept(given)).toEqual([
    { type: 'node.started', at: 20 },
    { node: 'a', at: 12, content: 'x' },
  ]);
});

it('events are read as well where an earlier release stored them whole', () => {
  const given = events(
    { type: 'node.started', node: 'a', at: at(0), attempt: 1, durable: true, sequence: 3 },
    { type: 'run.succeeded', at: at(1), output: 'o', sequence: 4 },
  );
  expect(fromStored(given, 3, RUN)).toEqual(given);
});

it('events are read as well where the first event has its full time', () => {
  const stored = [
    { type: 'node.started', at: at(0) },
    { node: 'a', at: 12 },
  ];
  expect(fromStored(stored, 1, RUN)).toMatchObject([{ at: at(0) }, { at: at(12), type: 'node.succeeded' }]);
});

it('events keep the time of a first event at the moment of the id, and in runs whose id has no time', () => {
  const given = events({ type: 'run.failed', at: at(-20), sequence: 1 });
  expect(kept(given)).toEqual([{ type: 'run.failed', at: 0 }]);
  for (const id of [RUN, 'ffffffff-ffff-4fff-8fff-ffffffffffff'])
    expect(fromStored(JSON.parse(JSON.stringify(toStored(given, id))), 1, id)).toEqual(given);
});

it('events may be absent, or have no timestamps', () => {
  expect(fromStored(kept([]), 1, RUN)).toEqual([]);
  expect(fromStored([{ type: 'run.failed' }], 4, RUN)).toEqual([{ type: 'run.failed', at: undefined, sequence: 4 }]);
});
