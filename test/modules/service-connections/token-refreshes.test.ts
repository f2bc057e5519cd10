import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type LoopbackServer, serveHttp } from '../../support/upstreams/loopback-server.js';

const REDIRECT = 'http://127.0.0.1:9/connections/authorized';
const OUTBOUND = { outboundAllow: ['127.0.0.1'] };

let service: TestService;
let other: TestService;
let server: LoopbackServer;
let project: number;
/** Bodies of the token requests for refresh tokens and client credentials, oldest first. */
let requests: URLSearchParams[] = [];
/** Answers that are due. They are sent at once unless `isHeld`. */
const held: (() => void)[] = [];
let isHeld = false;
/** The next answer is lost, although the server has replaced the refresh token. */
let losesAnswer = false;
let issued = 0;

beforeAll(async () => {
  server = await serveHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/token') answerToken(new URLSearchParams(body), response);
    else response.end('{}');
  });
  service = await startTestService(OUTBOUND);
  other = await startTestService({ ...OUTBOUND, role: 'api' }, service.database);
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Refreshes' } })).body.id;
});
afterEach(() => {
  release();
  requests = [];
});
afterAll(async () => {
  await other?.stop();
  await service?.stop();
  await server?.close();
});

/** Refresh tokens rotate: only the one that was issued last is valid. */
function answerToken(body: URLSearchParams, response: ServerResponse): void {
  const grant = body.get('grant_type');
  const isRefused = grant === 'refresh_token' && body.get('refresh_token') !== `refresh-token-${issued}`;
  if (!isRefused) issued += 1;
  const refresh = grant === 'client_credentials' ? {} : { refresh_token: `refresh-token-${issued}` };
  const tokens = { access_token: `access-token-${issued}`, token_type: 'Bearer', expires_in: 3_600, ...refresh };
  const isLost = losesAnswer;
  const answer = () => {
    if (isLost) return response.destroy();
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(isRefused ? { error: 'invalid_grant' } : tokens));
  };
  losesAnswer = false;
  if (grant !== 'authorization_code') requests.push(body);
  if (isHeld && grant !== 'authorization_code') held.push(answer);
  else answer();
}

function release(): void {
  isHeld = false;
  for (const answer of held.splice(0)) answer();
}

let count = 0;
async function create(kind: 'oauth2_client' | 'oauth2_code'): Promise<number> {
  count += 1;
  const code = kind === 'oauth2_code' ? { authorization_url: `${server.url}/auth` } : {};
  const settings = { base_url: server.url, token_url: `${server.url}/token`, client_id: 'c', scopes: 'a', ...code };
  const body = { project, name: `C${count}`, kind, secret: 'a secret of the client', settings };
  return (await service.rest('POST', '/api/v1/connections/', { body })).body.id;
}

async function authorize(id: number): Promise<void> {
  const path = `/api/v1/connections/${id}/authorization/`;
  const begun = await service.rest('POST', path, { body: { redirect_url: REDIRECT } });
  const body = { state: new URL(begun.body.authorization_url).searchParams.get('state'), code: 'the code' };
  expect((await service.rest('POST', '/api/v1/connection-authorizations/', { body })).status).toBe(200);
}

/** A connection whose access token is due. */
async function createDue(): Promise<number> {
  const id = await create('oauth2_code');
  await authorize(id);
  await expire(id);
  return id;
}

const expire = (id: number) => service.sql('update connection set refresh_at = now() where id = $1', [id]);
const testAt = async (process: TestService, id: number) =>
  (await process.rest('POST', `/api/v1/connections/${id}/test/`)).body;
const isAuthorized = async (id: number) =>
  (await service.rest('GET', `/api/v1/connections/${id}/`)).body.is_authorized as boolean;
const awaitRequests = (number: number) =>
  eventually(
    async () => requests.length,
    length => length >= number,
  );
const ACCEPTED = { is_accepted: true };

describe('a token request', () => {
  it('uses no database connection while it waits for the answer', async () => {
    const ids = await Promise.all(Array.from({ length: 16 }, () => create('oauth2_client')));
    isHeld = true;
    const tests = ids.map(id => testAt(service, id));
    await awaitRequests(16);
    expect((await service.rest('GET', '/api/v1/projects/')).status).toBe(200);
    release();
    for (const result of await Promise.all(tests)) expect(result).toMatchObject(ACCEPTED);
  });

  it('is made by one process, whose tokens the others use', async () => {
    const id = await createDue();
    isHeld = true;
    const first = testAt(service, id);
    await awaitRequests(1);
    const second = testAt(other, id);
    await eventually(
      () => service.sql('select 1 from connection_use where connection_id = $1 and last_used_at > first_used_at', [id]),
      rows => rows.length > 0,
    );
    release();
    expect(await Promise.all([first, second])).toMatchObject([ACCEPTED, ACCEPTED]);
    expect(requests).toHaveLength(1);
  });

  it('is not repeated when its tokens cannot be stored', async () => {
    const id = await createDue();
    isHeld = true;
    const test = testAt(service, id);
    await awaitRequests(1);
    await service.sql(`
      create sequence failed_writes;
      create function fail_write() returns trigger language plpgsql as $$
      begin
        perform nextval('failed_writes');
        raise exception 'the server is shutting down' using errcode = '57P01';
      end $$;
      create trigger fail_write before update on connection for each row execute function fail_write()`);
    release();
    await eventually(
      () => service.sql('select last_value from failed_writes'),
      ([row]) => Number(row!.last_value) > 1,
    );
    await service.sql('drop trigger fail_write on connection');
    expect(await test).toMatchObject(ACCEPTED);
    await expire(id);
    expect(await testAt(service, id)).toMatchObject(ACCEPTED);
    expect(requests).toHaveLength(2);
  });

  it('ends the grant after a lost answer only when the server refuses twice', async () => {
    const id = await createDue();
    losesAnswer = true;
    expect(await testAt(service, id)).toMatchObject({ is_accepted: false });
    expect(await testAt(other, id)).toMatchObject({ message: expect.stringContaining('invalid_grant') });
    expect(await isAuthorized(id)).toBe(true);
    expect(await testAt(service, id)).toMatchObject({ message: expect.stringContaining('invalid_grant') });
    expect(await isAuthorized(id)).toBe(false);
  });

  it('is repeated with the new settings when they change meanwhile', async () => {
    const id = await create('oauth2_client');
    isHeld = true;
    const test = testAt(service, id);
    await awaitRequests(1);
    await service.rest('PATCH', `/api/v1/connections/${id}/`, { body: { settings: { scopes: 'b' } } });
    release();
    expect(await test).toMatchObject(ACCEPTED);
    expect(requests.map(body => body.get('scope'))).toEqual(['a', 'b']);
  });

  it('keeps tokens of a new authorization when the server refuses the earlier refresh token meanwhile', async () => {
    const id = await createDue();
    issued += 1;
    isHeld = true;
    const test = testAt(service, id);
    await awaitRequests(1);
    await authorize(id);
    release();
    expect(await test).toMatchObject(ACCEPTED);
    expect(await isAuthorized(id)).toBe(true);
  });
});
