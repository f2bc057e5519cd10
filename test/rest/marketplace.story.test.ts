import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cli } from '../cli/entry.js';
import { testEnvironment } from '../support/config.js';
import { chain, field, http, llm, output, trigger } from '../support/graphs.js';
import {
  AI_USD,
  copyFromMarketplace,
  createPerson,
  type Person,
  runToEnd,
  type SoldWorkflow,
  sell,
} from '../support/market.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import { restAsDeclared } from './declared-answers.js';

const SECRET = 'a-secret-of-the-author';
const CREDENTIAL = 'Bearer written-into-the-graph';

let service: TestService;
let upstream: StubUpstream;
let author: Person;
let user: Person;
let sold: SoldWorkflow;
let copy: number;

beforeAll(async () => {
  upstream = await startStubUpstream();
  const database = await createDatabase();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
  [author, user] = [await createPerson(service, 'author'), await createPerson(service, 'user')];
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

const marketplace = (path = '', key: string | null = null) =>
  restAsDeclared(service, 'GET', `/api/v1/workflows/marketplace/${path}`, { key });

it('the author publishes a workflow with a template and an example', async () => {
  const data = chain(
    trigger(field('topic'), field('token', { is_secret: true, default_value: SECRET })),
    llm('Write about {{ input.topic }} for {{ input.token }}', 'gpt-4o-mini'),
    http(`${upstream.origin}/echo`, {
      method: 'POST',
      headers: { Authorization: CREDENTIAL },
      body: { a: author.email },
    }),
    output('{{ previous.content }}'),
  );
  sold = await sell(
    service,
    author,
    { market_title: 'Čat facts, daily!', run_fee: 33, free_runs_per_user: 1, category: 1 },
    data,
  );
  expect(sold.slug).toBe('cat-facts-daily');
});

it('an outsider reads it without credentials, and sees no secret', async () => {
  const list = await marketplace();
  expect(list.body).toMatchObject({ page: 1, size: 10, total: 1 });
  expect(list.body.items[0]).toMatchObject({
    id: sold.workflow,
    slug: sold.slug,
    market_title: 'Čat facts, daily!',
    run_fee: '33',
    free_runs_per_user: 1,
    copied_workflow_id: -1,
    total_users_count: 0,
    total_runs_count: 1,
    marketplace_price_avg: { USD: AI_USD, SR: '0.045' },
    last_run_at: expect.any(String),
  });
  expect((await marketplace(`${sold.slug}/`)).body).toEqual(list.body.items[0]);
  const examples = await marketplace(`${sold.slug}/examples/`);
  expect(examples.body).toHaveLength(1);
  const example = await marketplace(`${sold.slug}/examples/${sold.run}/`);
  expect(example.body).toEqual(examples.body[0]);
  expect(Object.keys(example.body)).toEqual(['id', 'created_at', 'cost', 'result', 'input_data', 'data']);
  expect(example.body.input_data).toEqual({ topic: 'cats', token: '********' });
  expect(example.body.cost).toEqual({ USD: AI_USD, SR: '0.045', external_cost_usd: { cost: 0.00045, commission: 0 } });
  const everything = JSON.stringify([list.body, examples.body]);
  for (const secret of [SECRET, CREDENTIAL, author.email]) expect(everything).not.toContain(secret);
});

it('a user copies it, and receives a list of what the copy needs', async () => {
  const made = await copyFromMarketplace(service, user, sold.slug);
  copy = made.id;
  expect(made).toMatchObject({
    project: user.project,
    title: 'Čat facts, daily!',
    copied_from: sold.workflow,
    is_published: false,
    slug: null,
    can_edit: true,
  });
  const [start, model, call] = made.data.nodes;
  expect(start.data.input_fields[1]).toMatchObject({ id: 'token', is_secret: true, default_value: '' });
  expect(call.data.headers).toEqual({ Authorization: '<fill in>' });
  expect(made.gaps).toEqual([
    { node_id: start.id, path: 'token', kind: 'secret' },
    { node_id: call.id, path: 'headers.Authorization', kind: 'credential' },
  ]);
  expect(model.data.settings.model_name).toBe('gpt-4o-mini');
  expect(await copyFromMarketplace(service, user, sold.slug)).toEqual(made);
  expect((await copyFromMarketplace(service, author, sold.slug)).id).toBe(sold.workflow);
  expect((await marketplace(`${sold.slug}/`, user.key)).body).toMatchObject({
    copied_workflow_id: copy,
    total_users_count: 1,
  });
});

const freeRunsLeft = async () =>
  (await service.graphql(`{ workflow(id: ${copy}) { freeRunsLeft } }`, {}, user.key)).data.workflow.freeRunsLeft;

it('the first run is free, the next one pays the commission', async () => {
  expect(await freeRunsLeft()).toBe(1);
  const free = await runToEnd(service, user.key, copy);
  expect(free.cost.external_cost_usd).toEqual({ cost: 0.00045, commission: 0 });
  expect(await freeRunsLeft()).toBe(0);
  const paid = await runToEnd(service, user.key, copy);
  expect(paid.cost).toEqual({
    USD: '0.0005985',
    SR: '0.05985',
    external_cost_usd: { cost: 0.0005985, commission: 0.0001485 },
  });
  const { body } = await service.rest('GET', `/api/v1/billing-history/workflowrun/${paid.id}/`, { key: user.key });
  expect(body.items.filter((row: any) => row.operation === 'commission')).toMatchObject([
    { amount: { USD: '0.0001485', SR: '0.01485' }, status: 'Success', description: 'Čat facts, daily!' },
  ]);
  const project = await service.rest('GET', `/api/v1/projects/${user.project}/`, { key: user.key });
  expect(project.body.total_spent).toEqual({ USD: '0.0010485', SR: '0.10485' });
});

it('the author sees the earnings', async () => {
  const earned = await restAsDeclared(service, 'GET', `/api/v1/projects/${author.project}/earnings/`, {
    key: author.key,
  });
  expect(earned.body).toMatchObject({
    total: 1,
    items: [{ workflow: sold.workflow, amount: { USD: '0.0001485', SR: '0.01485' } }],
  });
  const { data } = await service.graphql(
    `{ project(id: ${author.project}) { totalEarned { usd } totalSpent { usd } } }`,
    {},
    author.key,
  );
  expect(data.project).toEqual({ totalEarned: { usd: '0.0001485' }, totalSpent: { usd: AI_USD } });
  expect((await marketplace(`${sold.slug}/`)).body).toMatchObject({
    total_runs_count: 3,
    marketplace_price_avg: { USD: '0.0004995' },
  });
});

it('after unpublishing it is not found, and the copy still runs and pays', async () => {
  const path = `/api/v1/workflows/${sold.workflow}`;
  const taken = await restAsDeclared(service, 'POST', `${path}/unpublish-from-marketplace/`, { key: author.key });
  expect(taken.body).toMatchObject({ is_published: false, slug: sold.slug });
  for (const gone of [`${sold.slug}/`, `${sold.slug}/examples/`, `${sold.slug}/examples/${sold.run}/`])
    expect((await marketplace(gone)).status).toBe(404);
  expect((await marketplace()).body.items).toEqual([]);
  expect((await runToEnd(service, user.key, copy)).cost.external_cost_usd.commission).toBe(0.0001485);

  const back = await restAsDeclared(service, 'POST', `${path}/publish-on-marketplace/`, { key: author.key });
  expect(back.body).toMatchObject({ is_published: true, slug: sold.slug });
});

it('every counter equals its rows', async () => {
  const figures = await service.sql(
    'select workflow_id, runs_count, market_runs_count, market_users_count from workflow_figures order by workflow_id',
  );
  expect(figures).toEqual([
    { workflow_id: sold.workflow, runs_count: 1, market_runs_count: 4, market_users_count: 1 },
    { workflow_id: copy, runs_count: 3, market_runs_count: 3, market_users_count: 0 },
  ]);
  const { stdout } = await cli(['reconcile'], testEnvironment(service.database));
  expect(stdout).toBe('The totals equal the ledger.\n');
});
