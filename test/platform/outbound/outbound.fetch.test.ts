import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { codeOf, createClient, startServer } from './outbound-client.js';

describe('fetch', () => {
  test('sends and receives like the built-in one', async () => {
    const { url } = await startServer((request, response) => {
      void text(request).then(body => {
        response.writeHead(201, [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['content-type', 'application/json'],
        ] as never);
        response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'], body }));
      });
    });
    const response = await createClient({ trusted: true }).fetch(new URL('/x', url), {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
    });
    expect(response).toMatchObject({ status: 201, ok: true, url: `${url}/x`, redirected: false });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toEqual({
      method: 'POST',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      body: 'a=b',
    });
  });

  test('delivers the events of a stream as they come', async () => {
    let release = () => {};
    const { url } = await startServer((_request, response) => {
      response.write('data: one\n\n');
      release = () => response.end('data: two\n\n');
    });
    const response = await createClient({ trusted: true }).fetch(url);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader.read()).toEqual({ done: false, value: 'data: one\n\n' });
    release();
    expect(await reader.read()).toEqual({ done: false, value: 'data: two\n\n' });
    expect((await reader.read()).done).toBe(true);
  });

  test('respects the redirect mode', async () => {
    const { url } = await startServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
      else response.end('there');
    });
    const outbound = createClient({ trusted: true });
    expect(await outbound.fetch(url)).toMatchObject({ status: 200, redirected: true, url: `${url}/next` });
    expect(await outbound.fetch(url, { redirect: 'manual' })).toMatchObject({ status: 302, redirected: false });
    expect(await codeOf(outbound.fetch(url, { redirect: 'error' }))).toBe('too_many_redirects');
  });

  test('gives answers without a body their status', async () => {
    const { url } = await startServer((_request, response) => response.writeHead(204).end());
    const response = await createClient({ trusted: true }).fetch(url, { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });
});
