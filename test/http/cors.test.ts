import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

const APP = 'https://app.example';
const PROJECTS = '/api/v1/projects/';

let service: TestService;
const preflight = (path: string, origin: string, headers = 'x-api-key, content-type') =>
  service.rest('OPTIONS', path, {
    key: null,
    headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': headers },
  });
const corsHeaders = (headers: Headers) => [...headers.keys()].filter(name => name.startsWith('access-control-'));

describe('a list of origins', () => {
  beforeAll(async () => {
    service = await startTestService({
      role: 'api',
      corsOrigins: [APP, 'http://localhost:3000'],
      rateLimitPerMinute: 60,
    });
  });
  afterAll(() => service?.stop());

  it.each([PROJECTS, '/graphql', '/v1/models', '/api/v1/nothing/'])('answers a preflight of %s', async path => {
    const { status, headers, body } = await preflight(path, APP);
    expect([status, body]).toEqual([204, null]);
    expect(headers.get('access-control-allow-origin')).toBe(APP);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(headers.get('access-control-allow-headers')).toBe('x-api-key, content-type');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it.each([
    ['REST', 'GET', PROJECTS, undefined, 200],
    ['GraphQL', 'POST', '/graphql', { query: '{ projects { total } }' }, 200],
    ['a refusal', 'PUT', PROJECTS, {}, 405],
  ])('lets a page read the answer of %s, and its headers', async (_what, method, path, body, status) => {
    const answer = await service.rest(method, path, { body, headers: { Origin: 'http://localhost:3000' } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'X-RateLimit-Reset', 'Retry-After', 'Idempotent-Replayed']),
    );
  });

  it.each(['https://app.example.evil', 'https://other.example', 'http://app.example', 'null', `${APP}/`])(
    'sends no CORS headers to a page of %s',
    async origin => {
      const asked = await preflight(PROJECTS, origin);
      expect([asked.status, asked.headers.get('allow'), corsHeaders(asked.headers)]).toEqual([
        204,
        'GET, POST, HEAD, OPTIONS',
        [],
      ]);
      const { status, headers } = await service.rest('GET', PROJECTS, { headers: { Origin: origin } });
      expect([status, corsHeaders(headers), headers.get('vary')]).toEqual([200, [], 'Origin']);
    },
  );

  it('sends no CORS headers to a caller that is not a page, nor to its own pages', async () => {
    expect(corsHeaders((await service.rest('GET', PROJECTS)).headers)).toEqual([]);
    const { headers } = await service.rest('GET', '/healthz', { headers: { Origin: APP } });
    expect(corsHeaders(headers)).toEqual([]);
  });
});

describe('another setting', () => {
  afterEach(() => service?.stop());

  it('of * permits every origin', async () => {
    service = await startTestService({ role: 'api', corsOrigins: ['*'] });
    const { headers } = await service.rest('GET', PROJECTS, { headers: { Origin: 'null' } });
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual(['*', null]);
    expect((await preflight('/graphql', APP)).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('that is empty, the default, permits none', async () => {
    service = await startTestService({ role: 'api' });
    const { headers } = await service.rest('GET', PROJECTS, { headers: { Origin: APP } });
    expect([corsHeaders(headers), headers.get('vary')]).toEqual([[], null]);
    expect(corsHeaders((await preflight(PROJECTS, APP)).headers)).toEqual([]);
  });
});
