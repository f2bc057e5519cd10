import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { sendRaw } from './raw.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const send = (method: string, path: string, ...headers: string[]) =>
  sendRaw(service.url, `${[`${method} ${path} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);

/** Reads the body as well, because a connection with an unread body stays open after the test. */
async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.arrayBuffer();
  return response.status;
}

describe('a request', () => {
  it.each([['/api/v1/projects/'], ['/graphql'], ['/v1/models'], ['/docs'], ['/metrics']])(
    'with two headers Host is refused: %s',
    async path => {
      for (const [one, other] of [
        ['localhost', 'evil.example.com'],
        ['localhost', 'localhost'],
      ]) {
        const answer = await send('GET', path, `Host: ${one}`, `HOST: ${other}`);
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('Host')]);
      }
    },
  );

  it('with two headers Host opens no socket', async () => {
    const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    const head = ['GET /graphql HTTP/1.1', 'Host: a', 'Host: b', ...upgrade, 'Connection: Upgrade'];
    const { status } = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n`);
    expect(status).toBe(400);
  });
});

describe('the metrics for processes of this machine', () => {
  it.each([
    ['evil.example.com'],
    ['evil.example.com:4000'],
    ['localhost.evil.example.com'],
    ['127.0.0.1.evil.example.com'],
  ])('are not found under the name %s, which may be a page of another site', async host => {
    const answer = await send('GET', '/metrics', `Host: ${host}`);
    expect(answer.status).toBe(404);
  });

  it('are served under names of this machine', async () => {
    expect(await statusOf(`${service.url}/metrics`, { headers: { Host: 'localhost' } })).toBe(200);
    expect(await statusOf(`${service.url}/metrics`)).toBe(200);
  });
});

describe('GRAPHQL_INTROSPECTION=off and OPENAPI=off', () => {
  let closed: TestService;
  beforeAll(async () => {
    closed = await startTestService({ role: 'api', graphqlIntrospection: false, openapi: false });
  });
  afterAll(() => closed?.stop());

  const wrong = [
    '{ projectz { total } }',
    '{ projects(filtr: 1) { total } }',
    'query ($a: ProjectFilte) { me { id } }',
  ];

  it.each(wrong.map(text => [text]))('errors suggest no names: %s', async text => {
    const open = await service.graphql(text);
    expect(JSON.stringify(open.errors)).toContain('Did you mean');
    const { errors } = await closed.graphql(text);
    expect(errors?.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors)).not.toContain('Did you mean');
  });

  it('the description of the API is not found', async () => {
    for (const path of ['/openapi.json', '/docs']) {
      expect([path, await statusOf(`${closed.url}${path}`)]).toEqual([path, 404]);
      expect(await statusOf(`${closed.url}${path}`, { method: 'POST' })).toBe(404);
    }
    expect(await statusOf(`${closed.url}/graphiql`)).toBe(200);
    expect(await statusOf(`${service.url}/openapi.json`)).toBe(200);
  });
});
