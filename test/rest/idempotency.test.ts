import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyKeys } from '../../src/modules/accounts/api-keys/idempotency-keys.js';
import { Vault } from '../../src/platform/crypto/crypto.js';
import type { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { eventually } from '../support/eventually.js';
import { chain, greeting, ifElse, trigger } from '../support/graphs.js';
import { type RestAnswer, type RestOptions, startTestService, type TestService } from '../support/service.js';
import { restAsDeclared } from './declared-answers.js';
import { awaitFinish } from './workflows/finished-run.js';

const [PROJECTS, WORKFLOWS] = ['/api/v1/projects/', '/api/v1/workflows/'];

let service: TestService;
let other: TestService;
let ann: { key: string };
let project: number;
let workflow: number;

beforeAll(async () => {
  service = await startTestService();
  other = await startTestService({ role: 'api' }, service.database);
  ann = await service.createUser('ann');
  project = (await post(PROJECTS, { name: 'Home' })).body.id;
  workflow = (await post(WORKFLOWS, { project, title: 'a', data: greeting() })).body.id;
});
afterAll(async () => {
  await other?.stop();
  await service?.stop();
});

function post(path: string, body: unknown, key?: string, options: RestOptions = {}, at = service): Promise<RestAnswer> {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return restAsDeclared(at, 'POST', path, {
    body,
    key: ann.key,
    ...options,
    headers: { ...headers, ...options.headers },
  });
}
const run = (key?: string, body: unknown = { topic: 'cats' }, at = service) =>
  post(`${WORKFLOWS}${workflow}/run/`, body, key, {}, at);
const countProjects = async (name: string) =>
  (await service.sql<{ count: number }>('select count(*)::int as count from project where name = $1', [name]))[0]
    ?.count;
const countRuns = async () =>
  (await service.sql<{ count: number }>('select count(*)::int as count from workflow_run'))[0]?.count ?? 0;
const row = async (key: string) =>
  (await service.sql('select * from idempotency_key where key = $1', [key]))[0] as Record<string, unknown> | undefined;
/** Simulates that the process that claimed the key has died: `seconds` of its claim are left. */
const orphan = (key: string, seconds: number) =>
  service.sql(
    `update idempotency_key set sealed_response = null, claimed_until = now() + make_interval(secs => $2) where key = $1`,
    [key, seconds],
  );
const isReplayed = (answer: RestAnswer) => answer.headers.get('idempotent-replayed') === 'true';

describe('the same key and the same request', () => {
  it('is answered with the first response, status and body', async () => {
    const key = randomUUID();
    const first = await post(PROJECTS, { name: key }, key);
    const again = await post(PROJECTS, { name: key }, key);
    expect(first.status).toBe(201);
    expect(isReplayed(first)).toBe(false);
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(isReplayed(again)).toBe(true);
    expect(await countProjects(key)).toBe(1);
  });

  it('is answered the same by every process, and without the last slash', async () => {
    const key = randomUUID();
    const first = await post(PROJECTS, { name: key }, key);
    const again = await post(PROJECTS.slice(0, -1), { name: key }, key, {}, other);
    expect(again.body).toEqual(first.body);
    expect(isReplayed(again)).toBe(true);
  });

  it('starts one run, also for a run that was refused inside its 200', async () => {
    const broken = (await post(WORKFLOWS, { project, title: 'b', data: chain(trigger(), ifElse('1', 'like', '2')) }))
      .body;
    for (const id of [workflow, broken.id]) {
      const [before, key] = [await countRuns(), randomUUID()];
      const first = await post(`${WORKFLOWS}${id}/run/`, {}, key);
      const again = await post(`${WORKFLOWS}${id}/run/`, {}, key);
      expect(first.body.status).toBe(id === workflow ? 201 : 422);
      expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, true]);
      expect(await countRuns()).toBe(before + 1);
    }
  });

  it('starts one re-run and makes one duplicate', async () => {
    const { id } = (await run()).body.data;
    for (const path of [`${WORKFLOWS}${workflow}/history/${id}/re-run/`, `${WORKFLOWS}${workflow}/duplicate/`]) {
      const key = randomUUID();
      const first = await post(path, undefined, key);
      const again = await post(path, undefined, key);
      expect([first.status, again.status, again.body, isReplayed(again)]).toEqual([201, 201, first.body, true]);
    }
  });

  it('is executed once when forty callers send it to two processes at once', async () => {
    const [before, key] = [await countRuns(), randomUUID()];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => run(key, { topic: 'cats' }, index % 2 === 0 ? service : other)),
    );
    const done = answers.filter(answer => answer.status === 200);
    expect(answers.filter(answer => ![200, 409].includes(answer.status))).toEqual([]);
    expect(done.filter(answer => !isReplayed(answer))).toHaveLength(1);
    expect(new Set(done.map(answer => answer.body.data.id)).size).toBe(1);
    expect(await countRuns()).toBe(before + 1);
    expect((await run(key)).body).toEqual(done[0]?.body);
    expect((await awaitFinish(service, done[0]?.body.data.id, ann.key)).output).toBe('Hello cats');
  });
});

describe('the same key and another request', () => {
  it.each<[string, string, unknown]>([
    ['body', PROJECTS, { name: 'other' }],
    ['path', WORKFLOWS, { project: 1, title: 'x', data: {} }],
    ['query', `${PROJECTS}?a=1`, { name: 'first' }],
  ])('is 422: another %s', async (_what, path, body) => {
    const key = randomUUID();
    await post(PROJECTS, { name: 'first' }, key);
    const answer = await post(path, body, key);
    expect(answer).toMatchObject({ status: 422, body: { code: 'unprocessable' } });
    expect(await countProjects('other')).toBe(0);
  });

  it('is 422 also while the first is in progress', async () => {
    const key = randomUUID();
    await run(key);
    await orphan(key, 30);
    expect((await run(key, { topic: 'dogs' })).status).toBe(422);
  });

  it('is independent for another user', async () => {
    const key = randomUUID();
    const mine = await post(PROJECTS, { name: key }, key);
    const theirs = await post(PROJECTS, { name: key }, key, { key: service.key });
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });
});

describe('a claim', () => {
  it('is 409 for the next request as long as it lasts', async () => {
    const key = randomUUID();
    await run(key);
    await orphan(key, 30);
    expect(await run(key)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('lasts a minute from the moment it is made', async () => {
    const key = randomUUID();
    await run(key);
    const [left] = await service.sql<{ seconds: number }>(
      `select extract(epoch from claimed_until - created_at)::float as seconds from idempotency_key where key = $1`,
      [key],
    );
    expect(left?.seconds).toBe(60);
  });

  it('of a dead process leads to the run which that process started', async () => {
    const key = randomUUID();
    const first = await run(key);
    const before = await countRuns();
    await awaitFinish(service, first.body.data.id, ann.key);
    await orphan(key, -1);
    const again = await run(key, { topic: 'cats' }, other);
    expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, false]);
    expect(await countRuns()).toBe(before);
    expect(isReplayed(await run(key))).toBe(true);
  });

  it('leads to that run also when it was refused, or its workflow has changed since', async () => {
    const data = chain(trigger(), ifElse('1', 'like', '2'));
    const { id } = (await post(WORKFLOWS, { project, title: 'c', data })).body;
    const key = randomUUID();
    const first = await post(`${WORKFLOWS}${id}/run/`, {}, key);
    expect(first.body.status).toBe(422);
    await service.rest('PATCH', `${WORKFLOWS}${id}/`, { body: { data: greeting() }, key: ann.key });
    await orphan(key, -1);
    expect((await post(`${WORKFLOWS}${id}/run/`, {}, key)).body).toEqual(first.body);
  });

  it('is free for another request, which starts a run of its own', async () => {
    const key = randomUUID();
    const first = await run(key);
    await orphan(key, -1);
    const second = await run(key, { topic: 'dogs' });
    expect(second.body.status).toBe(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });
});

describe('a refusal', () => {
  it('frees the key: 400, 404 and a refused re-run are not kept', async () => {
    const { id } = (await post(WORKFLOWS, { project, title: 'd', data: chain(trigger(), ifElse('1', 'like', '2')) }))
      .body;
    const refused = (await post(`${WORKFLOWS}${id}/run/`, {})).body.data.id;
    const attempts: [string, unknown, number][] = [
      [WORKFLOWS, { project: 2 ** 31 - 1, title: 'x', data: {} }, 400],
      [`${WORKFLOWS}${2 ** 31 - 1}/run/`, {}, 404],
      [`${WORKFLOWS}${id}/history/${refused}/re-run/`, {}, 400],
    ];
    for (const [path, body, status] of attempts) {
      const key = randomUUID();
      for (const answer of [await post(path, body, key), await post(path, body, key)]) {
        expect(answer.status).toBe(status);
        expect(isReplayed(answer)).toBe(false);
      }
      expect(await row(key)).toBeUndefined();
      expect((await post(PROJECTS, { name: 'after a refusal' }, key)).status).toBe(201);
    }
  });

  it('comes before the key is used: 401, 413, 404 of the path', async () => {
    const key = randomUUID();
    expect((await post(PROJECTS, { name: 'x' }, key, { key: 'sk-wrong' })).status).toBe(401);
    expect((await post(PROJECTS, { name: 'x'.repeat(6 * 1024 * 1024) }, key)).status).toBe(413);
    expect((await service.rest('POST', `${WORKFLOWS}abc/run/`, { headers: { 'Idempotency-Key': key } })).status).toBe(
      404,
    );
    expect(await row(key)).toBeUndefined();
  });

  it('is returned for an invalid key', async () => {
    for (const key of ['', 'x'.repeat(256), 'schl\u00fcssel'])
      expect(await run(key)).toMatchObject({ status: 400, body: { idempotency_key: [expect.any(String)] } });
    expect((await run('x'.repeat(255))).status).toBe(200);
  });
});

describe('a stored response', () => {
  it('is encrypted, and is used for 24 hours', async () => {
    const [key, name] = [randomUUID(), randomUUID()];
    const first = await post(PROJECTS, { name }, key);
    expect(JSON.stringify(await row(key))).not.toContain(name);
    await service.sql(`update idempotency_key set created_at = now() - interval '23 hours 59 minutes' where key = $1`, [
      key,
    ]);
    expect((await post(PROJECTS, { name }, key)).body).toEqual(first.body);
    await service.sql(`update idempotency_key set created_at = now() - interval '24 hours 1 second' where key = $1`, [
      key,
    ]);
    const next = await post(PROJECTS, { name }, key);
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(first.body.id);
    expect((await post(PROJECTS, { name }, key)).body).toEqual(next.body);
  });

  it('is deleted once it has expired, by a worker that starts', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    for (const key of [old, young]) await post(PROJECTS, { name: key }, key);
    await service.sql(`update idempotency_key set created_at = now() - interval '25 hours' where key = $1`, [old]);
    // Scheduled tasks are executed once for the workers that start within a minute.
    await service.sql(`delete from pgboss.job where name = 'chore'`);
    const worker = await startTestService({ role: 'worker' }, service.database);
    await eventually(
      () => row(old),
      found => found === undefined,
    );
    await worker.stop();
    expect(await row(young)).toBeDefined();
  });
});

describe('a request that fails', () => {
  const keys = () => {
    const database = { query: (text: string, values?: unknown[]) => service.sql(text, values) } as unknown as Database;
    return new IdempotencyKeys(database, new Vault('a secret of tests'), createLog('silent'));
  };
  const viewer = { userId: 1, isAdmin: true, via: 'key' } as const;

  it('frees the key and keeps the reserved id, so that work whose response was lost is found again', async () => {
    const key = randomUUID();
    const reserved: string[] = [];
    const fail = (error: unknown) =>
      keys()
        .once(viewer, key, 'request', async id => {
          reserved.push(id);
          throw error;
        })
        .catch((thrown: unknown) => thrown);
    const [lost, refusal] = [
      new Error('connection lost'),
      Object.assign(new Error(), { extensions: { code: 'CONFLICT' } }),
    ];
    expect(await fail(lost)).toBe(lost);
    expect(await fail(lost)).toBe(lost);
    expect(await fail(refusal)).toBe(refusal);
    expect(await fail(lost)).toBe(lost);
    expect(reserved[1]).toBe(reserved[0]);
    expect(reserved[2]).toBe(reserved[0]);
    expect(reserved[3]).not.toBe(reserved[0]);
  });

  it('writes nothing once another request has the claim', async () => {
    const key = randomUUID();
    const slow = await keys().once(viewer, key, 'request', async () => {
      await orphan(key, -1);
      const fast = await keys().once(viewer, key, 'request', async () => ({ text: 'fast', isKept: true }));
      expect(fast).toEqual({ kind: 'first', text: 'fast' });
      return { text: 'slow', isKept: true };
    });
    expect(slow).toEqual({ kind: 'first', text: 'slow' });
    expect(await keys().once(viewer, key, 'request', () => Promise.reject(new Error('done twice')))).toEqual({
      kind: 'again',
      text: 'fast',
    });
  });
});

describe('idempotencyKey in GraphQL', () => {
  const RECEIPT = '{ status data { id: runId status data output error { code message } } run { id } }';
  const start = (key: unknown, { topic = 'cats', at = service } = {}) =>
    at.graphql(
      `mutation ($key: String, $input: JSON) {
        workflowRunStart(workflowId: ${workflow}, input: $input, idempotencyKey: $key) { receipt ${RECEIPT} } }`,
      { key, input: { topic } },
      ann.key,
    );

  it('returns the first receipt again, and starts one run', async () => {
    const [before, key] = [await countRuns(), randomUUID()];
    const first = (await start(key)).data.workflowRunStart.receipt;
    expect(first).toMatchObject({ status: 201, run: { id: first.data.id } });
    expect((await start(key, { at: other })).data.workflowRunStart.receipt).toEqual(first);
    expect(await countRuns()).toBe(before + 1);
  });

  it('starts one run for many simultaneous requests', async () => {
    const [before, key] = [await countRuns(), randomUUID()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => start(key, { at: n % 2 ? service : other })),
    );
    const codes = answers.flatMap(({ errors }) => errors?.map(error => error.extensions.code) ?? []);
    expect(codes.filter(code => code !== 'CONFLICT')).toEqual([]);
    expect(await countRuns()).toBe(before + 1);
  });

  it('refuses other arguments, and an invalid key', async () => {
    const key = randomUUID();
    await start(key);
    for (const answer of [
      await start(key, { topic: 'dogs' }),
      await start(''),
      await start('\u00fc'),
      await start('x'.repeat(256)),
    ])
      expect(answer.errors?.[0]?.extensions).toEqual({
        code: 'BAD_USER_INPUT',
        fields: { idempotencyKey: [expect.any(String)] },
      });
  });

  it('is ignored when it is null or left out', async () => {
    const before = await countRuns();
    await start(null);
    await start(null);
    await start(undefined);
    expect(await countRuns()).toBe(before + 3);
  });

  it('is a conflict while the first is in progress, and leads to its run once the claim has expired', async () => {
    const key = randomUUID();
    const first = (await start(key)).data.workflowRunStart.receipt;
    await orphan(key, 30);
    expect((await start(key)).errors?.[0]?.extensions).toEqual({ code: 'CONFLICT' });
    await orphan(key, -1);
    expect((await start(key)).data.workflowRunStart.receipt).toEqual(first);
  });

  it('works for workflowRunRestart, and the key is shared with REST', async () => {
    const { id } = (await run()).body.data;
    const key = randomUUID();
    const restart = () =>
      service.graphql(
        `mutation { workflowRunRestart(workflowId: ${workflow}, id: "${id}", idempotencyKey: "${key}") { receipt ${RECEIPT} } }`,
        {},
        ann.key,
      );
    const first = await restart();
    expect(first.data.workflowRunRestart.receipt.status).toBe(201);
    expect(await restart()).toEqual(first);
    expect((await run(key)).status).toBe(422);
  });

  it('frees the key when it is refused', async () => {
    const key = randomUUID();
    const missing = await service.graphql(
      `mutation { workflowRunStart(workflowId: ${2 ** 31 - 1}, idempotencyKey: "${key}") { receipt { status } } }`,
      {},
      ann.key,
    );
    expect(missing.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await start(key)).data.workflowRunStart.receipt.status).toBe(201);
  });
});
