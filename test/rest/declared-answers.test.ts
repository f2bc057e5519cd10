import { describe, expect, it } from '@jest/globals';
import type { TestService } from '../support/service.js';
import { restAsDeclared } from './declared-answers.js';

const answering = (status: number, body: unknown) =>
  ({ rest: async () => ({ status, headers: new Headers(), body }) }) as unknown as TestService;
const PROJECT = {
  id: 1,
  name: 'a',
  total_spent: { USD: '0', SR: '0' },
  attached_provider_keys: [],
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
  webhook_url: '',
  is_webhook_enabled: false,
  can_edit: true,
};

describe('an answer as it is declared', () => {
  const retrieve = (status: number, body: unknown) =>
    restAsDeclared(answering(status, body), 'GET', '/api/v1/projects/1', {});

  it('is handed on', async () => {
    expect(await retrieve(200, PROJECT)).toMatchObject({ status: 200, body: PROJECT });
    expect(await retrieve(404, { detail: 'Not found.', code: 'not_found' })).toMatchObject({ status: 404 });
  });

  it.each([
    [200, { ...PROJECT, id: '1' }],
    [200, { ...PROJECT, can_edit: undefined }],
    [200, { ...PROJECT, created_at: '2026-03-02' }],
    [200, { ...PROJECT, total_spent: { USD: '1e-7', SR: '0' } }],
    [404, { message: 'not found' }],
    [418, {}],
    [204, null],
  ])('is not %i %j', async (status, body) => {
    await expect(retrieve(status, JSON.parse(JSON.stringify(body)))).rejects.toThrow(`answered ${status}`);
  });

  it('comes from a declared route alone', async () => {
    await expect(restAsDeclared(answering(200, {}), 'PUT', '/api/v1/projects/1/')).rejects.toThrow('no such method');
    await expect(restAsDeclared(answering(200, {}), 'GET', '/api/v1/nothing/')).rejects.toThrow('no such path');
    await expect(restAsDeclared(answering(204, 'x'), 'DELETE', '/api/v1/projects/1/')).rejects.toThrow('a body came');
  });
});
