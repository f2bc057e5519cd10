import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { chain, field, node, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type EchoUpstream, startEchoUpstream } from './canaries/echo-upstream.js';

let service: TestService;
let project: number;
let known: EchoUpstream;
let other: EchoUpstream;
beforeAll(async () => {
  [known, other] = [await startEchoUpstream(), await startEchoUpstream()];
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Secrets' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await known?.stop();
  await other?.stop();
});

const SECRET = 'canary-of-a-flag';
const graphWith = (more: Record<string, unknown>) =>
  chain(trigger(field('key', { default_value: SECRET, ...more })), output());

describe('boolean flags', () => {
  const bad = ['true', 'false', 'yes', 1, 0, '', [], {}, [true]];

  it.each([...bad.map(value => ['is_secret', value]), ['input_requirements', 'true'], ['input_requirements', 1]])(
    'of input fields are refused if they are not booleans: %s %j',
    async (flag, value) => {
      const data = graphWith({ [flag as string]: value });
      const message = `input field "key": ${flag} must be true or false.`;
      const body = { project, title: 'W', data };
      const created = await service.rest('POST', '/api/v1/workflows/', { body });
      expect([created.status, JSON.stringify(created.body.data)]).toEqual([
        400,
        expect.stringContaining(JSON.stringify(message).slice(1, -1)),
      ]);
      const { body: valid } = await service.rest('POST', '/api/v1/workflows/', {
        body: { ...body, data: graphWith({ is_secret: true }) },
      });
      const updated = await service.rest('PATCH', `/api/v1/workflows/${valid.id}/`, { body: { data } });
      const task = `/api/v1/workflows/run/?task_id=${crypto.randomUUID()}`;
      const started = await service.rest('POST', task, { body: { data, project } });
      const mutation = 'mutation ($input: WorkflowCreateInput!) { workflowCreate(input: $input) { workflow { id } } }';
      const mutated = await service.graphql(mutation, { input: { projectId: project, title: 'W', data } });
      expect([updated.status, started.status]).toEqual([400, 400]);
      expect(mutated.errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: { data: [expect.any(String)] },
      });
      expect(JSON.stringify([created, updated, started, mutated])).not.toContain(SECRET);
    },
  );

  it.each([[true], [false], [null]])('of input fields may be %j', async is_secret => {
    const body = { project, title: 'W', data: graphWith({ is_secret }) };
    const { status, body: saved } = await service.rest('POST', '/api/v1/workflows/', { body });
    expect(status).toBe(201);
    expect(saved.data.nodes[0].data.input_fields[0].default_value).toBe(is_secret === true ? '********' : SECRET);
  });

  it('of input fields inside of loops are refused as well', async () => {
    const inside = graphWith({ is_secret: 'yes' });
    const data = chain(
      trigger(),
      { id: 'l', type: 'loop-node', data: { items: [1], body: inside } } as never,
      output(),
    );
    const { status } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
    expect(status).toBe(400);
  });

  it.each(bad.map(value => [value]))('of projects are refused as well: %j', async value => {
    const path = `/api/v1/projects/${project}/`;
    const { status } = await service.rest('PATCH', path, { body: { is_webhook_enabled: value } });
    const change =
      'mutation ($id: Int!, $input: ProjectUpdateInput!) { projectUpdate(id: $id, input: $input) { project { id } } }';
    const { errors } = await service.graphql(change, { id: project, input: { isWebhookEnabled: value } });
    expect([status, errors?.[0]?.extensions?.code]).toEqual([400, 'BAD_USER_INPUT']);
  });
});

describe('hosts that a secret is sent to', () => {
  const HIDDEN = 'sk-hidden-0123456789';
  const key = (value: string, more: Record<string, unknown> = {}) =>
    field('key', { is_secret: true, default_value: value, ...more });
  const sendingKey = (origin: string, value = '{{ input.key }}') =>
    node('http-node', { method: 'POST', url: `${origin}/tell`, headers: { Authorization: value }, body: { value } });
  const save = async (data: unknown) => {
    const { status, body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
    expect(status).toBe(201);
    return body.id as number;
  };
  const run = async (workflow: number, input: unknown = {}) => {
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input });
    expect(body).toMatchObject({ status: 201 });
    return eventually(
      async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`)).body,
      result => ['succeed', 'failed', 'error'].includes(result.data?.status ?? result.status),
    );
  };
  const receivedBy = (upstream: EchoUpstream) => upstream.received.join('\n');

  it('do not change while an update keeps the secret', async () => {
    const workflow = await save(chain(trigger(key(HIDDEN)), sendingKey(known.origin), output()));
    const update = (value: string, origin: string) =>
      service.rest('PATCH', `/api/v1/workflows/${workflow}/`, {
        body: { data: chain(trigger(key(value)), sendingKey(origin), output()) },
      });
    const refused = await update('********', other.origin);
    expect([refused.status, refused.body.data]).toEqual([
      400,
      [expect.stringContaining('input field "key": enter default_value again')],
    ]);
    expect((await update('********', known.origin)).status).toBe(200);
    await run(workflow);
    expect(receivedBy(known)).toContain(HIDDEN);
    expect(receivedBy(other)).not.toContain(HIDDEN);
    expect((await update('sk-entered-again', other.origin)).status).toBe(200);
  });

  it('are those of its allowed_hosts, also in the workflows that receive it', async () => {
    const own = 'sk-allowed-0123456789';
    const start = trigger(key('', { allowed_hosts: [new URL(known.origin).host] }));
    const open = await save(chain(trigger(field('text')), sendingKey(other.origin, '{{ input.text }}'), output()));
    const graphs = {
      direct: chain(start, sendingKey(other.origin), output()),
      changed: chain(start, sendingKey(other.origin, '{{ input.key | upper }}'), output()),
      'by a template': chain(
        start,
        node('template-node', { template: 'is {{ input.key }}' }),
        sendingKey(other.origin, '{{ previous.content }}'),
        output(),
      ),
      'by a workflow': chain(
        start,
        node('subworkflow-node', { workflow_id: open, input: { text: '{{ input.key }}' } }),
        output(),
      ),
    };
    for (const [name, data] of Object.entries(graphs)) {
      const result = await run(await save(data), { key: own });
      expect([name, JSON.stringify(result)]).toEqual([name, expect.stringContaining('may be sent to')]);
      expect(JSON.stringify(result)).not.toContain(own);
    }
    expect(receivedBy(other).toLowerCase()).not.toContain(own);
    await run(await save(chain(start, sendingKey(known.origin), output())), { key: own });
    expect(receivedBy(known)).toContain(own);
  });

  it('are refused where they are not hosts', async () => {
    const data = chain(trigger(key(HIDDEN, { allowed_hosts: ['https://x'] })), output());
    const { status, body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
    expect([status, body.data]).toEqual([400, [expect.stringContaining('allowed_hosts must be a list')]]);
  });
});
