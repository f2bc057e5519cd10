import type { Queue } from '../../../src/durable/queue.js';

/** A queue that keeps no jobs, for tests of what else their runs write. */
export const noQueue = {
  complete: async () => {},
  remove: async () => {},
  release: async () => {},
  statements: () => ({
    insert: (name: string) => `${name} as (select 1)`,
    complete: (name: string) => `${name} as (select 1)`,
  }),
} as unknown as Queue;

/** Webhooks whose projects have no jobs. */
export const noWebhooks = { wakeSql: () => 'project_jobs as (select 1 where false)' };
