import type { Queue } from '../../../src/durable/queue.js';

/** A queue that stores no jobs, for tests of the other rows that runs write. */
export const noQueue = {
  complete: async () => {},
  remove: async () => {},
  release: async () => {},
  statements: () => ({
    insert: (name: string) => `${name} as (select 1)`,
    remove: (name: string) => `${name} as (select 1)`,
  }),
} as unknown as Queue;

/** A webhook outbox that enqueues no jobs. */
export const noWebhooks = { wakeSql: () => 'project_jobs as (select 1 where false)' };
