import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cli } from '../../cli/entry.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { testConfig, testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { chain, field, llm, node, output, trigger } from '../../support/graphs.js';
import {
  AI_USD,
  copyFromMarketplace,
  createPerson,
  type Person,
  runToEnd,
  type SoldWorkflow,
  sell,
} from '../../support/market.js';
import { accountOf, paidGraph, setBudget } from '../../support/paid-graphs.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

let service: TestService;
let upstream: StubUpstream;
let author: Person;

beforeAll(async () => {
  upstream = await startStubUpstream();
  const database = await createDatabase();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
  author = await createPerson(service, 'author');
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

const start = async (key: string, workflow: number): Promise<string> =>
  (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { key, body: { topic: 'a' } })).body.data.id;

async function feesOf(sold: SoldWorkflow) {
  const [row] = await service.sql(
    `select (select trim_scale(coalesce(sum(amount_usd), 0))::text from billing_credit where workflow_id = $1) as credited,
            (select trim_scale(coalesce(sum(commission_usd), 0))::text from workflow_run where market_workflow_id = $1) as charged,
            (select count(*)::int from workflow_run where market_workflow_id = $1 and commission_usd = 0) as free`,
    [sold.workflow],
  );
  return row!;
}

async function expectReconciled(): Promise<void> {
  const { stdout } = await cli(['reconcile'], testEnvironment(service.database));
  expect(stdout).toBe('The totals equal the ledger.\n');
}

it('of 100 simultaneous runs exactly the free ones are free, and each other run pays once', async () => {
  const sold = await sell(service, author, { run_fee: 10, free_runs_per_user: 5 });
  const user = await createPerson(service, 'crowd');
  const { id } = await copyFromMarketplace(service, user, sold.slug);
  const runs = await Promise.all(Array.from({ length: 100 }, () => start(user.key, id)));
  for (const run of runs) expect((await awaitFinish(service, run, user.key)).status).toBe('succeed');
  expect(await feesOf(sold)).toEqual({ charged: '0.004275', credited: '0.004275', free: 5 });
  const account = await accountOf(service, user.project);
  expect(account).toMatchObject({ spent: '0.049275', ledger: '0.049275', runs: '0.049275' });
  await expectReconciled();
});

it('cost minus commission is the AI cost to the last digit', async () => {
  const sold = await sell(service, author, { run_fee: 999 });
  const user = await createPerson(service, 'exact');
  const { id } = await copyFromMarketplace(service, user, sold.slug);
  const { cost } = await runToEnd(service, user.key, id);
  expect(cost).toMatchObject({ USD: '0.0049455', external_cost_usd: { cost: 0.0049455, commission: 0.0044955 } });
  const [row] = await service.sql(
    'select trim_scale(cost_usd - commission_usd)::text as ai from workflow_run where workflow_id = $1',
    [id],
  );
  expect(row?.ai).toBe(AI_USD);
});

it('the terms are those at the moment when the run was accepted', async () => {
  const sold = await sell(service, author, { run_fee: 10 });
  const user = await createPerson(service, 'terms');
  const { id } = await copyFromMarketplace(service, user, sold.slug);
  // Terms that the user writes into the record of the copy have no effect.
  await service.rest('PATCH', `/api/v1/workflows/${id}/`, {
    key: user.key,
    body: { run_fee: 0, free_runs_per_user: 9 },
  });
  const held = upstream.hold();
  const run = await start(user.key, id);
  await held.arrived;
  await service.rest('PATCH', `/api/v1/workflows/${sold.workflow}/`, { key: author.key, body: { run_fee: 100 } });
  held.release();
  await awaitFinish(service, run, user.key);
  expect((await feesOf(sold)).charged).toBe('0.000045');
  // A duplicate of a copy is still the author's work, under the terms of the copy.
  const duplicate = (await service.rest('POST', `/api/v1/workflows/${id}/duplicate/`, { key: user.key })).body;
  expect((await runToEnd(service, user.key, duplicate.id)).cost.external_cost_usd.commission).toBe(0.000045);
});

it('a failed run pays for what it used; one that used nothing costs no free run', async () => {
  const fails = (model: string) =>
    chain(
      trigger(field('topic')),
      llm('a', model),
      node('code-node', { code: 'if (input.topic === "a") throw 1' }),
      output('x'),
    );
  const paying = await sell(service, author, { run_fee: 10, market_title: 'Paying' }, fails('gpt-4o-mini'));
  const idle = await sell(service, author, { run_fee: 10, free_runs_per_user: 1, market_title: 'Idle' }, fails('echo'));
  const user = await createPerson(service, 'unlucky');
  const [first, second] = [
    await copyFromMarketplace(service, user, paying.slug),
    await copyFromMarketplace(service, user, idle.slug),
  ];
  expect((await awaitFinish(service, await start(user.key, first.id), user.key)).status).toBe('failed');
  expect((await awaitFinish(service, await start(user.key, second.id), user.key)).status).toBe('failed');
  expect((await feesOf(paying)).charged).toBe('0.000045');
  const uses = 'select counted_runs from marketplace_use where workflow_id = $1';
  expect(await service.sql(uses, [paying.workflow])).toEqual([{ counted_runs: 1 }]);
  expect(await service.sql(uses, [idle.workflow])).toEqual([{ counted_runs: 0 }]);
});

it('a cancelled run pays once for what it used', async () => {
  const sold = await sell(service, author, { run_fee: 10, market_title: 'Ended' });
  const user = await createPerson(service, 'impatient');
  const { id } = await copyFromMarketplace(service, user, sold.slug);
  const data = chain(trigger(), llm('a', 'gpt-4o-mini'), node('delay-node', { seconds: 600 }), output('x'));
  await service.rest('PATCH', `/api/v1/workflows/${id}/`, { key: user.key, body: { data } });
  const run = await start(user.key, id);
  const read = () => service.sql('select state from workflow_run where id = $1', [run]);
  await eventually(read, ([row]) => row?.state === 'waiting');
  const cancel = () => service.rest('POST', `/api/v1/workflows/${id}/history/${run}/cancel/`, { key: user.key });
  await Promise.all([cancel(), cancel()]);
  expect((await feesOf(sold)).charged).toBe('0.000045');
});

it('a run that an external execution service ends pays commission on what that service charged', async () => {
  const sold = await sell(service, author, { run_fee: 10, market_title: 'Elsewhere' });
  const user = await createPerson(service, 'elsewhere');
  const { id } = await copyFromMarketplace(service, user, sold.slug);
  const { data } = await service.graphql(
    'mutation ($id: Int!) { workflowRunStart(workflowId: $id, input: {topic: "a"}, draft: true) { receipt { data { id: runId } } } }',
    { id },
    user.key,
  );
  const run = data.workflowRunStart.receipt.data.id;
  await service.sql(`update workflow_run set state = 'queued', queued_at = now() where id = $1`, [run]);
  const amount = { node_id: 'n', operation: 'basic-node', status: 'Success', amount: { USD: '0.5' } };
  const report = () =>
    service.rest('POST', `/api/v1/workflows/execution-update/${run}/`, {
      key: null,
      headers: { Authorization: `Bearer ${testConfig(service.database).serviceToken}` },
      body: { status: 'succeed', sequence: 1, data: {}, transactions: [amount], finished_at: '2000-01-01T00:00:00Z' },
    });
  expect((await Promise.all([report(), report()])).map(({ status }) => status)).toEqual([200, 200]);
  const [row] = await service.sql(
    `select trim_scale(cost_usd)::text as cost, trim_scale(commission_usd)::text as commission,
            run_finished_at = run_started_at as "isInstant" from workflow_run where id = $1`,
    [run],
  );
  expect(row).toEqual({ cost: '0.55', commission: '0.05', isInstant: true });
});

it('a copy that another workflow calls pays as well', async () => {
  const sold = await sell(service, author, { run_fee: 10, market_title: 'Called' });
  const user = await createPerson(service, 'caller');
  const { id } = await copyFromMarketplace(service, user, sold.slug);
  const data = chain(trigger(), node('subworkflow-node', { workflow_id: id, input: { topic: 'a' } }), output());
  const body = { project: user.project, title: 'Caller', data };
  const own = (await service.rest('POST', '/api/v1/workflows/', { key: user.key, body })).body.id;
  expect((await runToEnd(service, user.key, own)).cost.USD).toBe('0');
  expect(await feesOf(sold)).toEqual({ charged: '0.000045', credited: '0.000045', free: 0 });
});

describe('the spending limit', () => {
  it('covers the commission before the call is made', async () => {
    const sold = await sell(service, author, { run_fee: 100, market_title: 'Limit' }, paidGraph());
    const user = await createPerson(service, 'thrifty');
    const { id } = await copyFromMarketplace(service, user, sold.slug);
    await setBudget(service, user.project, '0.0008');
    const run = await start(user.key, id);
    expect(await awaitFinish(service, run, user.key)).toMatchObject({
      status: 'failed',
      error: { code: 'budget_exceeded' },
    });
    expect(await accountOf(service, user.project)).toMatchObject({ spent: '0', reserved: '0', held: '0' });
    await setBudget(service, user.project, '0.0009');
    expect((await runToEnd(service, user.key, id)).cost.USD).toBe('0.0009');
    expect(await accountOf(service, user.project)).toMatchObject({ spent: '0.0009', reserved: '0', held: '0' });
  });
});

it('earnings from runs of others stay when their project is deleted', async () => {
  const sold = await sell(service, author, { run_fee: 10, market_title: 'Gone' });
  const user = await createPerson(service, 'leaver');
  const { id } = await copyFromMarketplace(service, user, sold.slug);
  await runToEnd(service, user.key, id);
  expect((await service.rest('DELETE', `/api/v1/projects/${user.project}/`, { key: user.key })).status).toBe(204);
  const { body } = await service.rest('GET', `/api/v1/workflows/marketplace/${sold.slug}/`, { key: null });
  expect(body).toMatchObject({ total_runs_count: 2, total_users_count: 1 });
  expect((await feesOf(sold)).credited).toBe('0.000045');
  await expectReconciled();
});

it('wrong figures are reported and corrected', async () => {
  const sold = await sell(service, author, { market_title: 'Wrong' });
  await service.sql(
    `update workflow_figures set runs_count = 7, duration_ms = duration_ms + 1, market_cost_usd = 1, market_users_count = 2,
            last_run_id = null where workflow_id = $1`,
    [sold.workflow],
  );
  await service.sql('update project set total_earned_usd = 5 where id = $1', [author.project]);
  const { code, stdout } = await cli(['reconcile', '--fix'], testEnvironment(service.database));
  expect(code).toBe(0);
  for (const figure of ['runs_count', 'duration_ms', 'market_cost_usd', 'market_users_count', 'last_run_at'])
    expect(stdout).toContain(`${figure} of workflow ${sold.workflow}: is `);
  expect(stdout).toContain(`total_earned_usd of project ${author.project}: is 5, should be `);
  await expectReconciled();
});
