import { expect, it, jest } from '@jest/globals';
import { Queue } from '../../src/durable/queue.js';
import type { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import type { Bus } from '../../src/platform/messaging/bus.js';

const log = createLog('silent');

it('callers that fetch during the check for a recent start of PostgreSQL take no started runs either', async () => {
  const answer = Promise.withResolvers<{ isRecentStart: boolean }[]>();
  const query = jest.fn(() => answer.promise);
  const queue = new Queue({ query } as unknown as Database, {} as Bus, log, { fetchesJobs: false });
  const fetch = jest.spyOn(queue.boss, 'fetch').mockResolvedValue([]);
  const fetches = [1, 2, 3].map(() => queue.fetchJobs('workflow-run', 1, []));
  answer.resolve([{ isRecentStart: true }]);
  await Promise.all(fetches);
  expect(query).toHaveBeenCalledTimes(1);
  expect(fetch.mock.calls.map(([, options]) => options?.maxPriority)).toEqual([0, 0, 0]);
});
