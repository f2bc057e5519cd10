import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { partsBy } from '../rest/scenarios/part-makers.js';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { joinProject } from '../support/members.js';
import { createWorkflow, echoGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { startWebhookReceiver, status, type WebhookReceiver } from '../support/upstreams/webhook-receiver.js';

let receiver: WebhookReceiver;
let service: TestService;
let worker: TestService | undefined;
let project: number;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startTestService({ role: 'api' }, await createDatabase());
  const body = { name: 'Hooks', webhook_url: `${receiver.origin}/hook`, is_webhook_enabled: true };
  project = (await service.rest('POST', '/api/v1/projects/', { body })).body.id;
});
afterAll(async () => {
  await worker?.stop();
  await service.stop();
  await receiver.stop();
});

async function list(args: string, key?: string) {
  const { data, errors } = await service.graphql(
    `{ runsDeadLettered(${args}) { total items { id kind projectId subjectId error createdAt } } }`,
    undefined,
    key,
  );
  return { ...data?.runsDeadLettered, code: errors?.[0]?.extensions.code };
}

async function redrive(kind: string, id: string, key?: string) {
  const { data, errors } = await service.graphql(
    `mutation { runDeadLetterRedrive(kind: ${kind}, id: "${id}") { deadLetterRedrive { kind startedId } } }`,
    undefined,
    key,
  );
  return { ...data?.runDeadLetterRedrive?.deadLetterRedrive, code: errors?.[0]?.extensions.code };
}

const awaitLetters = (kind: string, count: number) =>
  eventually(
    () => list(`kind: ${kind}`),
    ({ items }) => items?.length === count,
  );

/** Starts a worker that retries no webhook. The runs of these tests have no attempts left, as if their workers had died. */
async function startWorker(): Promise<void> {
  worker ??= await startTestService({ role: 'worker', webhookRetrySeconds: [] }, service.database);
}

describe('a webhook delivery that was given up', () => {
  it('is in its dead-letter queue until it is redriven', async () => {
    receiver.answer('/hook', status(500));
    await startWorker();
    const sent = await service.graphql(`mutation { webhookTest(projectId: ${project}) { webhookDelivery { id } } }`);
    const { id } = sent.data.webhookTest.webhookDelivery;
    const { items } = await awaitLetters('WEBHOOK', 1);
    expect(items).toEqual([
      {
        ...{ id, kind: 'WEBHOOK', projectId: project, subjectId: id, error: 'The receiver responded 500.' },
        createdAt: expect.any(String),
      },
    ]);
    receiver.answer('/hook', status(204));
    expect(await redrive('WEBHOOK', id)).toEqual({ kind: 'WEBHOOK', startedId: id, code: undefined });
    expect(await list(`projectId: ${project}`)).toMatchObject({ total: 0, items: [] });
    await eventually(
      () => service.sql('select state from webhook_delivery where id = $1', [id]),
      ([row]) => row?.state === 'delivered',
    );
    expect((await redrive('WEBHOOK', id)).code).toBe('NOT_FOUND');
    const entries = `{ auditLog(projectId: ${project}, filter: { action: "dead-letter.redrive" }) {
      items { userEmail objectType objectId projectId detail } } }`;
    expect((await service.graphql(entries)).data.auditLog.items).toEqual([
      {
        ...{ userEmail: expect.any(String), objectType: 'dead-letter', objectId: id, projectId: project },
        detail: { kind: 'webhook', subjectId: id },
      },
    ]);
  });
});

describe('a run whose workers died repeatedly', () => {
  it('of a workflow: a redrive starts a new one, once', async () => {
    await worker?.stop();
    worker = undefined;
    const workflow = await createWorkflow(service, echoGraph('echo'));
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    const { id } = body.data;
    await service.sql('update workflow_run set attempts = 50 where id = $1', [id]);
    await startWorker();
    const { items } = await awaitLetters('WORKFLOW', 1);
    expect(items[0]).toMatchObject({ id, subjectId: id, error: expect.stringContaining('worker') });
    const both = await Promise.all([redrive('WORKFLOW', id), redrive('WORKFLOW', id)]);
    const started = both.find(({ startedId }) => startedId)!;
    expect(both.map(({ code }) => code).toSorted()).toEqual(['NOT_FOUND', undefined]);
    const states = () => service.sql('select id, state from workflow_run order by created_at');
    expect(
      await eventually(states, rows => rows.length === 2 && rows.every(row => /succeeded|failed/.test(row.state))),
    ).toEqual([
      { id, state: 'failed' },
      { id: started.startedId, state: 'succeeded' },
    ]);
    expect((await awaitLetters('WORKFLOW', 0)).items).toEqual([]);
  });

  it('of a scenario: a redrive starts a new one', async () => {
    await worker?.stop();
    worker = undefined;
    const parts = partsBy(
      () => service,
      () => service.key,
    );
    const prompt = await parts.prompt(project, { content: 'Hi' });
    const message = await parts.message(project, { prompts: [prompt.id], parameters: { model_name: 'echo' } });
    const scenario = await parts.scenario(project, { messages: [message.id] });
    const run = (await parts.call('POST', 'scenarioruns/run/', { body: { scenario: scenario.id } })).body;
    await service.sql('update scenario_run set attempts = 5 where id = $1', [run.id]);
    await startWorker();
    const { items } = await awaitLetters('SCENARIO', 1);
    expect(items[0]).toMatchObject({ kind: 'SCENARIO', projectId: project, subjectId: String(run.id) });
    const { startedId } = await redrive('SCENARIO', items[0].id);
    const [row] = await service.sql('select id, scenario_id from scenario_run where id > $1', [run.id]);
    expect(row).toEqual({ id: Number(startedId), scenario_id: scenario.id });
    expect((await awaitLetters('SCENARIO', 0)).items).toEqual([]);
  });

  it('of a document and of keywords: a redrive starts a new one', async () => {
    await worker?.stop();
    worker = undefined;
    const body = formOf({ project: String(project) }, { file1: ['a.txt', 'Some text.'] });
    const document = (await service.rest('POST', '/api/v1/documents/', { body })).body[0].id;
    const recognition = await service.rest('POST', '/api/v1/recognitionruns/', { body: { project, document } });
    const keywords = await service.rest('POST', '/api/v1/keywordruns/', { body: { project, topic: 'tea' } });
    await service.sql('update recognition_run set attempts = 3');
    await service.sql('update keyword_run set attempts = 3');
    await startWorker();
    for (const [kind, run, table] of [
      ['RECOGNITION', recognition.body.id, 'recognition_run'],
      ['KEYWORD', keywords.body.id, 'keyword_run'],
    ]) {
      const { items } = await awaitLetters(kind, 1);
      expect(items[0]).toMatchObject({ kind, projectId: project, subjectId: String(run) });
      const { startedId } = await redrive(kind, items[0].id);
      const [row] = await service.sql(`select id from ${table} where id > $1`, [run]);
      expect(startedId).toBe(String(row!.id));
    }
  });
});

it('dead letters are shown to administrators of their project, and all of them to administrators of the service', async () => {
  const ann = await service.createUser('ann');
  expect((await list(`projectId: ${project}`, ann.key)).code).toBe('NOT_FOUND');
  await joinProject(service, project, ann.email, 'admin');
  expect((await list(`projectId: ${project}`, ann.key)).code).toBeUndefined();
  expect((await list('page: 1', ann.key)).code).toBe('FORBIDDEN');
  expect((await list('page: 1')).code).toBeUndefined();
});

it('a dead letter stays when no run can be started', async () => {
  const id = '00000000-0000-7000-8000-000000000001';
  await service.sql(
    `insert into pgboss.job (id, name, group_id, data) values ($1, 'recognition-dead-letter', $2, '{"subjectId": "999999", "error": "Gone."}')`,
    [id, String(project)],
  );
  expect((await redrive('RECOGNITION', id)).code).toBe('NOT_FOUND');
  expect((await list('kind: RECOGNITION')).items).toContainEqual(expect.objectContaining({ id }));
});
