import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { serveHttp } from '../../support/upstreams/loopback-server.js';
import { codeOf, createClient, get, startServer, startTcpServer } from './outbound-client.js';

describe('time limits', () => {
  const timeoutMs = 150;

  test('end a call to a server that never answers', async () => {
    const { url } = await startServer(() => {});
    expect(await codeOf(createClient({ trusted: true }).request(get(url, { timeoutMs })))).toBe('timeout');
  });

  test('end a call to a server that trickles its body', async () => {
    const { url } = await startServer((_request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await codeOf(createClient({ trusted: true }).request(get(url, { timeoutMs })))).toBe('timeout');
  });

  test('end a call to a server that trickles its headers', async () => {
    const { url } = await startTcpServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await codeOf(createClient({ trusted: true }).request(get(url, { timeoutMs })))).toBe('timeout');
  });

  test('cover the name lookup', async () => {
    const resolve = () => new Promise<never>(() => {});
    const outbound = createOutbound({ allow: [], resolve });
    expect(await codeOf(outbound.request(get('http://slow.example/', { timeoutMs })))).toBe('timeout');
  });

  test('do not affect a stream after its headers', async () => {
    const { url } = await startServer((_request, response) => {
      response.write('first ');
      setTimeout(() => response.end('last'), 3_200);
    });
    const answer = await createClient({ trusted: true }).open(get(url, { timeoutMs: 3_000 }));
    expect(await text(answer.body)).toBe('first last');
  });
});

describe('the signal', () => {
  test('ends a call with its own reason and closes the connection', async () => {
    const controller = new AbortController();
    const closed: Promise<unknown>[] = [];
    const { url } = await startServer((request, response) => {
      response.write('begun');
      closed.push(once(request.socket, 'close'));
      controller.abort(new Error('cancelled by the user'));
    });
    await expect(createClient({ trusted: true }).request(get(url, { signal: controller.signal }))).rejects.toThrow(
      'cancelled by the user',
    );
    expect(closed).toHaveLength(1);
    await closed[0];
  });

  test('ends a stream while it is read', async () => {
    const controller = new AbortController();
    const { url } = await startServer((_request, response) => response.write('begun'));
    const answer = await createClient({ trusted: true }).open(get(url, { signal: controller.signal }));
    answer.body.once('data', () => controller.abort(new Error('client gone')));
    await expect(text(answer.body)).rejects.toThrow('client gone');
  });

  test('ends a call before it begins', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(createClient({ trusted: true }).request(get('http://a.example/', { signal }))).rejects.toThrow(
      'too late',
    );
  });
});

describe('broken servers', () => {
  test.each([
    ['closes immediately', '', 'connection_failed'],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'bad_response'],
    ['ends in the middle of the headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'connection_failed'],
    ['ends in the middle of the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', 'connection_failed'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(200)}`, 'bad_response'],
    ['sends two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'bad_response'],
  ])('fail a call when one %s', async (_title, bytes, code) => {
    const { url } = await startTcpServer(socket => socket.once('data', () => socket.end(bytes)));
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe(code);
  });

  test('fail a call when one resets the connection', async () => {
    const { url } = await startTcpServer(socket => socket.once('data', () => socket.resetAndDestroy()));
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe('connection_failed');
  });

  test('fail a call to a closed port', async () => {
    const { url, close } = await serveHttp(() => {});
    await close();
    expect(await codeOf(createClient({ trusted: true }).request(get(url)))).toBe('connection_failed');
  });

  test('fail a call when the name is unknown', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await codeOf(createClient({ resolve }).request(get('http://nowhere.example/')))).toBe('dns_failed');
    expect(await codeOf(createClient({ resolve: async () => [] }).request(get('http://nowhere.example/')))).toBe(
      'dns_failed',
    );
  });
});
