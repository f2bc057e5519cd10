import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type LoopbackServer, serveHttp } from '../../support/upstreams/loopback-server.js';

const SECRET = 'a-secret-of-the-connection';
const PAGE = `<html><body><main><h1>Green tea</h1><p>${'Green tea is made from green tea leaves. '.repeat(8)}</p></main></body></html>`;
let service: TestService;
let pages: LoopbackServer;
let elsewhere: LoopbackServer;
let project: number;
const received: { url?: string; authorization?: string }[] = [];

beforeAll(async () => {
  elsewhere = await serveHttp((_, response) => response.end(PAGE));
  pages = await serveHttp(({ url, headers: { authorization } }, response) => {
    received.push({ url, authorization });
    response.writeHead(authorization === `Bearer ${SECRET}` ? 200 : 403).end(PAGE);
  });
  service = await startTestService({ outboundAllow: ['127.0.0.1', 'localhost'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Connected' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await pages?.close();
  await elsewhere?.close();
});

let count = 0;
async function connect(body: object = {}): Promise<number> {
  count += 1;
  const settings = { base_url: `${pages.url}/docs` };
  const connection = { project, name: `Name ${count}`, kind: 'bearer', secret: SECRET, settings, ...body };
  return (await service.rest('POST', '/api/v1/connections/', { body: connection })).body.id;
}

async function create(input: object) {
  const document = `mutation ($input: KeywordRunCreateInput!) {
    keywordRunCreate(input: $input) { keywordRun { id connectionId } errors { path message } } }`;
  const { data } = await service.graphql(document, { input: { projectId: project, ...input } });
  return data.keywordRunCreate;
}

async function endOf(input: object) {
  const { keywordRun, errors } = await create(input);
  expect(errors).toEqual([]);
  return awaitEnd(keywordRun.id);
}

function awaitEnd(id: number) {
  const document = `{ keywordRun(id: ${id}) { status error keywordsCount connectionId } }`;
  return eventually(
    async () => (await service.graphql(document)).data.keywordRun,
    ({ status }) => status === 'SUCCEEDED' || status === 'FAILED',
  );
}

it('sends the credentials of the connection with the request for the page and records the use', async () => {
  const connectionId = await connect();
  const end = await endOf({ url: '/tea', connectionId });
  expect(end).toMatchObject({ status: 'SUCCEEDED', error: null, connectionId });
  expect(end.keywordsCount).toBeGreaterThan(0);
  expect(received.at(-1)).toEqual({ url: '/docs/tea', authorization: `Bearer ${SECRET}` });
  const uses = `{ connectionUses(id: ${connectionId}) { items { workflowId runId lastUsedAt userId } } }`;
  const { items } = (await service.graphql(uses)).data.connectionUses;
  expect(items).toEqual([
    { workflowId: null, runId: null, userId: expect.any(Number), lastUsedAt: expect.any(String) },
  ]);
  expect(await endOf({ url: `${pages.url}/tea` })).toMatchObject({ status: 'FAILED', connectionId: null });
});

it('sends credentials only to the allowed hosts', async () => {
  const connectionId = await connect();
  const { port } = new URL(elsewhere.url);
  const end = await endOf({ url: `http://localhost:${port}/`, connectionId });
  expect(end).toMatchObject({ status: 'FAILED', error: expect.stringContaining('may be used for') });
});

it('sends no request without credentials when the connection was deleted', async () => {
  const connectionId = await connect();
  const first = await create({ url: `${pages.url}/tea`, connectionId });
  const before = received.length;
  await service.rest('DELETE', `/api/v1/connections/${connectionId}/`);
  expect((await create({ url: `${pages.url}/tea`, connectionId })).errors).toMatchObject([
    { path: expect.arrayContaining(['connectionId']) },
  ]);
  expect(first.keywordRun.connectionId).toBe(connectionId);
  await awaitEnd(first.keywordRun.id);
  for (const { authorization } of received.slice(before)) expect(authorization).toBe(`Bearer ${SECRET}`);
});

it('refuses connections of other projects, of other protocols and without a page', async () => {
  const other = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Other' } })).body.id;
  const faultOf = async (input: object) => (await create(input)).errors;
  const url = `${pages.url}/tea`;
  const foreign = await connect({ project: other });
  expect(await faultOf({ url, connectionId: foreign })).toEqual([
    { path: expect.arrayContaining(['connectionId']), message: `The project has no connection ${foreign}.` },
  ]);
  const mail = await connect({ kind: 'smtp', settings: { host: 'mail.example.com' } });
  expect(await faultOf({ url, connectionId: mail })).toMatchObject([
    { path: expect.arrayContaining(['connectionId']), message: expect.stringContaining('is of the kind smtp') },
  ]);
  expect(await faultOf({ topic: 'tea', connectionId: await connect() })).toMatchObject([
    { path: expect.arrayContaining(['connectionId']) },
  ]);
  expect(await faultOf({ url: '/tea' })).toMatchObject([{ path: expect.arrayContaining(['url']) }]);
});
