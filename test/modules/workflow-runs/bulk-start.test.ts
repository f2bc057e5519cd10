import { expect, it } from '@jest/globals';
import { IdempotentStarts } from '../../../src/modules/accounts/api-keys/idempotent-starts.js';
import { BulkStartService } from '../../../src/modules/workflow-runs/bulk/bulk-start.service.js';

it('an unexpected error fails a bulk start when the other starts have ended', async () => {
  const counts = { started: 0, ended: 0 };
  const runs = {
    async start() {
      if (counts.started++ === 0) throw new Error('a defect');
      await new Promise(resolve => setImmediate(resolve));
      counts.ended++;
      return { status: 201 };
    },
  };
  const database = { byKey: async () => [{ role: 'owner' }] };
  const service = new BulkStartService(database as never, runs as never, new IdempotentStarts({} as never));
  const context = { viewer: { userId: 1, isAdmin: false }, reservedId: undefined };
  const start = service.start(context as never, 1, [{}, {}, {}], { revisionNumber: undefined });
  await expect(start).rejects.toThrow('a defect');
  expect(counts).toEqual({ started: 3, ended: 2 });
});
