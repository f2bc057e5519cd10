import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteOldKeyValues } from '../../../src/modules/key-value-entries/key-value-retention.js';
import { MAX_ENTRIES } from '../../../src/modules/key-value-entries/project-key-values.js';
import { openDatabase } from '../../support/database.js';
import { chain, node, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { awaitFinish } from './finished-run.js';

const PATH = '/api/v1/key-value-entries/';
let service: TestService;
let project: number;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Shop' } })).body.id;
});

const set = (key: string, value: unknown, more: object = {}) =>
  service.rest('POST', PATH, { body: { project, key, value, ...more } });
const increment = (key: string, more: object = {}) =>
  service.rest('POST', `${PATH}increment/`, { body: { project, key, ...more } });
const list = async (query = '') =>
  (await service.rest('GET', `/api/v1/projects/${project}/key-value-entries/${query}`)).body;
const sums = () => service.sql('select entries, bytes::int from key_value_store where project_id = $1', [project]);

async function run(...data: Record<string, unknown>[]) {
  const nodes = data.map(each => node('key-value-node', each));
  const body = { project, title: 'W', data: chain(trigger(), ...nodes, template('{{ previous.content }}'), output()) };
  const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body;
  const started = await service.rest('POST', `/api/v1/workflows/${id}/run/`, { body: {} });
  const { output: text, ...end } = await awaitFinish(service, started.body.data.id);
  return { ...end, output: typeof text === 'string' ? JSON.parse(text) : text };
}

describe('key-value entries', () => {
  it('are written, read, listed and deleted', async () => {
    const created = await set('order:1', { state: 'open' });
    expect(created).toMatchObject({
      status: 200,
      body: { project, key: 'order:1', value: { state: 'open' }, expires_at: null },
    });
    const { id, version } = created.body;
    expect((await service.rest('GET', `${PATH}${id}/`)).body).toEqual(created.body);
    const replaced = (await set('order:1', null)).body;
    expect(replaced).toMatchObject({ id, value: null });
    expect(replaced.version).not.toBe(version);
    await set('a%_', 1);
    await set('order:2', 'x');
    expect((await list()).items.map(({ key }: { key: string }) => key)).toEqual(['a%_', 'order:1', 'order:2']);
    expect((await list('?prefix=order:&size=1&page=2')).items).toMatchObject([{ key: 'order:2' }]);
    expect(await list('?prefix=a%25_')).toMatchObject({ total: 1 });
    expect(await list('?prefix=a%25%25')).toMatchObject({ total: 0 });
    expect((await service.rest('DELETE', `${PATH}${id}/`)).status).toBe(204);
    expect((await service.rest('GET', `${PATH}${id}/`)).status).toBe(404);
    // The bytes of `a%_` and 1, and of `order:2` and "x" as JSON.
    expect(await sums()).toEqual([{ entries: 2, bytes: 3 + 1 + 7 + 3 }]);
  });

  it('are compared by their version', async () => {
    const first = await set('cursor', 1, { expected_version: '' });
    expect(first.status).toBe(200);
    expect((await set('cursor', 2, { expected_version: '' })).status).toBe(409);
    expect((await set('cursor', 2, { expected_version: first.body.version })).status).toBe(200);
    expect((await set('cursor', 3, { expected_version: first.body.version })).status).toBe(409);
    expect((await list()).items).toMatchObject([{ value: 2 }]);
  });

  it('are incremented by concurrent requests without lost updates', async () => {
    await Promise.all(Array.from({ length: 12 }, () => increment('count', { by: 2.5 })));
    expect((await increment('count')).body.value).toBe(31);
  });

  it('expire', async () => {
    await set('short', 1, { ttl_seconds: 60 });
    const { expires_at } = (await increment('short', { ttl_seconds: 9999 })).body;
    expect(new Date(expires_at).getTime()).toBeLessThan(Date.now() + 100_000);
    await service.sql(`update key_value_entry set expires_at = now() - interval '1 second' where project_id = $1`, [
      project,
    ]);
    expect((await list()).total).toBe(0);
    expect((await set('short', 2, { expected_version: '' })).body).toMatchObject({ value: 2, expires_at: null });
    await set('gone', 1, { ttl_seconds: 60 });
    await service.sql(`update key_value_entry set expires_at = now() - interval '1 second' where key = 'gone'`);
    const database = await openDatabase(service.database);
    try {
      await deleteOldKeyValues(database);
    } finally {
      await database.close();
    }
    expect(await service.sql('select key from key_value_entry where project_id = $1', [project])).toEqual([
      { key: 'short' },
    ]);
    expect(await sums()).toEqual([{ entries: 1, bytes: 6 }]);
  });

  it('make room for new ones when they expire', async () => {
    await set('old', 1, { ttl_seconds: 60 });
    await service.sql(`update key_value_entry set expires_at = now() - interval '1 second' where project_id = $1`, [
      project,
    ]);
    // The project is at its limit of entries.
    await service.sql('update key_value_store set entries = $2 where project_id = $1', [project, MAX_ENTRIES]);
    expect((await set('new', 1)).status).toBe(200);
    const refused = await set('newer', 1);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      409,
      expect.stringContaining(`${MAX_ENTRIES} entries`),
    ]);
    expect((await set('new', 2)).status).toBe(200);
  });

  it.each([
    [{ key: '' }, 'key'],
    [{ key: 'x'.repeat(257) }, 'key'],
    [{ key: 'x', value: 'x'.repeat(65_535) }, 'value'],
    [{ key: 'x', value: 1, ttl_seconds: 0 }, 'ttl_seconds'],
    [{ key: 'x', value: 1, project: 999_999 }, 'project'],
  ])('are refused with %.40j', async (body, field) => {
    const answer = await service.rest('POST', PATH, { body: { project, ...body } });
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, expect.arrayContaining([field])]);
  });

  it('reject an increment of a text', async () => {
    await set('text', 'x');
    const { status, body } = await increment('text');
    expect([status, body.by]).toEqual([400, ['The value of "text" is not a number.']]);
  });
});

describe('a run', () => {
  it('keeps values for the next run', async () => {
    const count = { operation: 'increment', key: 'runs' };
    expect((await run(count)).output).toMatchObject({ value: 1 });
    expect((await run(count, count)).output).toMatchObject({ value: 3, found: true });
  });

  it('stores no secret', async () => {
    const body = { project, name: 'TOKEN', value: 'a-very-secret-token', is_secret: true };
    await service.rest('POST', '/api/v1/project-variables/', { body });
    await run({ operation: 'set', key: 'seen', value: { header: 'Bearer {{ env.TOKEN }}' } });
    expect((await list()).items).toMatchObject([{ value: { header: 'Bearer ********' } }]);
    const failed = await run({ operation: 'set', key: 'token-{{ env.TOKEN }}', value: 1 });
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'key_value_refused' } });
  });
});
