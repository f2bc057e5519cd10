import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';
import { createLogin } from '../../support/sessions.js';

const messages = [{ role: 'user', content: 'Hello' }];
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
});
afterAll(() => service?.stop());

it('accepts a session from the console', async () => {
  const { access } = await createLogin(service, 'console-user');
  const headers = { Authorization: `Bearer ${access}`, 'X-Scenarium-Console': '1' };
  const body = { model: 'echo', messages };
  expect((await service.rest('POST', '/v1/chat/completions', { body, key: null, headers })).status).toBe(200);
});

it('does not accept the cookie of the console, which a page of another site would send', async () => {
  const { refresh } = await createLogin(service, 'console-cookie');
  const origin = { Origin: service.url, 'X-Scenarium-Console': '1' };
  const opened = await fetch(`${service.url}/console/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...origin },
    body: JSON.stringify({ refresh }),
  });
  const Cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  const body = { model: 'echo', messages };
  const answer = await service.rest('POST', '/v1/chat/completions', {
    body,
    key: null,
    headers: { Cookie, ...origin },
  });
  expect(answer.status).toBe(401);
});
