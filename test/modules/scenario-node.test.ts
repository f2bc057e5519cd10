import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { partsBy } from '../rest/scenarios/part-makers.js';
import { eventually } from '../support/eventually.js';
import { chain, field, type GraphData, node, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

let upstream: StubUpstream;
let service: TestService;
let project: number;
let scenario: number;

const parts = partsBy(
  () => service,
  () => service.key,
);

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  project = await parts.project();
  const topic = await parts.variable(project, { key: 'topic', variable_names: [{ name: 'a', value: 'cats' }] });
  const content = `On <variable>-1,${topic.id},${topic.variable_names[0].id}</variable>`;
  const prompt = await parts.prompt(project, { content });
  const message = await parts.message(project, { prompts: [prompt.id], parameters: { model_name: 'gpt-4o-mini' } });
  scenario = (await parts.scenario(project, { messages: [message.id] })).id;
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

async function begin(data: GraphData): Promise<string> {
  const made = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
  const { body } = await service.rest('POST', `/api/v1/workflows/${made.body.id}/run/`, { body: {} });
  expect(body).toMatchObject({ status: 201 });
  return body.data.id;
}

const poll = async (id: string) => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
const awaitEnd = (id: string) =>
  eventually(
    () => poll(id),
    ({ status }) => ['succeed', 'failed'].includes(status),
  );
const graphOf = (data: Record<string, unknown>) => chain(trigger(), node('scenario-node', data), output());

describe('a scenario node', () => {
  it('returns the final result of a run with its variables, and holds no worker meanwhile', async () => {
    const held = upstream.hold();
    const id = await begin(graphOf({ scenario_id: scenario, variables: { topic: 'owls' } }));
    await held.arrived;
    await eventually(
      async () => (await service.sql('select state from workflow_run where id = $1', [id]))[0]?.state,
      state => state === 'waiting',
    );
    held.release();
    expect(await awaitEnd(id)).toMatchObject({ status: 'succeed', output: 'stub answer' });
    expect(upstream.requests.map(({ messages }) => messages[0].content)).toEqual(['On owls']);
    const [row] = await service.sql(
      `select count(*)::int as runs, (select cost_usd::text from workflow_run where id = $1) as cost
         from scenario_run where parent_run_id = $1 and status = 'finished'`,
      [id],
    );
    expect(row).toEqual({ runs: 1, cost: '0' });
  });

  it('does not give a secret to a scenario run, whose variables all members can read', async () => {
    const secret = field('s', { type: 'text', is_secret: true, default_value: 'St0redDefault77' });
    const spread = node('scenario-node', { scenario_id: scenario, variables: { topic: 'On {{ input.s }}' } });
    const id = await begin(chain(trigger(secret), spread, output()));
    expect(await awaitEnd(id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('variables.topic: must not contain a secret') },
    });
    expect(await service.sql('select 1 from scenario_run where parent_run_id = $1', [id])).toEqual([]);
    expect(upstream.requests).toEqual([]);
  });

  it('cancels its scenario run together with the workflow run', async () => {
    const held = upstream.hold();
    const id = await begin(graphOf({ scenario_id: scenario }));
    await held.arrived;
    await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }', { id });
    await held.gone;
    held.release();
    const [row] = await service.sql('select status from scenario_run where parent_run_id = $1', [id]);
    expect(row).toEqual({ status: 'cancelled' });
  });

  it('fails with the error of the provider if its run fails', async () => {
    const prompt = await parts.prompt(project);
    const parameters = { model_name: 'echo', metadata: { echo_error: '503' } };
    const message = await parts.message(project, { prompts: [prompt.id], parameters });
    const failing = (await parts.scenario(project, { messages: [message.id] })).id;
    const id = await begin(graphOf({ scenario_id: failing }));
    const [run] = await eventually(
      () => service.sql('select id, status from scenario_run where parent_run_id = $1', [id]),
      rows => rows[0]?.status === 'error',
    );
    const error = { code: 'scenario_failed', message: expect.stringContaining('metadata.echo_error asks for it') };
    const end = await awaitEnd(id);
    expect(end).toMatchObject({ status: 'failed', error });
    expect(end.error.message).toContain(`the scenario run ${run?.id} failed`);
  });

  it('fails if its run cannot start or is cancelled', async () => {
    const ofOtherProject = (await parts.scenario(await parts.project())).id;
    for (const [data, code] of [
      [{ scenario_id: ofOtherProject }, 'unknown_scenario'],
      [{ scenario_id: scenario, variables: { undeclared: 'x' } }, 'scenario_refused'],
    ] as const)
      expect(await awaitEnd(await begin(graphOf(data)))).toMatchObject({ status: 'failed', error: { code } });
    const held = upstream.hold();
    const id = await begin(graphOf({ scenario_id: scenario }));
    await held.arrived;
    const [run] = await service.sql('select id from scenario_run where parent_run_id = $1', [id]);
    await parts.call('POST', `scenarioruns/${run?.id}/cancel/`);
    held.release();
    expect(await awaitEnd(id)).toMatchObject({ status: 'failed', error: { code: 'scenario_failed' } });
  });
});

describe('scenarioRunChanged', () => {
  const START =
    'mutation ($input: ScenarioRunStartInput!) { scenarioRunStart(input: $input) { scenarioRun { id status } } }';
  const WATCH = `subscription ($id: Int!) {
    scenarioRunChanged(id: $id) { sequence kind status round { round rounds result } run { id finalResult } } }`;

  it('sends the present state first, then each change, and completes at the end', async () => {
    const held = upstream.hold();
    const { data } = await service.graphql(START, { input: { scenarioId: scenario } });
    const { id } = data.scenarioRunStart.scenarioRun;
    await held.arrived;
    const seen: any[] = [];
    for await (const value of service.subscribe(WATCH, { id })) {
      seen.push(value.data.scenarioRunChanged);
      if (seen.length === 1) held.release();
    }
    expect(seen.map(({ kind, status, sequence }) => [kind, status, sequence])).toEqual([
      ['SNAPSHOT', 'RUNNING', 1],
      ['MESSAGE_SUCCEEDED', 'RUNNING', 2],
      ['RUN_SUCCEEDED', 'SUCCEEDED', 3],
    ]);
    expect(seen[1].round).toEqual({ round: 0, rounds: 1, result: 'stub answer' });
    expect(seen.at(-1).run).toEqual({ id, finalResult: 'stub answer' });

    const again: any[] = [];
    for await (const value of service.subscribe(WATCH, { id })) again.push(value.data.scenarioRunChanged.status);
    expect(again).toEqual(['SUCCEEDED']);
  });

  it('is refused to outsiders, as the lists and the run itself are', async () => {
    const { key } = await service.createUser('outsider');
    const { data } = await service.graphql(START, { input: { scenarioId: scenario } });
    const { id } = data.scenarioRunStart.scenarioRun;
    const watched: any = await (async () => {
      try {
        for await (const value of service.subscribe(WATCH, { id }, key)) return value.errors?.[0];
      } catch (errors) {
        return (errors as any[])[0];
      }
    })();
    expect(watched.extensions.code).toBe('NOT_FOUND');
    const LIST = 'query ($id: Int) { scenarioRuns(scenarioId: $id) { total items { id processedMessages { key } } } }';
    const mine = (await service.graphql(LIST, { id: scenario })).data.scenarioRuns;
    expect(mine.items[0].id).toBe(id);
    expect((await service.graphql(LIST, {}, key)).data.scenarioRuns.total).toBe(0);
    expect((await service.graphql(LIST, { id: scenario }, key)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
