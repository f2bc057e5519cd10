import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ADMIN_KEY, databaseUrl, testEnvironment } from './support/config.js';
import { createDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { formOf } from './support/forms.js';
import { chain, field, http, node, output, trigger } from './support/graphs.js';
import { type ServiceProcess, startProcess } from './support/processes/process.js';
import { readPage } from './support/readme/readme.js';
import { pdf } from './support/sample-documents.js';
import { type StubUpstream, startStubUpstream } from './support/upstreams/stub-upstream.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scenarium-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the bundle on an empty database', () => {
  let upstream: StubUpstream;
  let service: ServiceProcess;
  let project: number;

  const call = async (method: string, where: string, body?: object) => {
    const isForm = body instanceof FormData;
    const type: Record<string, string> = body && !isForm ? { 'Content-Type': 'application/json' } : {};
    const answer = await fetch(`${service.url}${where}`, {
      method,
      headers: { 'X-Api-Key': ADMIN_KEY, ...type },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as any;
  };

  beforeAll(async () => {
    const name = `bundle_${Date.now()}`;
    const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL as string });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    upstream = await startStubUpstream();
    service = await startProcess({
      ...testEnvironment(name),
      DATA_DIR: folder,
      NODE_V8_COVERAGE: path.join(folder, 'coverage'),
      // The tests set a compile cache; without one the service creates its own in DATA_DIR.
      NODE_COMPILE_CACHE: '',
    });
    project = (await call('POST', '/api/v1/projects/', { name: 'Bundled' })).id;
  });
  afterAll(async () => {
    await service?.end();
    await upstream.stop();
  });

  it('makes outbound HTTP calls and runs code in a thread', async () => {
    const request = http(`${upstream.origin}/animals`);
    const code = node('code-node', { code: `return { of: input.topic, at: nodes['${request.id}'].json.path }` });
    const data = chain(trigger(field('topic')), request, code, output());
    const workflow = await call('POST', '/api/v1/workflows/', { project, title: 'Bundled', data });
    const { data: run } = await call('POST', `/api/v1/workflows/${workflow.id}/run/`, { topic: 'cats' });
    const ended = await eventually(
      async () => (await call('GET', `/api/v1/workflows/workflow_result/?id=${run.id}`)).data,
      ({ status }) => status === 'succeed' || status === 'failed',
    );
    expect(ended).toMatchObject({ status: 'succeed' });
    expect(JSON.stringify(ended.output)).toContain('/animals');
    expect(JSON.stringify(ended.output)).toContain('cats');
  });

  it('reads a document in a child process', async () => {
    const form = formOf({ project: String(project) }, { file1: ['a.pdf', pdf(['Refunds are paid at once.'])] });
    const [document] = await call('POST', '/api/v1/documents/', form);
    const { id } = await call('POST', '/api/v1/recognitionruns/', { project, document: document.id, chunk_size: 50 });
    const run = await eventually(
      () => call('GET', `/api/v1/recognitionruns/${id}/`),
      ({ status }) => status === 'finished' || status === 'error',
    );
    expect(run).toMatchObject({ status: 'finished', chunks_count: 1 });
    const { items } = await call('GET', `/api/v1/recognitionrun-chunks/?recognitionrun=${id}`);
    expect(items[0].text).toContain('Refunds are paid at once.');
  });

  it('loads the rows of a list together', async () => {
    const query = '{ projects { items { name workflows { total } documents { items { filename } } } } }';
    const { data, errors } = await call('POST', '/graphql', { query });
    expect(errors).toBeUndefined();
    expect(data.projects.items).toEqual([
      expect.objectContaining({ name: 'Bundled', documents: { items: [{ filename: 'a.pdf' }] } }),
    ]);
  });

  it('serves its API’s description and its pages', async () => {
    const { paths } = await call('GET', '/openapi.json');
    expect(Object.keys(paths)).toContain('/api/v1/projects/');
    const html = await (await fetch(`${service.url}/graphiql`)).text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    expect((await fetch(`${service.url}${script}`)).status).toBe(200);
  });

  it('keeps compiled code for the next start', async () => {
    const [version] = await readdir(path.join(folder, 'compiled'));
    expect(await readdir(path.join(folder, 'compiled', version!))).not.toEqual([]);
  });

  it('exits with the code 0 on SIGTERM', async () => {
    expect(await service.end()).toEqual({ code: 0, signal: null });
  });

  // Node writes the coverage when the process exits, which the previous test causes.
  it('loaded the ORM once, from the bundle', async () => {
    const files = await readdir(path.join(folder, 'coverage'));
    const scripts = files.flatMap(name => {
      const text = readFileSync(path.join(folder, 'coverage', name), 'utf8');
      return (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url);
    });
    expect(scripts).toContainEqual(expect.stringMatching(/\/service\.js$/));
    expect(scripts.filter(url => url.includes('/node_modules/@mikro-orm/'))).toEqual([]);
  });
});

it('contains only ASCII characters, because V8 stores a source with other ones as two bytes for each', () => {
  const bundle = readFileSync(new URL('../service.js', import.meta.url), 'utf8');
  expect([...bundle.matchAll(/[^\0-\x7f].{20}/g)].map(([found]) => found)).toEqual([]);
});

it.each(['/proc/foo', '/proc'])('refuses the folder %s, where no folder can be created', async refused => {
  // Without a compile cache in the environment the service creates its own in DATA_DIR.
  const environment = { ...testEnvironment(await createDatabase()), DATA_DIR: refused, NODE_COMPILE_CACHE: '' };
  const service = await startProcess(environment, { ready: false });
  expect((await service.exited).code).toBe(1);
  expect(service.output()).toContain(`DATA_DIR: "${refused}" cannot be used`);
});

it('reports an error at startup with the line of its source', async () => {
  const database = await createDatabase();
  const client = new pg.Client({ connectionString: databaseUrl(database) });
  await client.connect();
  await client.query('drop table accepted_migration; create view accepted_migration as select 1 as nothing');
  await client.end();
  const service = await startProcess(testEnvironment(database), { ready: false });
  expect((await service.exited).code).toBe(1);
  const line =
    readPage('src/platform/database/schema-version.sql.ts')
      .split('\n')
      .findIndex(text => text.includes('const rows = await sql.query')) + 1;
  expect(service.output()).toContain(`src/platform/database/schema-version.sql.ts:${line}`);
  // Asynchronous frames are those of the sources. Frames of libraries still name the bundle.
  expect(service.output()).not.toMatch(/at async .*\/service\.js:/);
});
