import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('Addresses of the console', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service?.stop());
  const get = (path: string, headers: Record<string, string> = BROWSER) => fetch(`${service.url}${path}`, { headers });

  test.each(['/', '/sign-in', '/projects/1/workflows?page=2', '/no/such/screen'])(
    '%s is the console for a browser',
    async path => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  test.each([
    '/api/v1/none/',
    '/api/none',
    '/v1/none',
    '/graphiql/none',
    '/docs/none',
    '/files/none',
    '/console/none',
    '/console/assets/none.js',
    '/healthz/none',
    '/metrics/none',
    '/robots.txt',
  ])('%s stays 404', async path => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/json');
  });

  test('clients that do not ask for HTML get 404 in JSON', async () => {
    const response = await get('/projects/1', { Accept: '*/*' });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    expect((await fetch(`${service.url}/projects/1`, { method: 'POST', headers: BROWSER })).status).toBe(404);
  });

  test('scripts are sent in the smallest encoding that the browser accepts', async () => {
    const [, script = ''] = /src="([^"]+\.js)"/.exec(await (await get('/')).text()) ?? [];
    const encodings = ['gzip, deflate, br', 'gzip', 'identity'].map(async encoding => {
      const response = await get(script, { 'Accept-Encoding': encoding });
      await response.body?.cancel();
      return response.headers.get('content-encoding');
    });
    expect(await Promise.all(encodings)).toEqual(['br', 'gzip', null]);
  });
});
