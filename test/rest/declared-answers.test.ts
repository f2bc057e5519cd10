import { describe, expect, it } from '@jest/globals';
import type { TestService } from '../support/service.js';
import { restAsDeclared } from './declared-answers.js';

const answering = (status: number, body: unknown, headers = {}) =>
  ({ rest: async () => ({ status, headers: new Headers(headers), body }) }) as unknown as TestService;
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

describe('an answer that matches its declaration', () => {
  const retrieve = (status: number, body: unknown) =>
    restAsDeclared(answering(status, body), 'GET', '/api/v1/projects/1', {});

  it('is passed on', async () => {
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

  it('has declared headers', async () => {
    const get = (headers: Record<string, string>) =>
      restAsDeclared(answering(200, PROJECT, headers), 'GET', '/api/v1/projects/1/');
    expect(await get({ 'X-Request-Id': 'a', 'X-RateLimit-Limit': '60', 'Content-Type': 'a' })).toMatchObject({
      status: 200,
    });
    await expect(get({ ETag: '"a"' })).rejects.toThrow('the header etag is not declared');
  });

  it('belongs to a declared route', async () => {
    await expect(restAsDeclared(answering(200, {}), 'PUT', '/api/v1/projects/1/')).rejects.toThrow('no such method');
    await expect(restAsDeclared(answering(200, {}), 'GET', '/api/v1/nothing/')).rejects.toThrow('no such path');
    await expect(restAsDeclared(answering(204, 'x'), 'DELETE', '/api/v1/projects/1/')).rejects.toThrow('a body came');
  });
});
