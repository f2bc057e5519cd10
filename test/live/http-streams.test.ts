import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { MULTIPART, RawStream, SSE } from './stream-client.js';

const ACTIVITY = 'subscription ($project: Int!) { projectActivity(projectId: $project) { cursor } }';
const CHANGES = `subscription ($id: UUID!, $after: Int) {
  workflowRunChanged(id: $id, afterSequence: $after) { sequence kind }
}`;
const ME = '{ me { email } }';

let service: TestService;
let project: number;
let workflow: number;
beforeAll(async () => {
  service = await startTestService({
    socketLimits: { sockets: 5, perUser: 3, operations: 10 },
    credentialsRecheckMs: 50,
  });
  workflow = await createWorkflow(service, pureGraph());
  project = (await service.graphql('{ projects { items { id } } }')).data.projects.items[0].id;
});
afterAll(() => service?.stop());

const awaitNoSubscribers = () =>
  eventually(
    async () => service.countOpen(),
    ({ streams, watchers }) => streams + watchers === 0,
  );

async function startRun(): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  return body.data.id;
}

describe.each([
  ['server-sent events', SSE, 'text/event-stream; charset=utf-8', 'event: complete\ndata:\n\n'],
  ['multipart', MULTIPART, 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0', '\r\n--graphql--\r\n'],
])('a subscription by %s', (_name, accept, contentType, end) => {
  const payloads = ({ values }: RawStream) => values.map(value => value.payload ?? value).filter(value => value.data);

  it('carries changes up to the end of the run, and completes', async () => {
    const id = await startRun();
    const stream = await RawStream.open(service.url, { query: CHANGES, variables: { id } }, { accept });
    expect([stream.response.status, stream.response.headers.get('content-type')]).toEqual([200, contentType]);
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    await stream.untilEnd();
    expect(stream.text.endsWith(end)).toBe(true);
    const kinds = payloads(stream).map(({ data }) => data.workflowRunChanged.kind);
    // The snapshot is the last change if the run has already ended.
    expect(['SNAPSHOT', 'RUN_SUCCEEDED']).toContain(kinds.at(-1));
    await awaitNoSubscribers();
  });

  it('continues after the last sequence of a subscriber', async () => {
    const id = await startRun();
    const sequences = async (after: number) => {
      const stream = await RawStream.open(service.url, { query: CHANGES, variables: { id, after } }, { accept });
      await stream.untilEnd();
      return payloads(stream).map(({ data }) => data.workflowRunChanged.sequence);
    };
    const all = await sequences(0);
    expect(all.length).toBeGreaterThan(3);
    expect(all).toEqual(all.map((_, index) => index + 1));
    expect(await sequences(3)).toEqual(all.slice(3));
  });

  it('answers a run the caller cannot access like one that does not exist, and completes', async () => {
    const { key } = await service.createUser(`outsider-${accept.length}`);
    const [theirs, none] = await Promise.all(
      [await startRun(), '01a1fccb-0000-7000-8000-000000000000'].map(async id => {
        const stream = await RawStream.open(service.url, { query: CHANGES, variables: { id } }, { accept, key });
        await stream.untilEnd();
        return stream.text;
      }),
    );
    expect(theirs).toContain('"code":"NOT_FOUND"');
    expect(none).toBe(theirs);
  });

  it('is refused without a stream when the operation is invalid or the caller is anonymous', async () => {
    const refusalOf = async (query: string, key?: string | null) => {
      const stream = await RawStream.open(service.url, { query }, { accept, key });
      await stream.untilEnd();
      return [stream.response.status, stream.values[0]?.errors[0].extensions.code];
    };
    expect(await refusalOf('subscription {')).toEqual([400, 'GRAPHQL_PARSE_FAILED']);
    expect(await refusalOf('subscription { nothing }')).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    const query = `subscription { projectActivity(projectId: ${project}) { cursor } }`;
    expect(await refusalOf(query, null)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await refusalOf(query, 'sk-wrong')).toEqual([401, 'UNAUTHENTICATED']);
    const deep = `subscription { ${'a { '.repeat(20)} b ${'}'.repeat(20)} }`;
    expect(await refusalOf(deep, null)).toEqual([400, 'QUERY_TOO_COMPLEX']);
    await awaitNoSubscribers();
  });

  it('ends with an error when its key is deleted', async () => {
    const { key, email } = await service.createUser(`leaving-${accept.length}`);
    const mine = (await service.rest('POST', '/api/v1/projects/', { key, body: { name: 'Mine' } })).body.id;
    const stream = await RawStream.open(
      service.url,
      { query: ACTIVITY, variables: { project: mine } },
      { accept, key },
    );
    await service.sql('delete from api_key where user_id = (select id from app_user where email = $1)', [email]);
    await stream.untilEnd();
    expect(stream.text).toContain('"code":"UNAUTHENTICATED"');
    expect(stream.text.endsWith(end)).toBe(true);
    await awaitNoSubscribers();
  });

  it('takes one of the user’s subscription slots, which is released when the client disconnects', async () => {
    const open = () => RawStream.open(service.url, { query: ACTIVITY, variables: { project } }, { accept });
    const streams = await Promise.all([open(), open(), open()]);
    const refused = await open();
    await refused.untilEnd();
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '5']);
    expect(refused.values[0].errors[0].message).toBe(
      'A user may have at most 3 sockets and HTTP subscriptions at a time.',
    );
    await eventually(
      async () => service.countOpen(),
      counts => counts.streams === 3 && counts.watchers === 1,
    );
    for (const stream of streams) stream.close();
    await awaitNoSubscribers();
    const again = await open();
    expect(again.response.status).toBe(200);
    again.close();
    await awaitNoSubscribers();
  });
});

describe('a request that accepts a stream', () => {
  it('gets the result of a query as one event when it accepts nothing else', async () => {
    const stream = await RawStream.open(service.url, { query: ME });
    await stream.untilEnd();
    expect(stream.text).toMatch(
      /^(?::\n\n)+event: next\ndata: \{"data":\{"me":\{"email":"[^"]+"\}\}\}\n\nevent: complete\ndata:\n\n$/,
    );
  });

  it('gets JSON for a query when it accepts JSON too', async () => {
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
    const stream = await RawStream.open(service.url, { query: ME }, { accept });
    expect(stream.response.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/);
  });

  it('may be a GET with a key, and changes nothing', async () => {
    const get = (query: string, headers: Record<string, string>) =>
      fetch(`${service.url}/graphql?query=${encodeURIComponent(query)}`, { headers: { Accept: SSE, ...headers } });
    expect(await (await get(ME, { 'X-Api-Key': service.key })).text()).toContain('event: next');
    const forged = await get(ME, {});
    expect([forged.status, await forged.text()]).toEqual([400, expect.stringContaining('X-Api-Key')]);
    const mutation = 'mutation { projectCreate(input: { name: "forged" }) { __typename } }';
    const refused = await get(mutation, { 'X-Api-Key': service.key });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await service.sql(`select id from project where name = 'forged'`)).toEqual([]);
  });
});

it('a process that shuts down ends its streams: multipart with an error, events without `complete`', async () => {
  const leaving = await startTestService({}, service.database);
  // The activity of a new project is empty: streams of the shared one begin with the runs of the last ten seconds.
  const { body: quiet } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Quiet' } });
  const payload = { query: ACTIVITY, variables: { project: quiet.id } };
  const events = await RawStream.open(leaving.url, payload);
  const multipart = await RawStream.open(leaving.url, payload, { accept: MULTIPART });
  await leaving.stop();
  await events.untilEnd();
  expect(events.text).toMatch(/^(?::\n\n)+$/);
  await multipart.untilEnd();
  expect(multipart.values.at(-1)).toMatchObject({ payload: null, errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
});
