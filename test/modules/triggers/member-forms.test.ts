import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, output, trigger } from '../../support/graphs.js';
import { setRole } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let workflow: number;
let viewerKey: string;
let outsiderKey: string;

beforeAll(async () => {
  service = await startTestService();
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Forms' } })).body.id;
  const fields = [
    { id: 'name', title: 'Name', type: 'text', input_requirements: true },
    { id: 'source', title: 'Source', type: 'text' },
    { id: 'key', title: 'Key', type: 'text', is_secret: true, default_value: 'a-secret-default' },
  ];
  const data = chain(trigger(...fields), output('{{ input.name }} by {{ input.source }}'));
  workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
  const viewer = await service.createUser('viewer');
  viewerKey = viewer.key;
  outsiderKey = (await service.createUser('outsider')).key;
  await setRole(service, project, viewer.email, 'viewer');
});
afterAll(() => service?.stop());

async function createForm(form: object = {}) {
  const body = {
    name: 'Apply',
    input: { source: 'the form' },
    form: { access: 'members', shows_result: true, ...form },
  };
  const answer = await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
  return answer.body as { id: number; path: string; project: number };
}

const submit = (id: number, input: object, submission_id: string = randomUUID(), key = viewerKey) =>
  service.rest('POST', `/api/v1/triggers/${id}/form/submissions/`, { body: { submission_id, input }, key });

describe('a form for members', () => {
  it('shows its fields to a viewer, without fixed values and secret defaults, and to no other caller', async () => {
    const { id, path, project } = await createForm({ title: 'Apply here' });
    expect(path).toBe(`/projects/${project}/forms/${id}`);
    const shown = await service.rest('GET', `/api/v1/triggers/${id}/form/`, { key: viewerKey });
    expect(shown).toMatchObject({ status: 200, body: { title: 'Apply here', submit_label: 'Submit' } });
    expect(shown.body.fields.map((field: { id: string }) => field.id)).toEqual(['name', 'key']);
    expect(JSON.stringify(shown.body)).not.toContain('a-secret-default');
    expect((await service.rest('GET', `/api/v1/triggers/${id}/form/`, { key: outsiderKey })).status).toBe(404);
    expect((await submit(id, { name: 'Eve' }, randomUUID(), outsiderKey)).status).toBe(404);
  });

  it('starts one run of the user of the trigger, does not replace fixed values, and is audited', async () => {
    const { id } = await createForm();
    const submission = randomUUID();
    const first = await submit(id, { name: 'Ada', source: 'elsewhere' }, submission);
    expect(first).toMatchObject({ status: 201, body: { thanks: 'Thank you.', result: 'Ada by the form' } });
    expect((await submit(id, { name: 'Ada' }, submission)).body.run_id).toBe(first.body.run_id);
    const [run] = await service.sql<{ email: string }>(
      'select u.email from workflow_run r join app_user u on u.id = r.user_id where r.id = $1',
      [first.body.run_id],
    );
    expect(run?.email).toBe('admin@example.com');
    const events = await service.sql<{ email: string }>(
      `select user_email as email from audit_entry where action = 'form.submit' and object_id = $1`,
      [String(id)],
    );
    expect(events.map(({ email }) => email)).toEqual(['viewer@example.com']);
    const log = await service.rest('GET', `/api/v1/triggers/${id}/log/`);
    expect(log.body.items.map((entry: { run_id: string }) => entry.run_id)).toEqual([first.body.run_id]);
  });

  it('refuses wrong values, a closed form and a public form', async () => {
    const { id } = await createForm();
    expect(await submit(id, {})).toMatchObject({ status: 400 });
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: false } });
    expect((await submit(id, { name: 'Ada' })).status).toBe(409);
    const open = await createForm({ access: 'public' });
    expect((await submit(open.id, { name: 'Ada' })).status).toBe(409);
    expect(open.path).toMatch(/^\/forms\//);
  });

  it('has no public page any more once it is for members, and no address to rotate', async () => {
    const { id, path } = await createForm({ access: 'public' });
    expect((await fetch(service.url + path)).status).toBe(200);
    const form = { access: 'members' };
    expect((await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { form } })).status).toBe(200);
    expect((await fetch(service.url + path)).status).toBe(404);
    expect((await service.rest('POST', `/api/v1/triggers/${id}/rotate/`)).status).toBe(409);
  });
});
