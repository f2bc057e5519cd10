import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let project: number;
beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Shop' } })).body.id;
});
afterAll(() => service?.stop());

it('lists what it created', async () => {
  const created = await service.rest('POST', '/api/v1/sample-items/', { body: { project, name: ' One ' } });
  expect(created).toMatchObject({ status: 201, body: { name: 'One' } });
  const { body } = await service.rest('GET', `/api/v1/projects/${project}/sample-items/`);
  expect(body).toEqual({ page: 1, size: 10, total: 1, items: [created.body] });
});

it('refuses a name without characters', async () => {
  const { status, body } = await service.rest('POST', '/api/v1/sample-items/', { body: { project, name: ' ' } });
  expect(status).toBe(400);
  expect(Object.keys(body)).toContain('name');
});
