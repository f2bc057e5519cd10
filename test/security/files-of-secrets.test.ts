import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesMasker } from '../../src/engine/files/secret-bytes.js';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { chain, field, type GraphNode, http, node, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';

const SECRET = 'St0redDefault77';
const STARS = '*'.repeat(SECRET.length);

describe('bytes of a file', () => {
  const masker = bytesMasker([SECRET]);
  const mask = async (text: string) => Buffer.from(await masker(Buffer.from(text))).toString();

  it('have `*` in place of each byte of a secret, in every spelling that texts are masked in', async () => {
    expect(await mask(`a ${SECRET} b ${SECRET.toUpperCase()}`)).toBe(`a ${STARS} b ${STARS}`);
    expect(await mask(btoa(`me:${SECRET}`))).not.toContain(btoa(`me:${SECRET}`).slice(6, 20));
    expect(Buffer.from(await bytesMasker(['pässwörter'])(Buffer.from('pässwörter!'))).toString()).toBe(
      `${'*'.repeat(12)}!`,
    );
  });

  it('are searched across the parts of a large file', async () => {
    for (const at of [256 * 1024 - 7, 512 * 1024 - 1, 600_000]) {
      const bytes = Buffer.alloc(700_000, 'x');
      bytes.write(SECRET, at);
      const masked = Buffer.from(await masker(bytes));
      expect(masked.toString('latin1', at - 1, at + SECRET.length + 1)).toBe(`x${STARS}x`);
      expect(masked.length).toBe(bytes.length);
    }
  });

  it('are not copied without a secret', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await masker(bytes)).toBe(bytes);
    expect(await bytesMasker([])(bytes)).toBe(bytes);
  });
});

describe('a file that a run with a secret writes', () => {
  let service: TestService;
  let site: LoopbackServer;
  let project: number;

  beforeAll(async () => {
    site = await serveHttp((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`got ${request.headers['x-secret']}`);
    });
    service = await startTestService({ outboundAllow: ['127.0.0.1'] });
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Files' } })).body.id;
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  async function filesOf(written: GraphNode): Promise<{ name: string; text: string }[]> {
    const secret = field('s', { type: 'text', is_secret: true, default_value: SECRET });
    const data = chain(trigger(secret), written, output());
    const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
    const started = await service.rest('POST', `/api/v1/workflows/${body.id}/run/`, { body: {} });
    const { id } = started.body.data;
    expect((await awaitFinish(service, id, service.key)).status).toBe('succeed');
    const { items } = (await service.rest('GET', `/api/v1/projects/${project}/files/?run_id=${id}`)).body;
    return Promise.all(
      items.map(async ({ name, url }: { name: string; url: string }) => ({
        name,
        text: await (await fetch(url)).text(),
      })),
    );
  }

  it.each([
    [
      'a file node',
      () => node('file-node', { operation: 'write', file_name: '{{ input.s }}.txt', content: 'a {{ input.s }}' }),
      { name: '********.txt', text: `a ${STARS}` },
    ],
    [
      'a code node',
      () => node('code-node', { code: 'return saveFile(input.s + ".txt", "b " + input.s)', timeout_seconds: 30 }),
      { name: '********.txt', text: `b ${STARS}` },
    ],
    [
      'an HTTP node that stores the response',
      () =>
        http(`${site.url}/echo`, {
          method: 'GET',
          headers: { 'x-secret': '{{ input.s }}' },
          response: 'file',
          file_name: '{{ input.s }}.txt',
        }),
      { name: expect.not.stringContaining(SECRET), text: `got ${STARS}` },
    ],
  ])('has no secret in its name or content: %s', async (_title, written, expected) => {
    expect(await filesOf(written())).toEqual([expected]);
  });
});
