import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSocketOpener } from '../../../src/platform/outbound/socket.js';
import { createDatabaseCaller } from '../../../src/providers/database.js';
import { databaseUrl } from '../../support/config.js';
import { createDatabase } from '../../support/database.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { awaitFinish } from './finished-run.js';

const PASSWORD = 'a-password-of-the-database';
let service: TestService;
let project: number;
let connection: string;

beforeAll(async () => {
  service = await startTestService({ outboundAllow: ['127.0.0.1', 'localhost'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Data' } })).body.id;
  const url = new URL(databaseUrl(await createDatabase()));
  url.password ||= PASSWORD;
  url.searchParams.set('sslmode', 'disable');
  connection = url.href;
  await variable('DB', connection);
  await variable('ELSEWHERE', connection, { allowed_hosts: ['db.example.com'] });
});
afterAll(() => service?.stop());

function variable(name: string, value: string, more: object = {}) {
  const body = { project, name, value, is_secret: true, ...more };
  return service.rest('POST', '/api/v1/project-variables/', { body });
}

async function runNode(data: object) {
  const graph = chain(trigger(), node('database-node', { connection: '{{ env.DB }}', ...data }), output());
  const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data: graph } });
  const started = await service.rest('POST', `/api/v1/workflows/${body.id}/run/`, { body: {} });
  return awaitFinish(service, started.body.data.id);
}

const contentOf = async (data: object) => JSON.parse((await runNode(data)).output);
const messageOf = async (data: object) => (await runNode(data)).error.message as string;

describe('a database node', () => {
  it('returns rows with exact values', async () => {
    const query = `select $1::int as a, $2::jsonb as b, 9007199254740993 as c, 1.10::numeric as d, true as e, null as f,
      timestamp '2026-01-02 03:04:05' as g, 0.5::float8 as h, 5::bigint as i`;
    expect(await contentOf({ query, parameters: [7, { x: [1] }] })).toEqual({
      rows: [
        {
          ...{ a: 7, b: { x: [1] }, c: '9007199254740993', d: '1.10', e: true, f: null },
          ...{ g: '2026-01-02 03:04:05', h: 0.5, i: 5 },
        },
      ],
      ...{ row_count: 1, columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], truncated: false },
    });
  });

  it('leaves out rows over the limit', async () => {
    const query = 'select n from generate_series(1, 1000000) n';
    const cut = await contentOf({ query, max_rows: 2 });
    expect(cut).toEqual({ rows: [{ n: 1 }, { n: 2 }], row_count: 2, columns: ['n'], truncated: true });
    expect(await contentOf({ query: 'select 1 as n limit 0' })).toMatchObject({ row_count: 0, truncated: false });
    expect(await contentOf({ query: 'select 1 as n', max_rows: 1 })).toMatchObject({ row_count: 1, truncated: false });
  });

  it('changes data only if it is permitted', async () => {
    const create = { query: 'create table visit (n int)' };
    expect(await messageOf(create)).toContain('PostgreSQL reported 25006');
    await runNode({ ...create, read_only: false });
    const insert = { query: 'insert into visit select generate_series(1, 3)', read_only: false };
    expect(await contentOf(insert)).toEqual({ rows: [], row_count: 3, columns: [], truncated: false });
    expect(await messageOf({ query: 'insert into visit values (4)' })).toContain('25006');
    expect(await messageOf({ query: 'select 1; drop table visit', read_only: false })).toContain('42601');
    expect(await contentOf({ query: 'select count(*) as n from visit' })).toMatchObject({ rows: [{ n: 3 }] });
  });

  it('refuses a copy, and continues with other runs', async () => {
    const refusal = 'COPY is not supported; use SELECT or INSERT';
    expect(await messageOf({ query: 'copy (select 1) to stdout' })).toContain(refusal);
    await runNode({ query: 'create table copied (n int)', read_only: false });
    expect(await messageOf({ query: 'copy copied from stdin', read_only: false })).toContain(refusal);
    expect(await contentOf({ query: 'select 1 as one' })).toMatchObject({ rows: [{ one: 1 }] });
  });

  it('ends a statement at its time limit, and refuses a large result', async () => {
    // PostgreSQL cancels the statement, or the node gives up first.
    const message = await messageOf({ query: 'select pg_sleep(100)', timeout_seconds: 0.5 });
    expect(message).toMatch(/57014|timeout_seconds of 0\.5/);
    const { error } = await runNode({ query: "select repeat('x', 5000000)" });
    expect(error.message).toContain('the result is larger than 4194304 bytes');
  });

  it('sends a secret connection only to its allowed hosts', async () => {
    expect(await messageOf({ connection: '{{ env.ELSEWHERE }}', query: 'select 1' })).toContain(
      'may be sent to db.example.com only',
    );
  });

  it('refuses addresses inside the network, and connections without encryption unless they are permitted', async () => {
    const inside = await messageOf({ connection: 'postgres://u:p@10.0.0.1/d', query: 'select 1' });
    expect(inside).toContain('The address is not allowed');
    const encrypted = connection.replace('sslmode=disable', 'sslmode=require');
    expect(await messageOf({ connection: encrypted, query: 'select 1' })).toContain('does not support SSL');
  });

  it('reports neither the password nor more of the connection', async () => {
    const url = new URL(connection);
    url.pathname = '/missing';
    const run = await runNode({ connection: url.href, query: 'select 1' });
    expect(run.error.message).toContain('PostgreSQL reported 3D000');
    const echoed = await messageOf({ query: `select '${new URL(connection).password}'::int` });
    expect(echoed).toContain('22P02');
    expect(echoed).not.toContain(new URL(connection).password);
  });
});

describe('a connection by name', () => {
  const call = { signal: new AbortController().signal, idempotencyKey: 'k' };
  const request = { query: 'select 1 as one', parameters: [], isReadOnly: true, maxRows: 1, timeoutMs: 60_000 };

  it('is opened to the address that was checked, and resolves the name once', async () => {
    const url = new URL(connection);
    url.hostname = 'db.example.com';
    const resolved: string[] = [];
    const resolve = async (name: string) => {
      resolved.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const allowed = createDatabaseCaller(createSocketOpener({ allow: ['127.0.0.1'], resolve }));
    expect((await allowed.query({ ...request, connection: url.href }, call)).rows).toEqual([{ one: 1 }]);
    expect(resolved).toEqual(['db.example.com']);
    const refused = createDatabaseCaller(createSocketOpener({ allow: [], resolve }));
    await expect(refused.query({ ...request, connection: url.href }, call)).rejects.toMatchObject({
      code: 'address_refused',
    });
  });
});
