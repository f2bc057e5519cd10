import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { setRole } from '../support/members.js';
import { pdf } from '../support/sample-documents.js';
import { type RestOptions, startTestService, type TestService } from '../support/service.js';
import { restAsDeclared } from './declared-answers.js';

const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
let bensProject: number;

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { key: ann.key, ...options });
const upload = (files: Parameters<typeof formOf>[1], key = ann.key, into = project) =>
  call('POST', '/api/v1/documents/', { body: formOf({ project: String(into) }, files), key });
const uploadOne = async (filename = 'a.txt', content: string | Uint8Array = 'text') =>
  (await upload({ file1: [filename, content] })).body[0];

beforeAll(async () => {
  service = await startTestService();
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = (await call('POST', '/api/v1/projects/', { body: { name: 'Support' } })).body.id;
  bensProject = (await call('POST', '/api/v1/projects/', { body: { name: 'Other' }, key: ben.key })).body.id;
});
afterAll(() => service?.stop());

describe('uploading', () => {
  it('answers 201 with a document for each file, in their order', async () => {
    const { status, body } = await upload({ file2: ['second.txt', 'two'], file1: ['first.pdf', pdf(['One'])] });
    expect(status).toBe(201);
    expect(body[0]).toEqual({
      id: expect.any(Number),
      project,
      key: 'first',
      filename: 'first.pdf',
      result_file: expect.stringMatching(/^[0-9a-f]{32}\.pdf$/),
      result_url: expect.stringContaining(`${service.url}/files/`),
      content_type: 'application/pdf',
      size: pdf(['One']).length,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body[0].created_at,
    });
    expect(body.map((document: any) => document.filename)).toEqual(['first.pdf', 'second.txt']);
  });

  it('accepts the same name twice', async () => {
    const [one, two] = [await uploadOne('same.txt'), await uploadOne('same.txt')];
    expect(one.result_file).not.toBe(two.result_file);
    expect(one.filename).toBe(two.filename);
  });

  it.each([
    ['no file', () => formOf({ project: String(project) }), 'files'],
    ['no project', () => formOf({}, { file1: ['a.txt', 'a'] }), 'project'],
    ['a project that is not a number', () => formOf({ project: 'x' }, { file1: ['a.txt', 'a'] }), 'project'],
    [
      'the project of another user',
      () => formOf({ project: String(bensProject) }, { file1: ['a.txt', 'a'] }),
      'project',
    ],
    ['a project that never was', () => formOf({ project: '2000000000' }, { file1: ['a.txt', 'a'] }), 'project'],
    ['a file of another name', () => formOf({ project: String(project) }, { file6: ['a.txt', 'a'] }), 'file6'],
  ])('refuses %s', async (_, form, field) => {
    const { status, body } = await call('POST', '/api/v1/documents/', { body: form() });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual([field]);
  });

  it.each(['constructor', '__proto__'])('refuses a file with the name %s, which every object inherits', async name => {
    const form = formOf({ project: String(project) });
    form.append(name, new Blob(['a']), 'a.txt');
    const { status, body } = await call('POST', '/api/v1/documents/', { body: form });
    expect([status, Object.keys(body)]).toEqual([400, [name]]);
  });

  it('refuses the same part twice', async () => {
    const form = formOf({ project: String(project) }, { file1: ['a.txt', 'a'] });
    form.append('file1', new Blob(['b']), 'b.txt');
    expect(await call('POST', '/api/v1/documents/', { body: form })).toMatchObject({
      status: 400,
      body: { file1: ['Send only one file with this name.'] },
    });
  });

  it('ignores an empty part of a form, and accepts an empty file', async () => {
    const boundary = 'x';
    const part = (head: string, content: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
    const body = `${part('name="project"', String(project))}${part('name="file1"; filename=""', '')}${part('name="file2"; filename="empty.txt"', '')}--${boundary}--\r\n`;
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    const answer = await call('POST', '/api/v1/documents/', { body, headers });
    expect(answer).toMatchObject({ status: 201, body: [{ filename: 'empty.txt', size: 0 }] });
  });

  it('refuses an invalid form, and other kinds of bodies', async () => {
    const broken = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect(await call('POST', '/api/v1/documents/', { body: 'nonsense', headers: broken })).toMatchObject({
      status: 400,
      body: { code: 'parse_error' },
    });
    const unbounded = { 'Content-Type': 'multipart/form-data' };
    expect(await call('POST', '/api/v1/documents/', { body: 'x', headers: unbounded })).toMatchObject({ status: 400 });
    const plain = { 'Content-Type': 'text/plain' };
    expect(await call('POST', '/api/v1/documents/', { body: 'x', headers: plain })).toMatchObject({ status: 415 });
    const elsewhere = await call('POST', '/api/v1/projects/', { body: formOf({ name: 'x' }) });
    expect(elsewhere.status).toBe(415);
  });

  it('needs a key and the role editor', async () => {
    expect((await call('POST', '/api/v1/documents/', { body: formOf({}), key: null })).status).toBe(401);
    await setRole(service, project, ben.email, 'viewer');
    expect((await upload({ file1: ['a.txt', 'a'] }, ben.key)).status).toBe(403);
    await setRole(service, project, ben.email, 'editor');
    expect((await upload({ file1: ['a.txt', 'a'] }, ben.key)).status).toBe(201);
    await service.sql('delete from project_member where project_id = $1 and role = $2', [project, 'editor']);
  });

  it('happens once for one Idempotency-Key', async () => {
    const send = (content: string) =>
      call('POST', '/api/v1/documents/', {
        body: formOf({ project: String(project) }, { file1: ['once.txt', content] }),
        headers: { 'Idempotency-Key': 'upload-1' },
      });
    const [first, again] = [await send('a'), await send('a')];
    expect(again.body[0].id).toBe(first.body[0].id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await send('b')).status).toBe(422);
  });

  it('is answered with the stored result when the first response was lost, and stores no second file', async () => {
    const send = () =>
      call('POST', '/api/v1/documents/', {
        body: formOf({ project: String(project) }, { file1: ['a.txt', 'unheard of'], file2: ['b.txt', 'as well'] }),
        headers: { 'Idempotency-Key': 'upload-2' },
      });
    const first = await send();
    await service.sql(
      `update idempotency_key set sealed_response = null, claimed_until = now() - interval '1 second' where key = 'upload-2'`,
    );
    const second = await send();
    expect(second.status).toBe(first.status);
    expect(second.body.map(({ id }: any) => id)).toEqual(first.body.map(({ id }: any) => id));
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    const unclaimed = () => service.sql('select 1 from document_file_removal');
    await eventually(unclaimed, rows => rows.length === 0);
  });
});

describe('a document', () => {
  it('is listed, newest first, to members of its project', async () => {
    const document = await uploadOne('listed 100%.txt');
    const { body } = await call('GET', '/api/v1/documents/?size=1');
    expect(body).toMatchObject({ page: 1, size: 1, items: [{ id: document.id }] });
    expect((await call('GET', '/api/v1/documents/', { key: ben.key })).body.items).toEqual([]);
    const found = await call('GET', `/api/v1/documents/?filename__icontains=100%25&project=${project}`);
    expect(found.body.items.map((item: any) => item.id)).toEqual([document.id]);
    expect(await call('GET', `/api/v1/documents/?project=${bensProject}`)).toMatchObject({
      status: 200,
      body: { total: 0, items: [] },
    });
  });

  it('is retrieved only by members of its project', async () => {
    const { id } = await uploadOne();
    expect((await call('GET', `/api/v1/documents/${id}/`)).body.id).toBe(id);
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { key: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const theirs = await call(method, `/api/v1/documents/${id}/`, { key: ben.key, body });
      expect(theirs).toMatchObject({ status: 404, body: NOT_FOUND });
      expect((await call(method, '/api/v1/documents/2000000000/', { body })).body).toEqual(theirs.body);
    }
  });

  it('changes what is sent and keeps the rest', async () => {
    const { id, result_file } = await uploadOne('before.txt');
    const path = `/api/v1/documents/${id}/`;
    expect((await call('PATCH', path, { body: { key: 'handbook' } })).body).toMatchObject({
      key: 'handbook',
      filename: 'before.txt',
      result_file,
    });
    expect((await call('PATCH', path, { body: { filename: '../after.txt', project: 7, id: 1 } })).body).toMatchObject({
      id,
      project,
      key: 'handbook',
      filename: 'after.txt',
    });
    expect((await call('PATCH', path, { body: {} })).body.key).toBe('handbook');
  });

  it.each([
    [{ key: null }, 'key'],
    [{ key: 'x'.repeat(256) }, 'key'],
    [{ filename: '' }, 'filename'],
    [{ filename: 7 }, 'filename'],
    [{ file: 'text' }, 'file'],
    [{ file: null }, 'file'],
  ])('refuses to change to %j', async (body, field) => {
    const { id } = await uploadOne();
    const answer = await call('PATCH', `/api/v1/documents/${id}/`, { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual([field]);
  });

  it('accepts a new file in place of the old one', async () => {
    const before = await uploadOne('old.txt', 'old');
    const form = formOf({ key: 'k' }, { file: ['new.pdf', pdf(['New'])] });
    const { status, body } = await call('PATCH', `/api/v1/documents/${before.id}/`, { body: form });
    expect(status).toBe(200);
    expect(body).toMatchObject({ key: 'k', filename: 'new.pdf', content_type: 'application/pdf' });
    expect(Buffer.from(await (await fetch(body.result_url)).arrayBuffer())).toEqual(pdf(['New']));
    expect((await fetch(before.result_url)).status).toBe(404);
  });

  it('that two callers change at once has the file of one of them, and the other file is removed', async () => {
    const { id } = await uploadOne('raced.txt', 'before');
    const send = (content: string) =>
      call('PATCH', `/api/v1/documents/${id}/`, { body: formOf({}, { file: [`${content}.txt`, content] }) });
    const answers = await Promise.all([send('one'), send('two')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await call('GET', `/api/v1/documents/${id}/`);
    expect(`${await (await fetch(body.result_url)).text()}.txt`).toBe(body.filename);
    const lost = answers.map(answer => answer.body).find(({ result_file }) => result_file !== body.result_file);
    expect((await fetch(lost.result_url)).status).toBe(404);
    await eventually(
      () => service.sql('select 1 from document_file_removal where result_file = $1', [lost.result_file]),
      rows => rows.length === 0,
    );
  });

  it('is deleted once when two callers delete it at once', async () => {
    const { id } = await uploadOne();
    const path = `/api/v1/documents/${id}/`;
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });

  it('is deleted with its file', async () => {
    const { id, result_url } = await uploadOne();
    expect(await call('DELETE', `/api/v1/documents/${id}/`)).toMatchObject({ status: 204, body: null });
    expect((await call('GET', `/api/v1/documents/${id}/`)).status).toBe(404);
    expect((await fetch(result_url)).status).toBe(404);
  });

  it('is deleted with its project, file included', async () => {
    const other = (await call('POST', '/api/v1/projects/', { body: { name: 'Gone' } })).body.id;
    const [{ result_url }] = (await upload({ file1: ['a.txt', 'a'] }, ann.key, other)).body;
    await call('DELETE', `/api/v1/projects/${other}/`);
    const { id } = await uploadOne();
    await call('DELETE', `/api/v1/documents/${id}/`);
    await eventually(
      () => service.sql('select 1 from document_file_removal where due_at <= now()'),
      rows => rows.length === 0,
    );
    expect((await fetch(result_url)).status).toBe(404);
  });
});

describe('a link to a file', () => {
  it('returns the file to every holder, as an attachment of its type', async () => {
    const { result_url } = await uploadOne('Größe 😀.txt', '<script>alert(1)</script>');
    const answer = await fetch(result_url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('<script>alert(1)</script>');
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%F0%9F%98%80.txt");
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  it('is only valid with its signature', async () => {
    const { result_url } = await uploadOne();
    const [claim, signature] = result_url.split('/').at(-1).split('.');
    const forged = Buffer.from(Buffer.from(claim, 'base64url').toString().replace(/^./, 'z')).toString('base64url');
    for (const token of [`${forged}.${signature}`, `${claim}.x`, claim, 'x', '.', '%00', '..%2f..%2fetc%2fpasswd'])
      expect((await fetch(`${service.url}/files/${token}`)).status).toBe(404);
    // The same bytes in another encoding.
    const next = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 1);
    const tail = signature.slice(0, -1) + next(signature.at(-1));
    expect(Buffer.from(tail, 'base64url').equals(Buffer.from(signature, 'base64url'))).toBe(true);
    for (const token of [
      `${claim}.${tail}`,
      `${claim}=.${signature}`,
      `${claim}.${signature}=`,
      `${claim}.${signature}.x`,
      `${claim}.${signature}!`,
    ])
      expect([token, (await fetch(`${service.url}/files/${token}`)).status]).toEqual([token, 404]);
  });

  it('is invalid after an hour', async () => {
    const { result_url } = await uploadOne();
    const real = Date.now;
    Date.now = () => real() + 3_601_000;
    try {
      const answer = await fetch(result_url);
      expect(answer.status).toBe(410);
      expect(await answer.json()).toEqual({ code: 'gone', detail: expect.stringContaining('expired') });
    } finally {
      Date.now = real;
    }
  });
});
