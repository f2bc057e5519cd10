import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyRollup } from '../../src/modules/summaries/hourly-rollup.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase } from '../support/database.js';
import { pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const now = new Date();
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR);
const RANGE = { from: hoursAgo(72), to: new Date(now.getTime() + HOUR) };

let service: TestService;
let database: Database;
let rollup: HourlyRollup;
let project: number;
let workflow: number;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  database = await openDatabase(service.database);
  rollup = new HourlyRollup(database);
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Costs' } })).body.id;
  const body = { project, title: 'Paid', data: pureGraph() };
  workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
  await service.sql(`update project set created_at = now() - interval '40 days' where id = $1`, [project]);
});
afterAll(async () => {
  await database?.close();
  await service?.stop();
});

interface Charge {
  at: Date;
  usd: string;
  model?: string;
  runId?: string;
}

async function charge({ at, usd, model, runId = randomUUID() }: Charge): Promise<void> {
  const usage = model && [{ provider: 'p', model, promptTokens: 10, completionTokens: 5, costUsd: usd }];
  await service.sql(
    `insert into billing_transaction (project_id, run_id, node_id, user_id, operation, status, amount_usd, usage, created_at)
     select $1, $2, $3, (select min(id) from app_user), 'basic-node', 'Success', $4, $5, $6`,
    [project, runId, randomUUID(), usd, usage ? JSON.stringify(usage) : null, at],
  );
}

async function endRun(at: Date, state: string, seconds: number): Promise<string> {
  const started = new Date(at.getTime() - seconds * 1_000);
  const { id } = (
    await service.sql<{ id: string }>(
      `insert into workflow_run (id, project_id, workflow_id, revision_id, state, cost_usd, created_at, updated_at, run_started_at, run_finished_at)
     select $1, $2, $3, (select max(id) from workflow_revision where workflow_id = $3), $4, 0.5, $5, $6, $5, $6 returning id`,
      [randomUUID(), project, workflow, state, started, at],
    )
  )[0]!;
  return id;
}

const COSTS = `query ($projectId: Int!, $from: DateTime!, $to: DateTime!, $groupBy: [CostGroup!]!, $interval: SummaryInterval) {
  costSummary(projectId: $projectId, from: $from, to: $to, groupBy: $groupBy, interval: $interval) {
    total { usd } isShortened
    items { start model workflowId userId cost { usd } transactions promptTokens completionTokens } } }`;

async function costs(groupBy: string[] = [], interval: string | null = null, range = RANGE) {
  const { data, errors } = await service.graphql(COSTS, { projectId: project, ...range, groupBy, interval });
  expect(errors).toBeUndefined();
  return data.costSummary;
}

describe('costSummary', () => {
  beforeAll(async () => {
    const runId = await endRun(hoursAgo(30), 'succeeded', 2);
    await charge({ at: hoursAgo(30), usd: '0.5', model: 'small', runId });
    await endRun(hoursAgo(40), 'cancelled', 0);
    await charge({ at: hoursAgo(5), usd: '0.25', model: 'small' });
    await charge({ at: hoursAgo(5), usd: '1', model: 'large' });
    await charge({ at: new Date(now.getTime() - 10_000), usd: '0.125' });
  });

  it('has the same sum before and after the hours are summarized, also when they are summarized twice', async () => {
    const before = await costs(['MODEL', 'WORKFLOW', 'USER'], 'HOUR');
    expect(before.total.usd).toBe('1.875');
    await Promise.all([rollup.run(), rollup.run()]);
    await rollup.run();
    expect(await costs(['MODEL', 'WORKFLOW', 'USER'], 'HOUR')).toEqual(before);
    const [{ count }] = (await service.sql('select count(*)::int from spending_hour where project_id = $1', [
      project,
    ])) as [{ count: number }];
    expect(count).toBe(3);
  });

  it('adds rows of an hour that is partly summarized already', async () => {
    const { total } = await costs();
    await charge({ at: new Date(), usd: '0.0625', model: 'small' });
    expect((await costs()).total.usd).toBe(String(Number(total.usd) + 0.0625));
  });

  it('groups by model, most expensive first, with tokens', async () => {
    const { items } = await costs(['MODEL']);
    expect(items.map((item: any) => [item.model, item.cost.usd, item.promptTokens])).toEqual([
      ['large', '1', 10],
      ['small', '0.8125', 30],
      [null, '0.125', 0],
    ]);
  });

  it('groups by workflow and leaves out what the range excludes', async () => {
    const range = { from: hoursAgo(31), to: hoursAgo(29) };
    expect((await costs(['WORKFLOW'], null, range)).items).toEqual([
      expect.objectContaining({ workflowId: workflow, cost: { usd: '0.5' }, transactions: 1 }),
    ]);
  });

  it('is empty where nothing was spent', async () => {
    const range = { from: hoursAgo(60), to: hoursAgo(50) };
    expect(await costs(['MODEL'], 'DAY', range)).toEqual({ total: { usd: '0' }, isShortened: false, items: [] });
  });

  it('refuses an empty range and one with too many intervals', async () => {
    const variables = { projectId: project, groupBy: [], from: RANGE.to, to: RANGE.from };
    const { errors } = await service.graphql(COSTS, variables);
    expect(errors?.[0]?.extensions.fields).toEqual({ to: ['Must be later than "from".'] });
    const year = { ...variables, from: hoursAgo(24 * 365), to: now, interval: 'HOUR' };
    expect((await service.graphql(COSTS, year)).errors?.[0]?.extensions.fields).toEqual({
      to: ['Must be at most 31 days later than "from" with the interval HOUR.'],
    });
  });

  it('has a REST route', async () => {
    const query = new URLSearchParams({
      from: RANGE.from.toISOString(),
      to: RANGE.to.toISOString(),
      group_by: 'model',
    });
    const { status, body } = await service.rest('GET', `/api/v1/projects/${project}/cost-summary/?${query}`);
    expect(status).toBe(200);
    expect(body.items[0]).toMatchObject({ model: 'large', cost: { USD: expect.anything() }, transactions: 1 });
  });
});

const RUNS = `query ($projectId: Int!, $workflowId: Int, $from: DateTime!, $to: DateTime!, $interval: SummaryInterval) {
  runSummary(projectId: $projectId, workflowId: $workflowId, from: $from, to: $to, interval: $interval) {
    runs succeeded failed cancelled errorRate durationP50Ms durationP95Ms cost { usd } items { start runs failed } } }`;

describe('runSummary', () => {
  it('counts ended runs with quantiles of their durations, before and after they are summarized', async () => {
    for (let seconds = 1; seconds <= 19; seconds++) await endRun(new Date(), 'succeeded', seconds);
    await endRun(new Date(), 'failed', 100);
    await charge({ at: new Date(), usd: '0' });
    const read = async () =>
      (await service.graphql(RUNS, { projectId: project, workflowId: workflow, ...RANGE, interval: 'DAY' })).data
        .runSummary;
    const summary = await read();
    expect(summary).toMatchObject({ runs: 22, succeeded: 20, failed: 1, cancelled: 1, errorRate: 1 / 21 });
    expect(summary.durationP50Ms / 10_000).toBeCloseTo(1, 0);
    expect(summary.durationP95Ms / 19_000).toBeCloseTo(1, 0);
    expect(summary.items.length).toBeGreaterThanOrEqual(2);
    await rollup.run();
    expect(await read()).toEqual(summary);
  });

  it('has a REST route, and no figures of a foreign project', async () => {
    const query = new URLSearchParams({ from: RANGE.from.toISOString(), to: RANGE.to.toISOString() });
    const path = `/api/v1/projects/${project}/run-summary/?${query}`;
    expect((await service.rest('GET', path)).body).toMatchObject({ runs: 22, error_rate: 1 / 21, items: [] });
    const { key } = await service.createUser('outsider');
    expect((await service.rest('GET', path, { key })).status).toBe(404);
  });
});
