import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type HttpCaller, type HttpRequest, PortError } from '../../src/engine/ports.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { createHttpCaller } from '../../src/providers/http.js';
import { serveHttp } from '../support/upstreams/loopback-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

async function startServerWithCaller(
  listener: RequestListener,
): Promise<{ http: HttpCaller; url: string; port: number }> {
  const server = await serveHttp(listener);
  const outbound = createOutbound({ allow: [`127.0.0.1:${server.port}`] });
  open.push(server, outbound);
  return { http: createHttpCaller(outbound), url: server.url, port: server.port };
}

const call = { signal: new AbortController().signal, idempotencyKey: 'run:node' };
const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {}, maxResponseBytes: 1000 });

const LATIN1_XML = '<?xml version="1.0" encoding="ISO-8859-1"?>';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('createHttpCaller', () => {
  test.each([
    ['text/plain', Buffer.from('grüß'), 'grüß'],
    ['text/plain; charset=utf-8', Buffer.from('grüß'), 'grüß'],
    ['text/html; charset="ISO-8859-1"', Buffer.from('grüß', 'latin1'), 'grüß'],
    ['text/plain;charset=windows-1251', Buffer.from([0xcf, 0xf0]), 'Пр'],
    ['text/plain; charset=utf-16le', Buffer.from('grüß', 'utf16le'), 'grüß'],
    ['text/plain; charset=klingon', Buffer.from('grüß'), 'grüß'],
    ['application/json', Buffer.from('\uFEFF{}'), '{}'],
    ['application/xml', latin1(`${LATIN1_XML}ü`), `${LATIN1_XML}ü`],
    ['application/xml; charset=utf-8', Buffer.from(`${LATIN1_XML}ü`), `${LATIN1_XML}ü`],
    ['application/xml; charset=utf-8', Buffer.from('\uFEFF<a>ü</a>', 'utf16le'), '<a>ü</a>'],
    ['application/xml', Buffer.from('\uFEFF<a>ü</a>', 'utf16le').swap16(), '<a>ü</a>'],
    ['application/xml', Buffer.from('<?xml version="1.0"?><a>ü</a>', 'utf16le'), '<?xml version="1.0"?><a>ü</a>'],
    [
      'application/xml',
      Buffer.from('<?xml version="1.0" encoding="utf-16"?>ü'),
      '<?xml version="1.0" encoding="utf-16"?>ü',
    ],
    ['text/html', latin1('<meta charset="iso-8859-1">ü'), '<meta charset="iso-8859-1">ü'],
    ['text/plain', Buffer.from('<meta charset="iso-8859-1">ü'), '<meta charset="iso-8859-1">ü'],
    ['text/csv', Buffer.from('\uFEFFa,ü', 'utf16le'), 'a,ü'],
  ])('reads a body of type %s', async (type, bytes, expected) => {
    const { http, url } = await startServerWithCaller((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(bytes),
    );
    expect((await http.request(get(url), call)).body).toBe(expected);
  });

  test('keeps the bytes of a binary body, and returns no text for it', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0x00, 0x62]);
    const { http, url } = await startServerWithCaller((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes),
    );
    const answer = await http.request(get(url), call);
    expect([answer.body, Buffer.from(answer.bytes ?? [])]).toEqual(['', bytes]);
  });

  test('returns status and headers of any response', async () => {
    const { http, url } = await startServerWithCaller((_request, response) =>
      response.writeHead(418, { 'X-Tea': 'green' }).end(),
    );
    const answer = await http.request(get(url), call);
    expect(answer).toMatchObject({ status: 418, body: '' });
    expect(answer.headers['x-tea']).toBe('green');
  });

  test.each([
    ['POST', {}, 'run:node'],
    ['PATCH', {}, 'run:node'],
    ['POST', { 'Idempotency-Key': 'own' }, 'own'],
    ['GET', {}, undefined],
    ['PUT', {}, undefined],
    ['DELETE', {}, undefined],
  ])('sends with %s and the headers %j the Idempotency-Key %s', async (method, headers, expected) => {
    const { http, url } = await startServerWithCaller((request, response) =>
      response.end(String(request.headers['idempotency-key'])),
    );
    const answer = await http.request({ ...get(url), method, headers: headers as Record<string, string> }, call);
    expect(answer.body).toBe(String(expected));
  });

  test('names the allowed addresses when it refuses one', async () => {
    const { http } = await startServerWithCaller(() => {});
    const refused = http.request(get('http://169.254.169.254/latest/meta-data'), call);
    await expect(refused).rejects.toBeInstanceOf(PortError);
    await expect(refused).rejects.toMatchObject({
      code: 'address_refused',
      message: expect.stringMatching(/^The address is not allowed\. Allowed: public http and https addresses/),
    });
  });

  test('follows redirects, but not to a forbidden address', async () => {
    const { http, url } = await startServerWithCaller((request, response) => {
      if (request.url === '/next') response.end('there');
      else response.writeHead(302, { location: request.url === '/near' ? '/next' : 'http://127.0.0.1:1/' }).end();
    });
    expect((await http.request(get(`${url}/near`), call)).body).toBe('there');
    await expect(http.request(get(`${url}/away`), call)).rejects.toMatchObject({ code: 'address_refused' });
  });

  test.each([
    [
      'a body over the limit',
      ((_request, response) => response.end('x'.repeat(1001))) as RequestListener,
      'response_too_large',
    ],
    ['a reset', (request => request.socket.resetAndDestroy()) as RequestListener, 'connection_failed'],
  ])('reports %s', async (_title, listener, code) => {
    const { http, url } = await startServerWithCaller(listener);
    await expect(http.request(get(url), call)).rejects.toMatchObject({ name: 'PortError', code });
  });

  test('ends with the reason of the signal', async () => {
    const controller = new AbortController();
    const { http, url } = await startServerWithCaller(() => controller.abort(new Error('node timed out')));
    await expect(http.request(get(url), { ...call, signal: controller.signal })).rejects.toThrow('node timed out');
  });
});
