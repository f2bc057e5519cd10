import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let workflow: number;

beforeAll(async () => {
  service = await startTestService();
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Forms' } })).body.id;
  const option = (title: string, value: unknown) => ({ title, value, is_default: false });
  const fields = [
    { id: 'name', title: 'Your <name>', type: 'text', input_requirements: true },
    { id: 'mail', title: 'E-mail', type: 'email' },
    { id: 'size', title: 'Size', type: 'select', options: [option('Small', 1), option('Large', 2)] },
    { id: 'colours', title: 'Colours', type: 'multiselect', options: [option('Red', 'r'), option('Blue', 'b')] },
    { id: 'agrees', title: 'I agree', type: 'boolean' },
    { id: 'paper', title: 'Paper', type: 'file' },
    { id: 'source', title: 'Source', type: 'text' },
    { id: 'key', title: 'Key', type: 'text', is_secret: true, default_value: 'a-secret-default' },
  ];
  const value =
    '{{ input.name }} {{ input.size }} {{ input.colours | json }} {{ input.agrees }} {{ input.source }} {{ input.paper.name }}';
  const body = { project, title: 'W', data: chain(trigger(...fields), output(value)) };
  workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
});
afterAll(() => service?.stop());

async function createForm(form: object, more: object = {}) {
  const body = { name: 'Apply', form, ...more };
  const answer = await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body as { id: number; path: string };
}

async function open(path: string): Promise<{ status: number; html: string; submission: string; headers: Headers }> {
  const answer = await fetch(service.url + path);
  const html = await answer.text();
  const submission = /name="_submission" value="([^"]+)"/.exec(html)?.[1] ?? '';
  return { status: answer.status, html, submission, headers: answer.headers };
}

async function submit(path: string, values: Record<string, string | Blob>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  const answer = await fetch(service.url + path, { method: 'POST', body });
  return { status: answer.status, html: await answer.text() };
}

const log = async (id: number) => (await service.rest('GET', `/api/v1/triggers/${id}/log/`)).body.items;

describe('a form', () => {
  it('shows the input fields on a page without scripts', async () => {
    const { path } = await createForm({ title: 'Apply <here>', description: 'Hello' }, { input: { source: 'web' } });
    expect(path).toMatch(/^\/forms\/[\w-]{43}$/);
    const { status, html, headers } = await open(path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('Apply &lt;here&gt;');
    expect(html).toContain('Your &lt;name&gt;');
    expect(html).toContain('type="file"');
    expect(html).not.toContain('Source');
    expect(html).not.toContain('a-secret-default');
    expect((await open('/forms/unknown')).status).toBe(404);
    expect((await open(path.replace('forms', 'hooks'))).status).toBe(404);
  });

  it('starts one run with the values and a file, and shows the result', async () => {
    const { id, path } = await createForm({ shows_result: true, thanks: 'Got it.' }, { input: { source: 'web' } });
    const { submission } = await open(path);
    const values = {
      ...{ _submission: submission, name: 'Ada', size: '1', colours: '1', agrees: 'on' },
      paper: new File(['hello'], 'cv.txt', { type: 'text/plain' }),
    };
    const answer = await submit(path, values);
    expect([answer.status, answer.html]).toEqual([200, expect.stringContaining('Got it.')]);
    expect(answer.html).toContain('Ada 2 [&quot;b&quot;] true web cv.txt');
    const again = await submit(path, values);
    expect(again.html).toContain('Ada 2');
    const runs = new Set((await log(id)).map((firing: { run_id: string }) => firing.run_id));
    expect(runs.size).toBe(1);
  });

  it('marks wrong values and keeps the others', async () => {
    const { id, path } = await createForm({});
    const { submission } = await open(path);
    const answer = await submit(path, { _submission: submission, name: 'Ada "A"', mail: 'no', size: '0' });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('must be an e-mail address');
    expect(answer.html).toContain('value="Ada &quot;A&quot;"');
    expect(answer.html).toContain('<option value="0" selected>');
    expect((await log(id))[0]).toMatchObject({ outcome: 'rejected', run_id: null });
    const empty = await submit(path, { _submission: submission, paper: new File([], '') });
    expect([empty.status, empty.html]).toEqual([400, expect.stringContaining('aria-invalid')]);
    const corrected = await submit(path, { _submission: submission, name: 'Ada' });
    expect([corrected.status, corrected.html]).toEqual([200, expect.stringContaining('Thank you.')]);
    const unread = await fetch(service.url + path, { method: 'POST', body: 'x' });
    expect(unread.status).toBe(400);
  });

  it('is closed while it is disabled, and has a new address after a rotation', async () => {
    const { id, path } = await createForm({});
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: false } });
    expect(await open(path)).toMatchObject({ status: 409, html: expect.stringContaining('closed') });
    expect((await submit(path, { name: 'Ada' })).status).toBe(409);
    const rotated = await service.rest('POST', `/api/v1/triggers/${id}/rotate/`);
    expect(rotated.body.path).not.toBe(path);
    expect((await open(path)).status).toBe(404);
  });

  it('is refused with all its wrong settings when it is saved', async () => {
    const body = { name: 'F', form: { wait_seconds: 61, submit_label: '' } };
    const answer = await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, { body });
    expect([answer.status, Object.keys(answer.body).toSorted()]).toEqual([
      400,
      ['form.submit_label', 'form.wait_seconds'],
    ]);
  });
});
