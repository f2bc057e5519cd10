import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AnsweredCalls } from '../../../src/modules/chat/answered-calls.js';
import type { Database } from '../../../src/platform/database/database.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { openDatabase } from '../../support/database.js';

const DAY_MS = 24 * 3_600_000;

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database?.close());

it('counts each call once, also when the process changes its id while a tick waits for the previous one', async () => {
  let now = Date.now();
  const calls = new AnsweredCalls(database, createLog('silent'), () => now);
  const answer = (times: number) => Array.from({ length: times }, () => calls.count('openai', 'gpt-4o'));
  answer(3);
  await calls.tick();
  answer(2);
  await calls.tick();
  now += DAY_MS;
  answer(1);
  await Promise.all([calls.tick(), calls.tick()]);
  await calls.stop();
  const rows = await database.query<{ calls: number }>('select calls::int from answered_calls order by calls');
  expect(rows.map(row => row.calls)).toEqual([1, 5]);
});
