import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { codeOf, createClient, get, startServer } from './outbound-client.js';

describe('response sizes', () => {
  test('are limited by the declared length, before the body is read', async () => {
    const { url } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': 10_000_000 }).flushHeaders();
    });
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe('response_too_large');
  });

  test('are limited while an endless body comes in', async () => {
    const { url } = await startServer((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', more).on('error', () => {});
      more();
    });
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe('response_too_large');
    const { body } = await createClient({ trusted: true }).open(get(url));
    expect(await codeOf(text(body))).toBe('response_too_large');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('are limited for a %s bomb', async (coding, compress) => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    const { url } = await startServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bomb),
    );
    const before = process.memoryUsage().arrayBuffers;
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe('response_too_large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  test('are limited for a bomb inside a bomb', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    const { url } = await startServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb),
    );
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe('response_too_large');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('are measured decoded, and %s is decoded', async (coding, compress) => {
    const { url } = await startServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(compress('plain text')),
    );
    const answer = await createClient({ trusted: true }).request(get(url, { maxResponseBytes: 100 }));
    expect(answer.body.toString()).toBe('plain text');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test.each([
    ['an unknown coding', 'snappy', Buffer.from('x')],
    ['a wrong coding', 'gzip', Buffer.from('not gzip at all')],
    ['a cut coding', 'gzip', gzipSync('a'.repeat(1000)).subarray(0, 15)],
    ['three codings', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('x')))],
  ])('do not hide %s', async (_title, coding, bytes) => {
    const { url } = await startServer((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe('bad_response');
  });

  test('do not fail answers without a body, whatever their coding', async () => {
    const { url } = await startServer((request, response) =>
      response.writeHead(request.url === '/304' ? 304 : 200, { 'content-encoding': 'gzip' }).end(),
    );
    const outbound = createClient({ trusted: true });
    expect((await outbound.request(get(url, { method: 'HEAD' }))).body.length).toBe(0);
    expect((await outbound.request(get(`${url}/304`))).status).toBe(304);
    expect((await outbound.request(get(`${url}/200`))).body.length).toBe(0);
  });
});
