import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobIdOf } from '../../src/modules/recognition/execution/recognition-claims.js';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { docx, pdf } from '../support/sample-documents.js';
import { type RestOptions, startTestService, type TestService } from '../support/service.js';
import { startWebhookReceiver } from '../support/upstreams/webhook-receiver.js';
import { restAsDeclared } from './declared-answers.js';

const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
let bensProject: number;

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { key: ann.key, ...options });

async function documentOf(filename: string, content: string | Uint8Array, key = ann.key, into = project) {
  const body = formOf({ project: String(into) }, { file1: [filename, content] });
  return (await call('POST', '/api/v1/documents/', { body, key })).body[0].id as number;
}
async function start(document: number, chunkSize = 50): Promise<number> {
  const body = { project, document, chunk_size: chunkSize };
  return (await call('POST', '/api/v1/recognitionruns/', { body })).body.id;
}
const awaitEnd = (id: number) =>
  eventually(
    async () => (await call('GET', `/api/v1/recognitionruns/${id}/`)).body,
    run => run.status === 'finished' || run.status === 'error',
  );
const recognize = async (filename: string, content: string | Uint8Array) => {
  const document = await documentOf(filename, content);
  return { document, run: await awaitEnd(await start(document)) };
};
const chunksOf = async (run: number) =>
  (await call('GET', `/api/v1/recognitionrun-chunks/?recognitionrun=${run}&size=100`)).body.items;
const search = async (query: string, more: Record<string, unknown> = {}, key = ann.key, into = project) =>
  service.graphql(
    `query ($p: Int!, $q: String!, $ids: [Int!], $limit: Int) {
      documentSearch(projectId: $p, query: $q, documentIds: $ids, limit: $limit) { document: documentId filename page text score } }`,
    { p: into, q: query, limit: 5, ...more },
    key,
  );
const found = async (query: string, more: Record<string, unknown> = {}) =>
  (await search(query, more)).data.documentSearch.map((hit: any) => hit.text);

const paragraph = (word: string) => `${`${word} `.repeat(30).trim()}.`;

beforeAll(async () => {
  service = await startTestService();
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = (await call('POST', '/api/v1/projects/', { body: { name: 'Support' } })).body.id;
  bensProject = (await call('POST', '/api/v1/projects/', { body: { name: 'Other' }, key: ben.key })).body.id;
});
afterAll(() => service?.stop());

describe('a recognition run', () => {
  it('creates chunks of a document', async () => {
    const document = await documentOf('a.txt', ['one', 'two', 'three'].map(paragraph).join('\n\n'));
    const { status, body } = await call('POST', '/api/v1/recognitionruns/', {
      body: { project, document, chunk_size: 50 },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      project,
      status: 'created',
      cost: 0,
      chunk_size: 50,
      document,
      chunks_count: 0,
      progress: 0,
      error: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const run = await awaitEnd(body.id);
    expect(run).toMatchObject({ status: 'finished', progress: 1, chunks_count: 3, error: null });
    expect(await chunksOf(run.id)).toEqual(
      ['one', 'two', 'three'].map((word, index) => ({
        id: expect.any(Number),
        recognitionrun: run.id,
        index,
        text: paragraph(word),
        tokens: 31,
        page: null,
        is_enabled: true,
        created_at: expect.any(String),
      })),
    );
  });

  it('ends with the reason when the document cannot be read', async () => {
    const { run } = await recognize('broken.pdf', '%PDF-1.7 nothing at all');
    expect(run).toMatchObject({ status: 'error', chunks_count: 0, error: expect.stringContaining('damaged') });
    const binary = await recognize('a.bin', new Uint8Array([0, 1, 2, 255, 254, 0]));
    expect(binary.run.error).toMatch(/cannot be read; pdf, docx/);
  });

  it('knows pages', async () => {
    const { run } = await recognize('a.pdf', pdf([paragraph('alpha'), paragraph('beta')]));
    expect((await chunksOf(run.id)).map((chunk: any) => chunk.page)).toEqual([1, 2]);
  });

  it('has 500 tokens per chunk by default', async () => {
    const document = await documentOf('a.txt', 'x');
    for (const chunk_size of [undefined, null]) {
      const { body } = await call('POST', '/api/v1/recognitionruns/', { body: { project, document, chunk_size } });
      expect(body.chunk_size).toBe(500);
    }
  });

  it('needs a project and a document', async () => {
    for (const [body, missing] of [
      [{ document: 1 }, 'project'],
      [{ project: 1 }, 'document'],
    ] as const) {
      const answer = await call('POST', '/api/v1/recognitionruns/', { body });
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, [missing]]);
    }
  });

  it.each([
    [{ chunk_size: 49 }, 'chunk_size'],
    [{ chunk_size: 8001 }, 'chunk_size'],
    [{ chunk_size: 'x' }, 'chunk_size'],
    [{ document: null }, 'document'],
    [{ document: 2_000_000_000 }, 'document'],
    [{ project: 2_000_000_000 }, 'project'],
  ])('is refused for %j', async (wrong, field) => {
    const document = await documentOf('a.txt', 'x');
    const body = { project, document, ...wrong };
    const answer = await call('POST', '/api/v1/recognitionruns/', { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual([field]);
  });

  it('reads no document of another project, even if both are the caller’s', async () => {
    const theirs = await documentOf('b.txt', 'secret', ben.key, bensProject);
    const refused = { status: 400, body: { document: ['Object does not exist.'] } };
    expect(await call('POST', '/api/v1/recognitionruns/', { body: { project, document: theirs } })).toMatchObject(
      refused,
    );
    const admin = await call('POST', '/api/v1/recognitionruns/', {
      body: { project, document: theirs },
      key: service.key,
    });
    expect(admin).toMatchObject(refused);
  });

  it('is deleted with its document', async () => {
    const { document, run } = await recognize('a.txt', 'soon gone');
    const [chunk] = await chunksOf(run.id);
    await call('DELETE', `/api/v1/documents/${document}/`);
    expect((await call('GET', `/api/v1/recognitionruns/${run.id}/`)).status).toBe(404);
    expect((await call('GET', `/api/v1/recognitionrun-chunks/${chunk.id}/`)).status).toBe(404);
  });

  it('that was interrupted starts again', async () => {
    const document = await documentOf('a.txt', 'left and found again');
    const [{ id }] = (await service.sql(
      `insert into recognition_run (project_id, document_id, chunk_size, state, attempts, chunks_count)
       values ($1, $2, 50, 'in_progress', 1, 1) returning id`,
      [project, document],
    )) as [{ id: number }];
    await service.sql(`insert into recognition_chunk (run_id, index, text, tokens) values ($1, 0, 'half', 1)`, [id]);
    await service.sql(`insert into pgboss.job (id, name) values ($1, 'recognition-run')`, [jobIdOf(id)]);
    expect((await awaitEnd(id)).status).toBe('finished');
    expect((await chunksOf(id)).map((chunk: any) => chunk.text)).toEqual(['left and found again']);
  });

  it('that two workers start has its chunks once', async () => {
    const document = await documentOf('a.txt', ['one', 'two', 'three'].map(paragraph).join('\n\n'));
    const id = await start(document);
    // Simulates a worker without heartbeats: the job goes to the next worker, while this one is alive.
    for (let more = 0; more < 2; more++)
      await service.sql(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where id = $1`, [jobIdOf(id)]);
    expect(await awaitEnd(id)).toMatchObject({ status: 'finished', chunks_count: 3 });
    expect((await chunksOf(id)).map((chunk: any) => chunk.index)).toEqual([0, 1, 2]);
  });

  it('ends when it has crashed its worker three times', async () => {
    const document = await documentOf('a.txt', 'x');
    const [{ id }] = (await service.sql(
      `insert into recognition_run (project_id, document_id, chunk_size, state, attempts)
       values ($1, $2, 50, 'in_progress', 3) returning id`,
      [project, document],
    )) as [{ id: number }];
    await service.sql(`insert into pgboss.job (id, name) values ($1, 'recognition-run')`, [jobIdOf(id)]);
    expect(await awaitEnd(id)).toMatchObject({ status: 'error', error: expect.stringContaining('3 times') });
  });

  it('sends a webhook, however it ended', async () => {
    const receiver = await startWebhookReceiver();
    try {
      const hook = { webhook_url: `${receiver.origin}/webhook`, is_webhook_enabled: true };
      await call('PATCH', `/api/v1/projects/${project}/`, { body: hook });
      const good = (await recognize('a.txt', 'some text')).run;
      const bad = (await recognize('broken.pdf', '%PDF-1.7 nothing at all')).run;
      const calls = await eventually(
        async () => receiver.calls('/webhook').map(({ body }) => body),
        bodies => bodies.length === 2,
      );
      const payloadOf = (run: any) => ({
        ...{ id: run.id, project, document: run.document, status: run.status, chunks_count: run.chunks_count },
        ...{ error: run.error, cost: 0, created_at: run.created_at, finished_at: expect.any(String) },
      });
      expect(calls.toSorted((a, b) => a.data.id - b.data.id)).toEqual([
        { type: 'recognition_run.finished', timestamp: expect.any(String), data: payloadOf(good) },
        { type: 'recognition_run.error', timestamp: expect.any(String), data: payloadOf(bad) },
      ]);
    } finally {
      await call('PATCH', `/api/v1/projects/${project}/`, { body: { is_webhook_enabled: false } });
      await receiver.stop();
    }
  });

  it('sends events to subscribers', async () => {
    const document = await documentOf('a.docx', docx(['Live from the document.']));
    const id = await start(document);
    const seen: any[] = [];
    const query = 'subscription ($id: Int!) { recognitionRunChanged(id: $id) { status progress chunksCount } }';
    for await (const { data } of service.subscribe(query, { id }, ann.key)) seen.push(data.recognitionRunChanged);
    expect(seen.at(-1)).toEqual({ status: 'SUCCEEDED', progress: 1, chunksCount: 1 });
    const refused = await service
      .subscribe(query, { id }, ben.key)
      .next()
      .catch((error: unknown) => error);
    expect(JSON.stringify(refused)).toContain('NOT_FOUND');
  });
});

describe('chunks', () => {
  it('are enabled and disabled, one and all', async () => {
    const { run } = await recognize('a.txt', [paragraph('one'), paragraph('two')].join('\n\n'));
    const [first] = await chunksOf(run.id);
    const path = `/api/v1/recognitionruns/${run.id}`;
    const enabled = async () => (await chunksOf(run.id)).map((chunk: any) => chunk.is_enabled);
    expect(await call('POST', `${path}/disable-chunk/`, { body: { id: first.id } })).toMatchObject({
      status: 200,
      body: { id: first.id, is_enabled: false },
    });
    expect(await enabled()).toEqual([false, true]);
    expect((await call('GET', `/api/v1/recognitionrun-chunks/${first.id}/`)).body.is_enabled).toBe(false);
    expect(await call('POST', `${path}/disable-chunks/`)).toMatchObject({ status: 200, body: { id: run.id } });
    expect(await enabled()).toEqual([false, false]);
    await call('POST', `${path}/enable-chunk/`, { body: { id: first.id } });
    expect(await enabled()).toEqual([true, false]);
    await call('POST', `${path}/enable-chunks/`);
    expect(await enabled()).toEqual([true, true]);
  });

  it('of another run, and what is not an id, are 400', async () => {
    const [one, two] = [await recognize('a.txt', 'one'), await recognize('b.txt', 'two')];
    const [chunk] = await chunksOf(two.run.id);
    for (const id of [chunk.id, 2_000_000_000, 'x', null, undefined]) {
      const answer = await call('POST', `/api/v1/recognitionruns/${one.run.id}/disable-chunk/`, { body: { id } });
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body)).toEqual(['id']);
    }
    expect((await chunksOf(two.run.id))[0].is_enabled).toBe(true);
  });

  it('of a run that has not ended cannot be changed', async () => {
    const document = await documentOf('a.txt', 'x');
    const [{ id }] = (await service.sql(
      'insert into recognition_run (project_id, document_id, chunk_size) values ($1, $2, 50) returning id',
      [project, document],
    )) as [{ id: number }];
    expect((await call('POST', `/api/v1/recognitionruns/${id}/disable-chunks/`)).status).toBe(409);
  });

  it('and runs are visible only to members of the project', async () => {
    const { document, run } = await recognize('a.txt', 'private');
    const [chunk] = await chunksOf(run.id);
    const key = ben.key;
    for (const [method, path] of [
      ['GET', `recognitionruns/${run.id}/`],
      ['POST', `recognitionruns/${run.id}/enable-chunks/`],
      ['POST', `recognitionruns/${run.id}/disable-chunks/`],
      ['GET', `recognitionrun-chunks/${chunk.id}/`],
    ] as const)
      expect(await call(method, `/api/v1/${path}`, { key })).toMatchObject({ status: 404, body: NOT_FOUND });
    const body = { id: chunk.id };
    expect((await call('POST', `/api/v1/recognitionruns/${run.id}/disable-chunk/`, { key, body })).status).toBe(404);
    for (const path of [`recognitionrun-chunks/?recognitionrun=${run.id}`, `recognitionruns/?document=${document}`])
      expect((await call('GET', `/api/v1/${path}`, { key })).status).toBe(400);
    expect((await call('GET', '/api/v1/recognitionruns/', { key })).body.items).toEqual([]);
    const listed = await call('GET', `/api/v1/recognitionruns/?document=${document}&project=${project}`);
    expect(listed.body.items.map((item: any) => item.id)).toEqual([run.id]);
  });
});

describe('searching', () => {
  it('finds enabled chunks, those with every word first', async () => {
    const { document, run } = await recognize(
      'refunds.txt',
      [`Refunds take two weeks. ${paragraph('filler')}`, `Deliveries take three weeks. ${paragraph('padding')}`].join(
        '\n\n',
      ),
    );
    const hits = await found('How many weeks do refunds take?', { ids: [document] });
    expect(hits[0]).toMatch(/^Refunds/);
    expect(hits).toHaveLength(2);
    expect(await found('refunds', { ids: [document] })).toHaveLength(1);
    expect(await found('refunds', { limit: 1 })).toHaveLength(1);
    await call('POST', `/api/v1/recognitionruns/${run.id}/disable-chunks/`);
    expect(await found('refunds', { ids: [document] })).toEqual([]);
  });

  it('knows words of any language', async () => {
    const { document } = await recognize('a.txt', 'Die Größe des Büros. Размер офиса велик.');
    expect(await found('größe', { ids: [document] })).toHaveLength(1);
    expect(await found('ОФИСА', { ids: [document] })).toHaveLength(1);
  });

  it('treats every query as words', async () => {
    await recognize('a.txt', 'words');
    for (const query of ["'; drop table document; --", '& | ! ( ) : * <-> "', '\\', '😀', 'a:* & !b'])
      expect((await search(query)).errors).toBeUndefined();
    expect((await search(' ')).errors?.[0]?.extensions.fields).toHaveProperty('query');
    expect((await search('a', { limit: 51 })).errors?.[0]?.extensions.fields).toHaveProperty('limit');
  });

  it('finds a text once, however often its document was recognized', async () => {
    const document = await documentOf('twice.txt', 'unrepeatable');
    await awaitEnd(await start(document));
    await awaitEnd(await start(document));
    expect(await found('unrepeatable')).toEqual(['unrepeatable']);
  });

  it('sees nothing of other projects', async () => {
    const { document } = await recognize('a.txt', 'confidential');
    expect((await search('confidential', {}, ben.key)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await search('confidential', {}, ben.key, bensProject)).data.documentSearch).toEqual([]);
    const named = await search('confidential', { ids: [document] }, ben.key, bensProject);
    expect(named.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('a search node', () => {
  const triggerId = '3f1c2a8e-0d5b-4f0e-9a6c-5b7d1e2f3a01';
  const searchId = '3f1c2a8e-0d5b-4f0e-9a6c-5b7d1e2f3a02';
  const runSearchNode = async (settings: Record<string, unknown>) => {
    const data = {
      nodes: [
        { id: triggerId, type: 'trigger-node', data: { next_nodes: [searchId] } },
        { id: searchId, type: 'search-node', data: settings },
      ],
      edges: [],
      start_node: triggerId,
    };
    const workflow = await call('POST', '/api/v1/workflows/', { body: { project, title: 'Search', data } });
    const receipt = await call('POST', `/api/v1/workflows/${workflow.body.id}/run/`, { body: { question: 'walrus' } });
    const id = receipt.body.data.id;
    const result = await eventually(
      async () => (await call('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data,
      ({ status }) => status === 'succeed' || status === 'failed',
    );
    return result.data[searchId];
  };

  it('searches the documents of the run’s project', async () => {
    const { document } = await recognize('walrus.txt', 'The walrus eats clams.');
    const node = await runSearchNode({ query: '{{ input.question }}', document_ids: [document] });
    expect(JSON.parse(node.result.content)).toEqual([
      { document, filename: 'walrus.txt', page: null, text: 'The walrus eats clams.', score: expect.any(Number) },
    ]);
  });

  it('fails for a document of another project', async () => {
    const theirs = await documentOf('b.txt', 'walrus', ben.key, bensProject);
    expect((await runSearchNode({ query: 'walrus', document_ids: [theirs] })).error.code).toBe('unknown_document');
  });
});
