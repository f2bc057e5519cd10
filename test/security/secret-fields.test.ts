import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, field, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let project: number;
beforeAll(async () => {
  service = await startTestService();
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Secrets' } })).body.id;
});
afterAll(() => service?.stop());

const SECRET = 'canary-of-a-flag';
const graphWith = (more: Record<string, unknown>) =>
  chain(trigger(field('key', { default_value: SECRET, ...more })), output());

describe('flags of input fields', () => {
  const odd = ['true', 'false', 'yes', 1, 0, '', [], {}, [true]];

  it.each([...odd.map(value => ['is_secret', value]), ['input_requirements', 'true'], ['input_requirements', 1]])(
    'are not %s: %j',
    async (flag, value) => {
      const data = graphWith({ [flag as string]: value });
      const message = `input field "key": ${flag} must be true or false.`;
      const body = { project, title: 'W', data };
      const created = await service.rest('POST', '/api/v1/workflows/', { body });
      expect([created.status, JSON.stringify(created.body.data)]).toEqual([
        400,
        expect.stringContaining(JSON.stringify(message).slice(1, -1)),
      ]);
      const { body: sound } = await service.rest('POST', '/api/v1/workflows/', {
        body: { ...body, data: graphWith({ is_secret: true }) },
      });
      const updated = await service.rest('PATCH', `/api/v1/workflows/${sound.id}/`, { body: { data } });
      const task = `/api/v1/workflows/run/?task_id=${crypto.randomUUID()}`;
      const started = await service.rest('POST', task, { body: { data, project } });
      const mutation = 'mutation ($input: WorkflowCreateInput!) { workflowCreate(input: $input) { id } }';
      const asked = await service.graphql(mutation, { input: body });
      expect([updated.status, started.status]).toEqual([400, 400]);
      expect(asked.errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: { data: [expect.any(String)] },
      });
      expect(JSON.stringify([created, updated, started, asked])).not.toContain(SECRET);
    },
  );

  it.each([[true], [false], [null]])('are %j', async is_secret => {
    const body = { project, title: 'W', data: graphWith({ is_secret }) };
    const { status, body: saved } = await service.rest('POST', '/api/v1/workflows/', { body });
    expect(status).toBe(201);
    expect(saved.data.nodes[0].data.input_fields[0].default_value).toBe(is_secret === true ? '********' : SECRET);
  });

  it('are refused inside of loops as well', async () => {
    const inside = graphWith({ is_secret: 'yes' });
    const data = chain(
      trigger(),
      { id: 'l', type: 'loop-node', data: { items: [1], body: inside } } as never,
      output(),
    );
    const { status } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
    expect(status).toBe(400);
  });

  it.each(odd.map(value => [value]))('of bodies of REST and of GraphQL are not %j either', async value => {
    const path = `/api/v1/projects/${project}/`;
    const { status } = await service.rest('PATCH', path, { body: { is_webhook_enabled: value } });
    const change = 'mutation ($id: Int!, $input: ProjectUpdateInput!) { projectUpdate(id: $id, input: $input) { id } }';
    const { errors } = await service.graphql(change, { id: project, input: { isWebhookEnabled: value } });
    expect([status, errors?.[0]?.extensions?.code]).toEqual([400, 'BAD_USER_INPUT']);
  });
});
