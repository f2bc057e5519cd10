import { type FileHandle, open, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { png } from '../support/sample-documents.js';
import { startTestService, type TestService } from '../support/service.js';

const MIB = 1024 * 1024;
const folder = path.join(process.env.TEST_DATA_DIR as string, 'uploads-test');

let service: TestService;
let project: number;

beforeAll(async () => {
  service = await startTestService({ storage: { kind: 'file', folder }, maxUploadBytes: MIB });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'p' } })).body.id;
});
afterAll(() => service?.stop());

const upload = (files: Parameters<typeof formOf>[1]) =>
  service.rest('POST', '/api/v1/documents/', { body: formOf({ project: String(project) }, files) });

/** Every stored or arriving file. */
async function stored(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
}

/** Sends a request while the given flush of a file fails. A file is flushed after the form has been parsed. */
async function withFullDisk<T>(failing: number, send: () => Promise<T>): Promise<T> {
  const file = await open(folder);
  const prototype: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const { sync } = prototype;
  let flushes = 0;
  const spy = jest.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    if (++flushes === failing) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await sync.call(this);
  });
  try {
    return await send();
  } finally {
    spy.mockRestore();
    expect(flushes).toBeGreaterThanOrEqual(failing);
  }
}

describe('a file’s name', () => {
  it.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['line\r\nbreak.txt', expect.stringMatching(/^line.*break\.txt$/)],
    ['😀 ünï.pdf', '😀 ünï.pdf'],
    ['..', 'file'],
    ['\u202etxt.exe', 'txt.exe'],
    [`${'x'.repeat(4096)}.txt`, `${'x'.repeat(251)}.txt`],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
  ])('is harmless: %j', async (name, kept) => {
    const { status, body } = await upload({ file1: [name, 'x'] });
    expect(status).toBe(201);
    expect(body[0].filename).toEqual(kept);
    for (const file of await stored()) expect(path.basename(file)).toMatch(/^[0-9a-f]{32}(\.[a-z0-9]+)?$/);
    expect((await fetch(body[0].result_url)).status).toBe(200);
  });

  it('may contain an encoded null character, and an unencoded one makes the form invalid', async () => {
    const form = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="project"\r\n\r\n${project}\r\n--b\r\nContent-Disposition: form-data; name="file1"; ${name}\r\n\r\nx\r\n--b--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const encoded = await service.rest('POST', '/api/v1/documents/', {
      body: form("filename*=UTF-8''nul%00byte.txt"),
      headers,
    });
    expect(encoded).toMatchObject({ status: 201, body: [{ filename: 'nulbyte.txt' }] });
    const raw = await service.rest('POST', '/api/v1/documents/', { body: form('filename="a\u0000b.txt"'), headers });
    expect(raw).toMatchObject({ status: 400, body: { code: 'parse_error' } });
  });

  it('does not decide the type of the file', async () => {
    const { body } = await upload({
      file1: ['invoice.pdf', png('HELLO', 1)],
      file2: ['page.txt', '<!doctype html><p>x'],
    });
    expect(body.map((document: any) => document.content_type)).toEqual(['image/png', 'text/html']);
  });
});

describe('an upload that fails leaves no file behind', () => {
  it('when a file is too large', async () => {
    const before = await stored();
    const answer = await upload({ file1: ['small.txt', 'x'], file2: ['large.bin', Buffer.alloc(MIB + 1)] });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect(await stored()).toEqual(before);
    expect((await upload({ file1: ['exact.bin', Buffer.alloc(MIB)] })).status).toBe(201);
  });

  it('when the input is wrong', async () => {
    const before = await stored();
    const form = formOf({ project: '2000000000' }, { file1: ['a.txt', 'a'] });
    expect((await service.rest('POST', '/api/v1/documents/', { body: form })).status).toBe(400);
    expect(await stored()).toEqual(before);
  });

  it.each([1, 2])('when the disk is full at the end of the form, for file %i of 2', async failing => {
    const before = await stored();
    const files = { file1: ['a.txt', 'a'], file2: ['b.txt', 'b'] } satisfies Parameters<typeof formOf>[1];
    expect(await withFullDisk(failing, () => upload(files))).toMatchObject({ status: 503 });
    expect(await stored()).toEqual(before);
  });

  it('when the disk is full at the end of a replacement', async () => {
    const [document] = (await upload({ file1: ['a.txt', 'a'] })).body;
    const before = await stored();
    const body = formOf({}, { file: ['b.txt', 'b'] });
    const replace = () => service.rest('PATCH', `/api/v1/documents/${document.id}/`, { body });
    expect(await withFullDisk(1, replace)).toMatchObject({ status: 503 });
    expect(await stored()).toEqual(before);
  });

  it('when the client closes the connection in the middle', async () => {
    const before = await stored();
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/v1/documents/ HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${service.key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 500000\r\n\r\n`;
    socket.write(
      `${head}--b\r\nContent-Disposition: form-data; name="file1"; filename="a.txt"\r\n\r\n${'x'.repeat(1000)}`,
    );
    await eventually(stored, files => files.length > before.length);
    socket.destroy();
    await eventually(stored, files => files.length === before.length);
  });

  it('when the caller has no credentials', async () => {
    const before = await stored();
    const form = formOf({ project: String(project) }, { file1: ['a.txt', 'a'] });
    expect((await service.rest('POST', '/api/v1/documents/', { body: form, key: 'sk-wrong' })).status).toBe(401);
    expect(await stored()).toEqual(before);
  });
});

describe('by GraphQL', () => {
  const query =
    'mutation ($p: Int!, $files: [Upload!]!) { documentUpload(projectId: $p, files: $files) { documents { id filename size resultUrl } errors { path message } } }';
  const proof = () => ({ 'X-Api-Key': service.key });
  const send = async (files: [string, string | Uint8Array][], headers: Record<string, string> = proof()) => {
    const variables = { p: project, files: files.map(() => null) };
    const form = new FormData();
    form.append('operations', JSON.stringify({ query, variables }));
    form.append(
      'map',
      JSON.stringify(Object.fromEntries(files.map((_, index) => [index, [`variables.files.${index}`]]))),
    );
    for (const [index, [name, content]] of files.entries())
      form.append(String(index), new Blob([content as Uint8Array<ArrayBuffer>]), name);
    const answer = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      body: form,
      headers,
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };

  it('files come in a multipart request', async () => {
    const { status, body } = await send([
      ['a.txt', 'A'],
      ['größe.txt', 'BB'],
    ]);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    expect(body.data.documentUpload.documents).toMatchObject([
      { filename: 'a.txt', size: 1 },
      { filename: 'größe.txt', size: 2 },
    ]);
    expect(await (await fetch(body.data.documentUpload.documents[1].resultUrl)).text()).toBe('BB');
  });

  it('a form of another site is refused, and so is one without credentials', async () => {
    const before = await stored();
    const refused = await send([['a.txt', 'A']], {});
    expect([refused.status, refused.body.errors[0].message]).toEqual([400, expect.stringContaining('X-Api-Key, Auth')]);
    expect((await send([['a.txt', 'A']], { 'X-Api-Key': '' })).status).toBe(400);
    expect((await send([['a.txt', 'A']], { 'X-Api-Key': 'sk-wrong' })).status).toBe(401);
    expect((await send([['a.txt', 'A']], { Authorization: 'Basic eDp4' })).status).toBe(401);
    expect((await send([['a.txt', 'A']], { 'Apollo-Require-Preflight': '1' })).status).toBe(401);
    expect(await stored()).toEqual(before);
  });

  it('the same limits hold', async () => {
    const before = await stored();
    const large = await send([['large.bin', Buffer.alloc(MIB + 1)]]);
    expect(large.body.errors[0].extensions.code).toBe('PAYLOAD_TOO_LARGE');
    const many = await send(Array.from({ length: 6 }, () => ['a.txt', 'a']));
    expect(many.status).toBe(413);
    expect(many.body.errors[0].extensions.code).toBe('PAYLOAD_TOO_LARGE');
    const { errors } = (await send([])).body.data.documentUpload;
    expect(errors).toEqual([{ path: ['files'], message: expect.stringContaining('1-5') }]);
    expect(await stored()).toEqual(before);
  });

  it('a file cannot be given as a text', async () => {
    const { errors } = await service.graphql(query, { p: project, files: ['/etc/passwd'] });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});
