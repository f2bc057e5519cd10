import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { chain, type GraphNode, http, node, output, trigger } from '../support/graphs.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { docx, png } from '../support/sample-documents.js';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';

const PNG_SIGNATURE = Uint8Array.from(png('A').subarray(0, 8));
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

// The bundle contains its own copy of the libraries, so the service runs from it and in its own process.
describe('the bundle stores a file that begins like a known format and ends early', () => {
  let service: ServiceProcess;
  let site: LoopbackServer;
  let project: number;

  const call = async (method: string, path: string, body?: object) => {
    const isForm = body instanceof FormData;
    const type: Record<string, string> = body && !isForm ? { 'Content-Type': 'application/json' } : {};
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { 'X-Api-Key': ADMIN_KEY, ...type },
      body: isForm ? body : JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };

  const createWorkflow = async (...nodes: GraphNode[]): Promise<number> => {
    const body = { project, title: 'W', data: chain(...nodes) };
    return (await call('POST', '/api/v1/workflows/', body)).body.id;
  };

  async function runNode(tested: GraphNode) {
    const workflow = await createWorkflow(trigger(), tested, output('{{ previous.content }}'));
    const { body } = await call('POST', `/api/v1/workflows/${workflow}/run/`, {});
    const { data } = (
      await eventually(
        () => call('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`),
        answer => ['succeed', 'failed'].includes(answer.body.data.status),
      )
    ).body;
    return data;
  }

  const createTrigger = async (workflow: number, settings: object): Promise<string> =>
    (await call('POST', `/api/v1/workflows/${workflow}/triggers/`, { name: 'T', ...settings })).body.path;

  beforeAll(async () => {
    site = await serveHttp((_request, response) => void response.end(PNG_SIGNATURE));
    service = await startProcess(testEnvironment(await createDatabase()));
    project = (await call('POST', '/api/v1/projects/', { name: 'Truncated' })).body.id;
  });
  afterAll(async () => {
    await service?.end();
    await site?.close();
  });

  it.each([
    ['ID3', bytes('ID3'), 'text/plain'],
    ['ID3 after a byte order mark', bytes('\xef\xbb\xbfID3'), 'text/plain'],
    ['Ogg', bytes('OggS'), 'text/plain'],
    ['an archive', bytes('!<arch>\n'), 'text/plain'],
    ['8 bytes of PNG', PNG_SIGNATURE, 'application/octet-stream'],
    ['12 bytes of PNG', Uint8Array.from(png('A').subarray(0, 12)), 'application/octet-stream'],
    ['Matroska', bytes('\x1a\x45\xdf\xa3'), 'text/plain'],
    ['10 bytes of DOCX', Uint8Array.from(docx(['a']).subarray(0, 10)), expect.any(String)],
    ['40 bytes of DOCX', Uint8Array.from(docx(['a']).subarray(0, 40)), expect.any(String)],
  ])('as a document: %s', async (_, content, type) => {
    const files = formOf({ project: String(project) }, { file1: ['a.txt', content], file2: ['b.py', 'pass'] });
    const { status, body } = await call('POST', '/api/v1/documents/', files);
    expect([status, body.map(({ filename }: any) => filename)]).toEqual([201, ['a.txt', 'b.py']]);
    expect(body[0]).toMatchObject({ size: content.length, content_type: type });
    const replaced = await call('PATCH', `/api/v1/documents/${body[1].id}/`, formOf({}, { file: ['c.txt', content] }));
    expect(replaced).toMatchObject({ status: 200, body: { filename: 'c.txt', size: content.length } });
  });

  it('as a file of a project', async () => {
    const form = formOf({ project: String(project) }, { file: ['a.txt', 'ID3'] });
    expect(await call('POST', '/api/v1/files/', form)).toMatchObject({ status: 201, body: { size: 3 } });
  });

  it('that a form or a webhook receives', async () => {
    const paper = { id: 'paper', title: 'Paper', type: 'file' };
    const forms = await createWorkflow(trigger(paper), output('{{ input.paper.size }} bytes'));
    const path = await createTrigger(forms, { form: { shows_result: true } });
    const html = await (await fetch(service.url + path)).text();
    const submission = /name="_submission" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const body = formOf({ _submission: submission }, { paper: ['a.txt', 'ID3'] });
    const submitted = await fetch(service.url + path, { method: 'POST', body });
    expect([submitted.status, await submitted.text()]).toEqual([200, expect.stringContaining('3 bytes')]);
    const hooks = await createWorkflow(trigger(), output('{{ input.body.picture.size }} bytes'));
    const hook = await createTrigger(hooks, { webhook: { reply: 'result' } });
    const form = formOf({}, { picture: ['a.png', PNG_SIGNATURE] });
    const received = await fetch(service.url + hook, { method: 'POST', body: form });
    expect([received.status, await received.text()]).toEqual([200, '8 bytes']);
  });

  it.each([
    ['file', 3, () => node('file-node', { operation: 'write', file_name: 'id.txt', content: 'ID3' })],
    ['code', 3, () => node('code-node', { code: 'return saveFile("id.txt", "ID3")' })],
    ['HTTP', 8, () => http(site.url)],
    ['HTTP', 8, () => http(site.url, { response: 'file' })],
  ])('that a node creates: %s', async (_, size, tested) => {
    const { status, output: content } = await runNode(tested());
    expect({ status, content: JSON.stringify(content) }).toMatchObject({
      status: 'succeed',
      content: expect.stringContaining(`size\\":${size}`),
    });
  });
});
