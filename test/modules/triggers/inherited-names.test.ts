import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let workflow: number;

beforeAll(async () => {
  service = await startTestService();
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Forms' } })).body.id;
  const fields = [
    { id: 'toString', title: 'A text', type: 'text' },
    { id: 'hasOwnProperty', title: 'Of an unknown type', type: 'constructor' },
    { id: 'valueOf', title: 'A secret', type: 'text', is_secret: true, default_value: 'a-secret-default' },
  ];
  const data = chain(trigger(...fields), output('done'));
  workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
});
afterAll(() => service?.stop());

async function createForm(access: 'public' | 'members') {
  const body = { name: 'Apply', input: { source: 'web' }, form: { access } };
  const answer = await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
  return answer.body as { id: number; path: string };
}

describe('a form whose fields have the names of members that every object inherits', () => {
  it('shows them empty, and those of an unknown type as texts', async () => {
    const { path } = await createForm('public');
    const page = await fetch(service.url + path);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('<input type="text" value="" id="f0" name="toString">');
    expect(html).toContain('<input type="text" value="" id="f1" name="hasOwnProperty">');
    expect(html).toContain('<input type="password" id="f2" name="valueOf">');
  });

  it('starts a run without a value for them', async () => {
    const { id } = await createForm('members');
    const body = { submission_id: randomUUID(), input: {} };
    const answer = await service.rest('POST', `/api/v1/triggers/${id}/form/submissions/`, { body });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ run_id: expect.any(String) })]);
  });
});
