import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let workflow: number;
beforeAll(async () => {
  service = await startTestService();
  workflow = await createWorkflow(service, pureGraph());
});
afterAll(() => service.stop());

async function finishedRun(): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  const read = () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`);
  await eventually(read, answer => answer.body.data.status === 'succeed');
  return body.data.id;
}

/** As if the run had happened in January 2020, when there was a partition for that month. */
async function age(...ids: string[]): Promise<void> {
  for (const table of ['workflow_run_payload', 'workflow_run_journal']) {
    await service.sql(
      `create table if not exists ${table}_2020_01 partition of ${table} for values from ('2020-01-01') to ('2020-02-01')`,
    );
    await service.sql(`update ${table} set run_created_at = '2020-01-15T00:00:00Z' where run_id = any($1)`, [ids]);
  }
  await service.sql(
    `update workflow_run set created_at = '2020-01-15T00:00:00Z', run_finished_at = '2020-01-15T00:00:01Z' where id = any($1)`,
    [ids],
  );
}

const partitions = async () =>
  (await service.sql(`select relname from pg_class where relname ~ '_2020_01$' and relkind = 'r'`)).map(
    row => row.relname,
  );

it('drops months past the time to live, and keeps what is flagged', async () => {
  const [plain, flagged] = [await finishedRun(), await finishedRun()];
  await service.sql('update workflow_run set is_api_run = true where id = $1', [flagged]);
  await age(plain, flagged);
  expect(await partitions()).toHaveLength(2);

  await service.sql('select drop_expired_months(30)');

  expect(await partitions()).toEqual([]);
  const gone = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${plain}/`);
  expect(gone.status).toBe(200);
  expect(gone.body).toMatchObject({ status: 'Succeeded', result: null, input_data: {} });
  const kept = await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${flagged}`);
  expect(kept.body.data).toMatchObject({ status: 'succeed', output: 'about cats' });
  await service.sql('select drop_expired_months(30)');
});

it('prepares the coming months once, however often it is asked', async () => {
  await service.sql('select ensure_month_partitions(2)');
  await service.sql('select ensure_month_partitions(2)');
  const months = await service.sql(
    `select relname from pg_class where relname ~ '^workflow_run_payload_\\d{4}_\\d{2}$'`,
  );
  expect(months).toHaveLength(3);
});
