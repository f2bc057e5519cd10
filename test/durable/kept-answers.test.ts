import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { eventually } from '../support/eventually.js';
import { chain, llm, node, output, trigger } from '../support/graphs.js';
import { createWorkflow, echoGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

const WAITS = 'query ($id: UUID!) { workflowRun(id: $id) { nodes { waitedMs } } }';

let upstream: StubUpstream;
let service: TestService;

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

/** From now on, writes to these tables fail. Returns how many have failed, and a function that ends the refusal. */
async function refuseWrites(tables: readonly string[], code: string) {
  // A sequence, because its numbers remain when the failed statement is rolled back.
  await service.sql('create sequence refusals');
  await service.sql(`
    create function refuse() returns trigger language plpgsql as $$
    begin
      perform nextval('refusals');
      raise exception 'refused by a test' using errcode = '${code}';
    end $$`);
  for (const table of tables)
    await service.sql(
      `create trigger refuse before insert or update on ${table} for each statement execute function refuse()`,
    );
  return {
    count: async () => {
      const [row] = await service.sql<{ times: number }>(
        'select case when is_called then last_value::int else 0 end as times from refusals',
      );
      return row!.times;
    },
    accept: async () => {
      await service.sql('drop function refuse() cascade');
      await service.sql('drop sequence refusals');
    },
  };
}

// database-refuses.slow.test.ts refuses for longer than leases last, with other codes.
it('an answer that came while the database refuses writes is kept, and the model is not called again', async () => {
  const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
  const held = upstream.hold();
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  await eventually(
    async () => upstream.requests.length,
    count => count === 1,
  );
  const refusals = await refuseWrites(['workflow_run', 'workflow_run_journal', 'billing_transaction'], '57014');
  held.release();
  await eventually(refusals.count, count => count >= 3);
  await refusals.accept();
  expect(await awaitFinish(service, body.data.id)).toMatchObject({ status: 'succeed', output: 'stub answer' });
  expect(upstream.requests).toHaveLength(1);
  expect(await service.sql('select state, attempts from workflow_run where id = $1', [body.data.id])).toEqual([
    { state: 'succeeded', attempts: 1 },
  ]);
  expect(
    await service.sql('select operation from billing_transaction where run_id = $1 and amount_usd > 0', [body.data.id]),
  ).toHaveLength(1);
});

it.each([
  [
    'a key value',
    'key_value_entry',
    node('key-value-node', { operation: 'increment', key: 'runs', timeout_seconds: 1 }),
  ],
  ['a reservation', 'budget_reservation', llm('Hello.', 'gpt-4o-mini', { timeout_seconds: 1 })],
])('a node does not fail because %s is refused for longer than its time limit', async (_what, table, asking) => {
  const workflow = await createWorkflow(service, chain(trigger(), asking, output('done')));
  await service.sql('update project set budget_usd = 1');
  const refusals = await refuseWrites([table], '57014');
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  await eventually(refusals.count, count => count > 0);
  await delay(2_500);
  await refusals.accept();
  expect(await awaitFinish(service, body.data.id)).toMatchObject({ status: 'succeed', output: 'done' });
  const { data } = await service.graphql(WAITS, { id: body.data.id });
  const waits = data.workflowRun.nodes.flatMap(({ waitedMs }: { waitedMs: number | null }) => waitedMs ?? []);
  expect(waits).toEqual([expect.any(Number)]);
  expect(waits[0]).toBeGreaterThan(2_000);
});
