import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { databaseUrl } from '../../support/config.js';
import { chain, field, type GraphData, llm, output, template, trigger } from '../../support/graphs.js';
import { joinProject, setRole } from '../../support/members.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { type StatementProxy, startStatementProxy } from '../statements/statement-proxy.js';

let upstream: StubUpstream;
let proxy: StatementProxy;
let service: TestService;
beforeAll(async () => {
  upstream = await startStubUpstream();
  const database = await createDatabase();
  proxy = await startStatementProxy(databaseUrl(database));
  const openai = { baseUrl: upstream.url, apiKey: 'k' };
  service = await startTestService({ openai, outboundAllow: ['127.0.0.1'], databaseUrl: proxy.databaseUrl }, database);
});
afterAll(async () => {
  await service?.stop();
  await proxy?.close();
  await upstream?.stop();
});

/** A graph that is executed to its end before its run is inserted, and one that is executed up to its first call. */
const GRAPHS: Record<string, (text: string) => GraphData> = {
  'without calls': text => chain(trigger(field('topic')), template(text), output()),
  'with a call': text => chain(trigger(field('topic')), llm(text, 'gpt-4o-mini'), output()),
};

describe.each(Object.entries(GRAPHS))('a workflow %s that an editor has run before', (_name, graphOf) => {
  let project: number;
  let workflow: number;
  let editor: { key: string; email: string };

  async function prepare() {
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' } })).body.id;
    editor = await service.createUser(`editor-${project}`);
    await joinProject(service, project, editor.email, 'editor');
    const body = { project, title: 'W', data: graphOf('first') };
    workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
    const { body: receipt } = await start();
    expect(receipt.status).toBe(201);
    await awaitFinish(service, receipt.data.id, editor.key);
  }

  const start = (headers: Record<string, string> = {}) =>
    service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { key: editor.key, body: { topic: 'tea' }, headers });
  const count = async () =>
    (
      await service.sql<{ n: number }>('select count(*)::int as n from workflow_run where workflow_id = $1', [workflow])
    )[0]!.n;
  const newestRevision = async () =>
    (
      await service.sql<{ number: number }>(
        `select v.number from workflow_run r join workflow_revision v on v.id = r.revision_id
          where r.workflow_id = $1 order by r.created_at desc, r.id desc limit 1`,
        [workflow],
      )
    )[0]!.number;

  it('is not located again', async () => {
    await prepare();
    const located = () =>
      proxy.taken().filter(text => text.includes('published_revision_id') && !text.includes('insert into'));
    located();
    const { body } = await start();
    expect(body).toMatchObject({ status: 201, data: { status: 'in queue' } });
    expect(located()).toEqual([]);
    await awaitFinish(service, body.data.id, editor.key);
    // Other users have to be located once.
    await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'tea' } });
    expect(located()).toHaveLength(1);
  });

  // The changes come from statements, as if another process made them.
  const REFUSING: [string, number, () => Promise<unknown>][] = [
    [
      'left the project',
      404,
      () => service.sql('delete from project_member where project_id = $1 and role = $2', [project, 'editor']),
    ],
    ['has become a viewer', 403, () => setRole(service, project, editor.email, 'viewer')],
    [
      'runs one that was archived',
      404,
      () => service.sql('update workflow set archived_at = now() where id = $1', [workflow]),
    ],
    [
      'runs one without a published revision',
      409,
      () => service.sql('update project set uses_drafts = true where id = $1', [project]),
    ],
  ];
  it.each(REFUSING)('is not run by one who %s', async (_what, status, change) => {
    await prepare();
    await change();
    expect((await start()).status).toBe(status);
    expect(await count()).toBe(1);
  });

  it('is not run when the money of the project is spent', async () => {
    await prepare();
    await service.sql('update project set budget_usd = 0 where id = $1', [project]);
    expect((await start()).body).toMatchObject({ status: 402, data: { error: { code: 'budget_exceeded' } } });
  });

  it('is not run from the project that it has left', async () => {
    await prepare();
    const { body: other } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Q' } });
    await service.sql('update workflow set project_id = $2 where id = $1', [workflow, other.id]);
    expect((await start()).status).toBe(404);
    expect(await count()).toBe(1);
  });

  it('runs its new revision', async () => {
    await prepare();
    const saved = await service.rest('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data: graphOf('second') } });
    expect(saved.status).toBe(200);
    await awaitFinish(service, (await start()).body.data.id, editor.key);
    expect(await newestRevision()).toBe(2);
  });

  it('runs once for each idempotency key', async () => {
    await prepare();
    const headers = { 'Idempotency-Key': `${workflow}` };
    const receipts = await Promise.all([start(headers), start(headers), start(headers)]);
    const again = await start(headers);
    const ids = receipts.filter(({ status }) => status !== 409).map(({ body }) => body.data.id);
    expect(new Set([...ids, again.body.data.id]).size).toBe(1);
    expect(await count()).toBe(2);
  });

  it('runs as often as it is started, with changes in between', async () => {
    await prepare();
    const starts = Array.from({ length: 30 }, async (_, index) => {
      if (index === 10)
        await service.rest('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data: graphOf('third') } });
      return start();
    });
    const receipts = await Promise.all(starts);
    expect(receipts.map(({ body }) => body.status)).toEqual(receipts.map(() => 201));
    await Promise.all(receipts.map(({ body }) => awaitFinish(service, body.data.id, editor.key)));
    expect(await count()).toBe(31);
  });
});
