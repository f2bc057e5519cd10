import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentFiles } from '../../../src/modules/documents/document-files.js';
import { ProjectFileStore } from '../../../src/modules/files/project-file-store.js';
import { RunFiles } from '../../../src/modules/files/run-files.js';
import { deleteRunFiles } from '../../../src/modules/workflow-runs/retention/run-file-retention.js';
import { openDatabase } from '../../support/database.js';
import { formOf } from '../../support/forms.js';
import { chain, field, type GraphNode, http, type Json, node, output, trigger } from '../../support/graphs.js';
import { joinProject } from '../../support/members.js';
import { pdf } from '../../support/sample-documents.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { createLogin } from '../../support/sessions.js';
import { type LoopbackServer, serveHttp } from '../../support/upstreams/loopback-server.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { restAsDeclared } from '../declared-answers.js';
import { awaitFinish } from './finished-run.js';

const BINARY = randomBytes(300_000);
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let service: TestService;
let upstream: StubUpstream;
let site: LoopbackServer;
let project: number;
const received: { type: string; body: Buffer }[] = [];

/** The owner of the project. */
let key: string;

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { key, ...options });

beforeAll(async () => {
  upstream = await startStubUpstream();
  site = await serveHttp(async (request, response) => {
    const body = await buffer(request);
    if (request.method === 'POST') {
      received.push({ type: request.headers['content-type'] ?? '', body });
      return void response.end('{"stored":true}');
    }
    if (request.url === '/text') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('plain');
    if (request.url === '/pixel') return void response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
    response.writeHead(200, { 'content-disposition': 'attachment; filename="data.bin"' }).end(BINARY);
  });
  service = await startTestService({
    outboundAllow: ['127.0.0.1'],
    openai: { baseUrl: upstream.url, apiKey: 'k' },
  });
  ({ key } = await service.createUser('ann'));
  project = (await call('POST', '/api/v1/projects/', { body: { name: 'Files' } })).body.id;
});
afterAll(async () => {
  await Promise.all([site?.close(), service?.stop(), upstream?.stop()]);
});

async function runNodes(nodes: GraphNode[], input: Json = {}, fields: Json[] = []) {
  const data = chain(trigger(...fields), ...nodes, output());
  const { body } = await call('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
  const started = await service.rest('POST', `/api/v1/workflows/${body.id}/run/`, { body: input, key });
  if (started.body.status !== 201) return { refusal: started.body };
  return { id: started.body.data.id, ...(await awaitFinish(service, started.body.data.id, key)) };
}
const upload = (name: string, content: string | Uint8Array, into = project, owner = key) =>
  call('POST', '/api/v1/files/', {
    body: formOf({ project: String(into) }, { file: [name, content] }),
    key: owner,
  });
const contentOf = async (id: string) => {
  const { body } = await call('GET', `/api/v1/files/${id}/`);
  return Buffer.from(await (await fetch(body.url)).arrayBuffer());
};
const FILE = field('file', { type: 'file', input_requirements: true });

describe('an upload', () => {
  it('answers with a file reference and serves the bytes by a link', async () => {
    const { status, body } = await upload('über/data.bin', BINARY);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ project, run_id: null, name: 'data.bin', content_type: 'application/octet-stream', size: BINARY.length },
      sha256: createHash('sha256').update(BINARY).digest('hex'),
    });
    expect((await contentOf(body.file_id)).equals(BINARY)).toBe(true);
    expect((await call('GET', `/api/v1/projects/${project}/files/`)).body.items[0].file_id).toBe(body.file_id);
  });

  it('is deleted with its content', async () => {
    const { body } = await upload('a.txt', 'text');
    expect((await call('DELETE', `/api/v1/files/${body.file_id}/`)).status).toBe(204);
    expect((await call('GET', `/api/v1/files/${body.file_id}/`)).status).toBe(404);
    expect((await fetch(body.url)).status).toBe(404);
  });

  it('becomes a document', async () => {
    const { body } = await upload('paper.pdf', pdf(['One']));
    const { status, body: document } = await call('POST', `/api/v1/files/${body.file_id}/document/`);
    expect([status, document]).toMatchObject([
      201,
      { project, filename: 'paper.pdf', content_type: 'application/pdf' },
    ]);
    expect(Buffer.from(await (await fetch(document.result_url)).arrayBuffer()).equals(pdf(['One']))).toBe(true);
  });

  it('counts towards the storage quota of the project', async () => {
    const home = (await call('POST', '/api/v1/projects/', { body: { name: 'Small' } })).body.id;
    await service.sql('insert into project_storage (project_id, limit_bytes) values ($1, 1000)', [home]);
    expect((await upload('big.bin', BINARY, home)).status).toBe(413);
    expect((await upload('small.txt', 'x', home)).status).toBe(201);
  });
});

describe('a run', () => {
  it('keeps the uploaded file of its input, and passes it on unchanged', async () => {
    const { body: file } = await upload('data.bin', BINARY);
    const run = await runNodes(
      [http(`${site.url}/upload`, { method: 'POST', body_file: '{{ input.file }}' })],
      { file: file.file_id },
      [FILE],
    );
    expect(run).toMatchObject({ status: 'succeed', output: '{"stored":true}' });
    const sent = received.at(-1)!;
    expect(sent.type).toBe('application/octet-stream');
    expect(sent.body.equals(BINARY)).toBe(true);
    expect((await call('GET', `/api/v1/files/${file.file_id}/`)).body.run_id).toBe(run.id);
    const { body } = await call('GET', `/api/v1/projects/${project}/files/?run_id=${run.id}`);
    expect(body.items.map((item: Json) => item.file_id)).toEqual([file.file_id]);
  });

  it('keeps the file of a draft from its release', async () => {
    const { body: file } = await upload('draft.txt', 'x');
    const body = { project, title: 'W', data: chain(trigger(FILE), output()) };
    const { id: workflowId } = (await call('POST', '/api/v1/workflows/', { body })).body;
    const draft = await service.graphql(
      `mutation ($workflowId: Int!, $input: JSON) {
        workflowRunStart(workflowId: $workflowId, input: $input, draft: true) { receipt { data { runId } } } }`,
      { workflowId, input: { file: file.file_id } },
      key,
    );
    const { runId } = draft.data.workflowRunStart.receipt.data;
    const runOfFile = async () => (await call('GET', `/api/v1/files/${file.file_id}/`)).body.run_id;
    expect(await runOfFile()).toBeNull();
    await service.graphql(`mutation { workflowRunRelease(id: "${runId}") { receipt { status } } }`, {}, key);
    expect(await runOfFile()).toBe(runId);
  });

  it('sends a multipart form with files and texts', async () => {
    const { body: file } = await upload('data.bin', BINARY);
    const form = [
      { name: 'note', value: 'für {{ input.file.name }}' },
      { name: 'upload', file: '{{ input.file }}' },
    ];
    await runNodes([http(`${site.url}/form`, { method: 'POST', form })], { file }, [FILE]);
    const sent = received.at(-1)!;
    const parts = await new Response(new Uint8Array(sent.body), { headers: { 'content-type': sent.type } }).formData();
    expect(parts.get('note')).toBe('für data.bin');
    const part = parts.get('upload') as File;
    expect(part.name).toBe('data.bin');
    expect(Buffer.from(await part.arrayBuffer()).equals(BINARY)).toBe(true);
  });

  it('downloads a binary response as a file, and text as text', async () => {
    const run = await runNodes([http(`${site.url}/data`)]);
    const reference = JSON.parse(run.output);
    expect(reference).toEqual({
      ...{ file_id: expect.any(String), name: 'data.bin', content_type: 'application/octet-stream' },
      ...{ size: BINARY.length, sha256: createHash('sha256').update(BINARY).digest('hex') },
    });
    expect((await contentOf(reference.file_id)).equals(BINARY)).toBe(true);
    expect((await runNodes([http(`${site.url}/text`)])).output).toBe('plain');
    const asFile = JSON.parse((await runNodes([http(`${site.url}/text`, { response: 'file' })])).output);
    expect(asFile).toMatchObject({ name: 'text', content_type: 'text/plain', size: 5 });
  });

  it('creates files and reads them, never binary as text', async () => {
    const write = node('file-node', {
      operation: 'write',
      file_name: 'a/letter.txt',
      content: 'Dear {{ input.name }}',
    });
    const read = node('file-node', { operation: 'read', file: '{{ previous.content }}' });
    expect((await runNodes([write, read], { name: 'Zoë' })).output).toBe('Dear Zoë');
    const asText = await runNodes([http(`${site.url}/data`), read]);
    expect(asText.error).toMatchObject({ code: 'not_text' });
    const inBase64 = node('file-node', { ...read.data, encoding: 'base64' });
    expect((await runNodes([http(`${site.url}/data`), inBase64])).output).toBe(BINARY.toString('base64'));
    const small = node('file-node', { ...read.data, encoding: 'base64', max_bytes: 1000 });
    expect((await runNodes([http(`${site.url}/data`), small])).error).toMatchObject({ code: 'file_too_large' });
  });

  it('gives files to a script and stores those that it saves', async () => {
    const code = `
      const [file] = files;
      const reversed = new Uint8Array(file.bytes).reverse();
      return { size: file.bytes.length, name: file.name, saved: [saveFile('reversed.bin', reversed), saveFile('ü.txt', 'grün\\0')] };`;
    const run = await runNodes([
      http(`${site.url}/data`),
      node('code-node', { code, files: ['{{ previous.content }}'], memory_mb: 32, timeout_seconds: 30 }),
    ]);
    expect(run.error).toBeUndefined();
    const { size, name, saved } = JSON.parse(run.output);
    expect([size, name, saved[0].name, saved[1].name]).toEqual([BINARY.length, 'data.bin', 'reversed.bin', 'ü.txt']);
    expect((await contentOf(saved[0].file_id)).equals(Buffer.from(BINARY).reverse())).toBe(true);
    expect((await contentOf(saved[1].file_id)).toString()).toBe('grün\0');
    const texts = `return files.map(file => file.text())`;
    const { body: file } = await upload('a.txt', 'naïve');
    expect((await runNodes([node('code-node', { code: texts, files: [file], timeout_seconds: 30 })])).output).toBe(
      '["naïve"]',
    );
    const { body: binary } = await upload('a.bin', BINARY);
    expect(
      (await runNodes([node('code-node', { code: texts, files: [binary.file_id], timeout_seconds: 30 })])).error
        .message,
    ).toContain('a.bin is not UTF-8 text');
    const refused = await runNodes([node('code-node', { code: 'saveFile("a", 5)', timeout_seconds: 30 })]);
    expect(refused.error.message).toContain('saveFile takes a name and a text');
    const many = await runNodes([
      node('code-node', { code: 'for (let i = 0; i < 11; i++) saveFile("a", "x")', timeout_seconds: 30 }),
    ]);
    expect(many.error.message).toContain('at most 10 files');
  });

  it('sends images and PDF documents to a model, and refuses other files', async () => {
    const { body: image } = await upload('pixel.png', PIXEL);
    const { body: paper } = await upload('paper.pdf', pdf(['One']));
    const message = { role: 'user', message: 'Look', files: [image, paper.file_id] };
    const ask = node('basic-node', { messages: [message], settings: { model_name: 'gpt-4o' } });
    expect(await runNodes([ask])).toMatchObject({ status: 'succeed', output: 'stub answer' });
    const { messages } = upstream.requests.at(-1);
    expect(messages[0].content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL.toString('base64')}` } },
      {
        type: 'file',
        file: {
          filename: 'paper.pdf',
          file_data: `data:application/pdf;base64,${Buffer.from(pdf(['One'])).toString('base64')}`,
        },
      },
    ]);
    const { body: text } = await upload('a.txt', 'text');
    const wrong = node('basic-node', { ...ask.data, messages: [{ ...message, files: [text] }] });
    expect((await runNodes([wrong])).error).toMatchObject({ code: 'unsupported_file' });
  });
});

describe('a run whose input is a form', () => {
  const fields = [FILE, field('count', { type: 'number' }), field('note')];
  const createWorkflow = async () => {
    const data = chain(trigger(...fields), output());
    return (await call('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id as number;
  };
  const start = (id: number, body: FormData, headers: Record<string, string> = {}) =>
    call('POST', `/api/v1/workflows/${id}/run/`, { body, headers });
  const countFiles = async () => (await service.sql('select count(*)::int as count from project_file'))[0]!.count;

  it('stores its file like an upload and types its texts by their fields', async () => {
    const id = await createWorkflow();
    const started = await start(id, formOf({ count: '4', note: '7' }, { file: ['über.bin', BINARY] }));
    expect(started).toMatchObject({ status: 200, body: { status: 201, data: { status: 'in queue' } } });
    const runId = started.body.data.id;
    await awaitFinish(service, runId, key);
    const { body: run } = await call('GET', `/api/v1/workflows/${id}/history/${runId}/`);
    expect(run.input_data).toEqual({
      file: expect.objectContaining({ name: 'über.bin', size: BINARY.length }),
      count: 4,
      note: '7',
    });
    const { body: file } = await call('GET', `/api/v1/files/${run.input_data.file.file_id}/`);
    expect(file.run_id).toBe(runId);
    expect((await contentOf(file.file_id)).equals(BINARY)).toBe(true);
  });

  it('takes the form flat also with a session', async () => {
    const { access, email } = await createLogin(service, 'sam');
    await joinProject(service, project, email, 'editor');
    const { body } = await call('POST', `/api/v1/workflows/${await createWorkflow()}/run/`, {
      body: formOf({ count: '1' }, { file: ['a.txt', 'a'] }),
      ...{ headers: { Authorization: `Bearer ${access}` }, key: null },
    });
    expect(body.status).toBe(201);
  });

  it('starts once with an idempotency key', async () => {
    const id = await createWorkflow();
    const form = (content: string) => formOf({ count: '1' }, { file: ['a.txt', content] });
    const headers = { 'idempotency-key': 'form-1' };
    const [first, again] = [await start(id, form('a'), headers), await start(id, form('a'), headers)];
    expect(again.body).toEqual(first.body);
    expect((await start(id, form('b'), headers)).status).toBe(422);
  });

  it.each<[string, FormData, string]>([
    [
      'a file for a field of another type',
      formOf({}, { note: ['a.txt', 'a'] }),
      '"note": a field of the type text takes no file. Fields of the type file: file.',
    ],
    [
      'a file without a field',
      formOf({}, { other: ['a.txt', 'a'] }),
      '"other": the workflow has no field with this id. Fields of the type file: file.',
    ],
    [
      'a file and a text for one field',
      formOf({ file: 'x' }, { file: ['a.txt', 'a'] }),
      '"file": send only one part with this name.',
    ],
  ])('is refused with %s', async (_, form, message) => {
    const id = await createWorkflow();
    const before = await countFiles();
    expect(await start(id, form)).toMatchObject({ status: 400, body: { parts: [message] } });
    expect(await countFiles()).toBe(before);
  });

  it('keeps no file when the run is refused', async () => {
    const id = await createWorkflow();
    const before = await countFiles();
    const refused = await start(id, formOf({ count: 'many' }, { file: ['a.txt', 'a'] }));
    expect(refused).toMatchObject({ status: 200, body: { status: 422 } });
    expect(await countFiles()).toBe(before);
  });

  it('is also a multipart request to GraphQL', async () => {
    const query = `mutation ($id: Int!, $file: Upload!) {
      workflowRunStart(workflowId: $id, input: { count: 2 }, parts: [{ fieldId: "file", file: $file }]) {
        receipt { status } run { id } } }`;
    const operations = JSON.stringify({ query, variables: { id: await createWorkflow(), file: null } });
    const form = formOf({ operations, map: '{"0":["variables.file"]}' }, { 0: ['a.txt', 'a'] });
    const { body } = await service.rest('POST', '/graphql', { body: form, key });
    const { receipt, run } = body.data.workflowRunStart;
    expect(receipt.status).toBe(201);
    const { body: files } = await call('GET', `/api/v1/projects/${project}/files/?run_id=${run.id}`);
    expect(files.items).toMatchObject([{ name: 'a.txt', size: 1 }]);
  });
});

describe('a file of another project', () => {
  it('is not found by its id, in an input, or by a node', async () => {
    const other = await service.createUser('other');
    const theirs = (await call('POST', '/api/v1/projects/', { body: { name: 'Theirs' }, key: other.key })).body.id;
    const { body: file } = await upload('secret.txt', 'secret', theirs, other.key);
    const missing = '01a1fccb-0000-7000-8000-000000000000';
    const answers = await Promise.all(
      [file.file_id, missing].map(async id => {
        const { status, body } = await call('GET', `/api/v1/files/${id}/`);
        const deleted = await call('DELETE', `/api/v1/files/${id}/`);
        const { refusal } = await runNodes([], { file: id }, [FILE]);
        const read = await runNodes([node('file-node', { file: id })]);
        const text = JSON.stringify([status, body, deleted.status, refusal?.data?.data, read.error]);
        return text.replaceAll(id, 'ID').replace(/"[0-9a-f-]{36}"/g, 'NODE');
      }),
    );
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toContain('is no file of the project');
    expect(answers[0]).toContain('file_not_found');
  });
});

describe('retention', () => {
  it('deletes unused uploads after a day, and files with the results of their run', async () => {
    const { body: unused } = await upload('unused.txt', 'x');
    const { body: fresh } = await upload('fresh.txt', 'x');
    const run = await runNodes([http(`${site.url}/data`)]);
    const { file_id } = JSON.parse(run.output);
    await service.sql(`update project_file set created_at = now() - interval '25 hours' where id = any($1::uuid[])`, [
      [unused.file_id, file_id],
    ]);
    const database = await openDatabase(service.database);
    const files = new DocumentFiles(database, { remove: async () => {} } as never, { warn: () => {} } as never);
    const runFiles = new RunFiles(new ProjectFileStore(database, files, null as never, null as never));
    await runFiles.deleteUnused();
    await deleteRunFiles(database, runFiles, 30);
    const left = async () =>
      (
        await service.sql('select id from project_file where id = any($1::uuid[])', [
          [unused.file_id, fresh.file_id, file_id],
        ])
      )
        .map(row => row.id)
        .sort();
    expect(await left()).toEqual([fresh.file_id, file_id].sort());
    await service.sql(`update workflow_run set run_finished_at = now() - interval '31 days' where id = $1`, [run.id]);
    await deleteRunFiles(database, runFiles, 30);
    expect(await left()).toEqual([fresh.file_id]);
    await database.close();
  });
});
