import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, field, llm, node, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { partsBy } from './part-makers.js';
import { scenarioRunsBy } from './scenario-run-requests.js';

let service: TestService;
let project: number;

const parts = partsBy(
  () => service,
  () => service.key,
);
const runs = scenarioRunsBy(parts, () => project);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  project = await parts.project();
});

const createWorkflow = async (data: unknown): Promise<number> =>
  (await parts.call('POST', 'workflows/', { body: { project, title: 'W', data } })).body.id;
const createAnsweringWorkflow = () =>
  createWorkflow(chain(trigger(field('question')), llm('{{ input.question }}', 'echo'), output()));
const startRun = async (parameters: Record<string, unknown>) => {
  const { scenario } = await runs.createScenario('Why?', { provider: 'workflow', parameters });
  return (await runs.run({ scenario: scenario.id })).body.id as number;
};
const runToEnd = async (parameters: Record<string, unknown>) => runs.awaitEnd(await startRun(parameters));
const findWorkflowRuns = (id: number) =>
  service.sql(
    `select state, parent_run_id is null as is_first
       from workflow_run where scenario_run_id = $1 order by created_at`,
    [id],
  );

const countCancelledRuns = async (): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^scenarium_runs_ended_total\{kind="workflow",outcome="cancelled"\} (\d+)$/m.exec(text)?.[1] ?? 0);
};

describe('a message to a workflow', () => {
  it('runs it with values of its prompts, and has its output as the result', async () => {
    const workflow = await createAnsweringWorkflow();
    const input = { question: '{{ input.user | upper }}' };
    const run = await runToEnd({ workflow_id: workflow, input, result: 'It said {{ previous.content }}' });
    expect(run).toMatchObject({ status: 'finished', final_result: 'It said WHY?' });
    const query = `query ($id: Int!) { scenarioRun(id: $id) {
      workflowRuns { total items { state scenarioRunId parentRunId workflowId } } } }`;
    const { data } = await service.graphql(query, { id: run.id });
    expect(data.scenarioRun.workflowRuns).toEqual({
      total: 1,
      items: [{ state: 'SUCCEEDED', scenarioRunId: run.id, parentRunId: null, workflowId: workflow }],
    });
  });

  it.each<[string, string, object]>([
    ['text', 'Sunny', { status: 'finished', final_result: 'Sunny' }],
    ['variables', 'city: Rome', { status: 'finished', local_variables: [{ name: 'city', value: 'Rome' }] }],
    ['image', 'https://images.example.com/1.png', { final_result: 'https://images.example.com/1.png' }],
    ['image', 'no address', { status: 'error', error: { code: 'bad_image' } }],
  ])('with the return type %s reads the output %j', async (return_type, text, expected) => {
    const workflow = await createWorkflow(chain(trigger(), template(text), output()));
    const { scenario } = await runs.createScenario('Where?', {
      ...{ provider: 'workflow', return_type },
      parameters: { workflow_id: workflow },
    });
    expect(await runs.awaitEnd((await runs.run({ scenario: scenario.id })).body.id)).toMatchObject(expected);
  });

  it('fails with the error of the workflow', async () => {
    const workflow = await createWorkflow(chain(trigger(), template('{{ parse_json("{") }}'), output()));
    const run = await runToEnd({ workflow_id: workflow });
    expect(run).toMatchObject({ status: 'error', error: { code: 'subworkflow_failed' } });
  });

  it('runs only the published revision in a project with drafts', async () => {
    const workflow = await createAnsweringWorkflow();
    await service.sql('update project set uses_drafts = true where id = $1', [project]);
    await service.sql('update workflow set published_revision_id = null where id = $1', [workflow]);
    expect(await runToEnd({ workflow_id: workflow })).toMatchObject({ error: { code: 'unpublished_workflow' } });
  });

  it('starts nothing when the spending limit is reached', async () => {
    const workflow = await createAnsweringWorkflow();
    const id = await startRun({ workflow_id: workflow });
    await runs.awaitEnd(id);
    await service.sql('update project set budget_usd = 0 where id = $1', [project]);
    const { scenario } = await runs.createScenario('Why?', {
      provider: 'workflow',
      parameters: { workflow_id: workflow },
    });
    const { status } = await runs.run({ scenario: scenario.id });
    expect(status).toBe(402);
  });

  it('starts neither the workflow that started the scenario nor a scenario within its workflow', async () => {
    const workflow = await createWorkflow(chain(trigger(), output()));
    const { scenario } = await runs.createScenario('Why?', {
      provider: 'workflow',
      parameters: { workflow_id: workflow },
    });
    const data = chain(trigger(), node('scenario-node', { scenario_id: scenario.id }), output());
    const saved = await parts.call('PATCH', `workflows/${workflow}/`, { body: { data } });
    expect(saved.status).toBe(200);
    const below = await runs.awaitEnd((await runs.run({ scenario: scenario.id })).body.id);
    expect(JSON.stringify(below.error)).toContain('cannot run a scenario');
    const { id } = (await parts.call('POST', `workflows/${workflow}/run/`, { body: {} })).body.data;
    const result = await eventually(
      async () => (await parts.call('GET', `workflows/workflow_result/?id=${id}`)).body.data,
      ({ status }) => status === 'failed',
    );
    expect(JSON.stringify(result)).toContain('it would start itself');
  });

  it('cancels the workflow when the run is cancelled', async () => {
    const child = await createWorkflow(chain(trigger(), node('delay-node', { seconds: 3_600 }), output()));
    const workflow = await createWorkflow(chain(trigger(), node('subworkflow-node', { workflow_id: child }), output()));
    const id = await startRun({ workflow_id: workflow });
    await eventually(
      () => findWorkflowRuns(id),
      rows => rows.length === 2 && rows.every(row => row.state === 'waiting'),
    );
    await parts.call('POST', `scenarioruns/${id}/cancel/`);
    expect((await runs.awaitEnd(id)).status).toBe('cancelled');
    expect((await findWorkflowRuns(id)).map(row => [row.state, row.is_first])).toEqual([
      ['cancelled', true],
      ['cancelled', false],
    ]);
  });

  it('counts its cancelled workflow once if the commit of the cancellation is repeated', async () => {
    const workflow = await createWorkflow(chain(trigger(), node('delay-node', { seconds: 3_600 }), output()));
    const id = await startRun({ workflow_id: workflow });
    await eventually(
      () => findWorkflowRuns(id),
      rows => rows.length === 1 && rows[0]?.state === 'waiting',
    );
    const before = await countCancelledRuns();
    await service.sql('create sequence commit_attempts');
    await service.sql(`create function conflict_once() returns trigger language plpgsql as $$
      begin
        if nextval('commit_attempts') = 1 then
          raise exception 'conflict' using errcode = 'serialization_failure';
        end if;
        return null;
      end $$`);
    await service.sql(`create constraint trigger conflict_once after update on scenario_run
      deferrable initially deferred for each row when (new.status = 'cancelled') execute function conflict_once()`);
    try {
      await parts.call('POST', `scenarioruns/${id}/cancel/`);
    } finally {
      await service.sql('drop function conflict_once cascade');
    }
    expect(await findWorkflowRuns(id)).toEqual([{ state: 'cancelled', is_first: true }]);
    const [attempts] = await service.sql('select last_value::int as count from commit_attempts');
    expect(attempts?.count).toBeGreaterThan(1);
    expect((await countCancelledRuns()) - before).toBe(1);
  });

  it.each([
    ['a workflow of another project', {}, 'workflow_id'],
    ['a start without waiting', { detached: true }, 'detached'],
  ])('refuses %s when it is saved', async (_, more, member) => {
    const own = await createAnsweringWorkflow();
    const other = { project: await parts.project(), title: 'O', data: chain(trigger(), output()) };
    const otherWorkflow = (await parts.call('POST', 'workflows/', { body: other })).body.id;
    const parameters = { workflow_id: 'detached' in more ? own : otherWorkflow, ...more };
    const body = { project, key: 'refused', provider: 'workflow', parameters };
    const refused = await parts.call('POST', 'messages/', { body });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(member);
  });
});
