import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { testEnvironment } from '../support/config.js';
import { accountOf, CALL_USD, createPaidWorkflow, type PaidWorkflow, settledAt } from '../support/paid-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import { cli, cliProcess } from './entry.js';

const EQUAL = { code: 0, stdout: 'The totals equal the ledger.\n', stderr: '' };

let upstream: StubUpstream;
let service: TestService;
let environment: Record<string, string>;
let paid: PaidWorkflow;
let run: string;

beforeAll(async () => {
  upstream = await startStubUpstream();
  const database = await createDatabase();
  environment = testEnvironment(database);
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
  paid = await createPaidWorkflow(service, '1');
  run = await start();
  await awaitFinish(service, run);
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

async function start(): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${paid.workflow}/run/`, { body: {} });
  return body.data.id;
}

it('finds no difference while runs have succeeded, were refused and are in progress', async () => {
  const refused = await createPaidWorkflow(service, '0');
  await service.rest('POST', `/api/v1/workflows/${refused.workflow}/run/`, { body: {} });
  const held = upstream.hold();
  const id = await start();
  await held.arrived;
  expect(await cli(['reconcile'], environment)).toEqual(EQUAL);
  held.release();
  await awaitFinish(service, id);
  expect(await cli(['reconcile'], environment)).toEqual(EQUAL);
});

it('reports differing totals and corrects them only with --fix', async () => {
  // Two calls are paid: that of `run` and that of the test before.
  const before = await accountOf(service, paid.project);
  await service.sql('update project set total_spent_usd = total_spent_usd + 1, reserved_usd = 0.5 where id = $1', [
    paid.project,
  ]);
  await service.sql('update workflow_run set cost_usd = 7 where id = $1', [run]);
  const lines = [
    `total_spent_usd of project ${paid.project}: is 1.0009, should be 0.0009`,
    `reserved_usd of project ${paid.project}: is 0.5, should be 0`,
    `cost_usd of run ${run}: is 7, should be ${CALL_USD}`,
    // The totals of the workflow are computed from the cost of the run, so they are wrong until it is corrected.
    `total_cost_usd of workflow ${paid.workflow}: is 0.0009, should be 7.00045`,
    `market_cost_usd of workflow ${paid.workflow}: is 0.0009, should be 7.00045`,
  ];
  const expected = {
    code: 1,
    stdout: `${lines.join('\n')}\n`,
    stderr: '5 totals differ from the ledger. Correct them with --fix.\n',
  };
  expect(await cli(['reconcile'], environment)).toEqual(expected);
  expect(await cli(['reconcile'], environment)).toEqual(expected);
  expect(await cli(['reconcile', '--fix'], environment)).toEqual({
    code: 0,
    stdout: `${lines.join('\n')}\nCorrected. The totals equal the ledger.\n`,
    stderr: '',
  });
  expect(await accountOf(service, paid.project)).toEqual(before);
  expect(before).toEqual(settledAt('0.0009'));
  expect(await cli(['reconcile'], environment)).toEqual(EQUAL);
});

it('corrects totals during paying runs', async () => {
  await service.sql('update project set total_spent_usd = total_spent_usd + 1, budget_usd = null where id = $1', [
    paid.project,
  ]);
  const runs = Array.from({ length: 20 }, start);
  const fixed = cliProcess(['reconcile', '--fix'], environment);
  for (const id of runs) await awaitFinish(service, await id);
  expect(await fixed).toMatchObject({ code: 0 });
  expect(await accountOf(service, paid.project)).toEqual(settledAt('0.0099'));
});

it('reports a node with two ledger rows and one with none, and corrects neither', async () => {
  const [row] = await service.sql(
    `select node_id from billing_transaction where run_id = $1 and operation = 'basic-node'`,
    [run],
  );
  await service.sql(
    `insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd)
     values ($1, $2, $3, 'http-node', 'Success', 0)`,
    [paid.project, run, row?.node_id],
  );
  const [gone] = await service.sql(
    `delete from billing_transaction where run_id = $1 and operation = 'trigger-node' returning node_id`,
    [run],
  );
  const { code, stdout, stderr } = await cli(['reconcile', '--fix'], environment);
  const expected = [
    `ledger rows of node ${row?.node_id} in run ${run}: is 2, should be 1`,
    `ledger rows of node ${gone?.node_id} in run ${run}: is 0, should be 1`,
  ];
  expect({ code, stderr }).toEqual({ code: 1, stderr: '2 totals still differ from the ledger.\n' });
  expect(stdout.split('\n').slice(0, -1)).toEqual([...expected, ...expected.map(line => `still different: ${line}`)]);
});
