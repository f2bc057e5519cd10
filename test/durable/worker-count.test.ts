import { afterEach, expect, it } from '@jest/globals';
import { countWorkers } from '../../src/durable/worker-count.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

const started: TestService[] = [];
afterEach(async () => {
  for (const service of started.splice(0).reverse()) await service.stop();
});

it('counts the processes that execute runs, and no API', async () => {
  const api = await startTestService({ role: 'api' });
  started.push(api);
  const database = await openDatabase(api.database);
  try {
    expect(await countWorkers(database)).toBe(0);
    const worker = await startTestService({ role: 'worker' }, api.database);
    expect(await countWorkers(database)).toBe(1);
    started.push(await startTestService({ role: 'all' }, api.database));
    expect(await countWorkers(database)).toBe(2);
    await worker.stop();
    await eventually(
      () => countWorkers(database),
      workers => workers === 1,
    );
  } finally {
    await database.close();
  }
});
