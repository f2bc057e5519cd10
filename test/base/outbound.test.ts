import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { OutboundError } from '../../src/base/outbound/errors.js';
import { createOutbound, type Outbound, type OutboundOptions, type OutboundRequest } from '../../src/base/outbound.js';
import { type LoopbackServer, serveHttp, serveTcp } from './loopback-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

function client(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allow: [], ...options });
  open.push(outbound);
  return outbound;
}

async function server(listener: RequestListener): Promise<LoopbackServer> {
  const started = await serveHttp(listener);
  open.push(started);
  return started;
}

async function tcpServer(onConnection: Parameters<typeof serveTcp>[0]): Promise<LoopbackServer> {
  const started = await serveTcp(onConnection);
  open.push(started);
  return started;
}

const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  signal: new AbortController().signal,
  maxResponseBytes: 1024 * 1024,
  ...more,
});

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no error',
    (error: OutboundError) => error.code ?? String(error),
  );

/** Accepts connections and counts them: a refused address must never be connected to. */
async function loopbackCounter() {
  const counter = { connections: 0, port: 0 };
  const started = await tcpServer(socket => {
    counter.connections++;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  counter.port = started.port;
  return counter;
}

const forbiddenHosts = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '0177.1',
  '127.0.0.0x1',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  'ⓛocalhost',
  'localhost',
  'LOCALHOST',
  'localhost.',
  '0',
  '0.0.0.0',
  '0x0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[::ffff:0:127.0.0.1]',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[fd00:ec2::254]',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '10.0.0.1',
  '10.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.257',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '203.0.113.5',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[4000::1]',
];

describe('createOutbound', () => {
  test.each(forbiddenHosts)('refuses http://%s', async host => {
    const counter = await loopbackCounter();
    const error = (await client()
      .request(get(`http://${host}:${counter.port}/`, { timeoutMs: 5_000 }))
      .catch((caught: unknown) => caught)) as OutboundError;
    expect(error).toMatchObject({
      code: 'address_refused',
      message: 'The address is not allowed. Allowed: public http and https addresses.',
    });
    expect(counter.connections).toBe(0);
  });

  test('refuses the same addresses over https and through fetch', async () => {
    expect(await codeOf(client().request(get('https://127.0.0.1:1/')))).toBe('address_refused');
    expect(await codeOf(client().fetch('http://[::ffff:127.0.0.1]:1/'))).toBe('address_refused');
  });

  test.each([
    ['a name that resolves to loopback', ['127.0.0.1']],
    ['a name with a private address among public ones', ['93.184.215.14', '10.0.0.1']],
    ['a name with a private address after a public IPv6 one', ['2606:4700::1', '::1']],
    ['a name that resolves to an IPv4-mapped address', ['::ffff:127.0.0.1']],
    ['a name that resolves to a link-local address with a zone', ['fe80::1%eth0']],
    ['a name that resolves to nonsense', ['localhost']],
  ])('refuses %s', async (_title, addresses) => {
    const counter = await loopbackCounter();
    const resolve = async () => addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));
    expect(await codeOf(client({ resolve }).request(get(`http://public.example:${counter.port}/`)))).toBe(
      'address_refused',
    );
    expect(counter.connections).toBe(0);
  });

  test('connects to the address it checked, whatever the name resolves to next', async () => {
    const counter = await loopbackCounter();
    const answers = ['127.0.0.2', '127.0.0.1'];
    let lookups = 0;
    const resolve = async () => [{ address: answers[lookups++] ?? '127.0.0.1', family: 4 }];
    const outbound = client({ allow: [`127.0.0.2:${counter.port}`], resolve });
    // The server listens on 127.0.0.1 alone: had the second answer been used, the call would have arrived.
    expect(await codeOf(outbound.request(get(`http://rebind.example:${counter.port}/`)))).toBe('connection_failed');
    expect(await codeOf(outbound.request(get(`http://rebind.example:${counter.port}/`)))).toBe('address_refused');
    expect(counter.connections).toBe(0);
  });

  test.each([
    ['an address', (port: number) => [`127.0.0.1:${port}`], '127.0.0.1'],
    ['an address without port', () => ['127.0.0.1'], '127.0.0.1'],
    ['a CIDR', () => ['127.0.0.0/8'], '127.0.0.1'],
    ['a CIDR, in another spelling', () => ['127.0.0.0/8'], '2130706433'],
    ['a CIDR, by a name', () => ['127.0.0.0/8'], 'named.example'],
    ['a name', () => ['named.example'], 'named.example'],
    ['a name and port', (port: number) => [`Named.Example:${port}`], 'named.example.'],
  ])('calls what OUTBOUND_ALLOW lists as %s', async (_title, allow, host) => {
    const { port } = await server((_request, response) => response.end('hello'));
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const answer = await client({ allow: allow(port), resolve }).request(get(`http://${host}:${port}/`));
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe('hello');
  });

  test.each([
    ['another port of a listed host', (port: number) => [`127.0.0.1:${port + 1}`], '127.0.0.1'],
    ['an address outside a listed CIDR', () => ['10.0.0.0/8'], '127.0.0.1'],
    ['the address behind a listed name', () => ['named.example'], '127.0.0.1'],
    ['a name that a listed name is a part of', () => ['named.example'], 'evil-named.example'],
  ])('still refuses %s', async (_title, allow, host) => {
    const counter = await loopbackCounter();
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const outbound = client({ allow: allow(counter.port), resolve });
    const error = (await outbound
      .request(get(`http://${host}:${counter.port}/`))
      .catch((caught: unknown) => caught)) as OutboundError;
    expect(error.code).toBe('address_refused');
    expect(error.message).toContain('those of OUTBOUND_ALLOW');
    expect(counter.connections).toBe(0);
  });

  test.each([
    'http://a.example',
    'a.example/path',
    'user@a.example',
    '10.0.0.0/33',
    '*.example',
    'a.example:0',
    'a.example:70000',
    'a b',
    '[::1',
    '',
  ])('does not start with the OUTBOUND_ALLOW entry "%s"', entry => {
    expect(() => createOutbound({ allow: [entry] })).toThrow(
      /^OUTBOUND_ALLOW: got .* takes a comma list of host, host:port or CIDR$/,
    );
  });

  test('calls any address as a trusted client', async () => {
    const { url } = await server((_request, response) => response.end('hello'));
    expect((await client({ trusted: true }).request(get(url))).body.toString()).toBe('hello');
  });

  test.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://127.0.0.1/',
    'http://user:secret@a.example/',
    'http://user@a.example/',
    '/relative',
    'http://',
    'http://[::1',
    'http://256.256.256.256/',
    '',
  ])('refuses the URL "%s"', async url => {
    const error = (await client({ trusted: true })
      .request(get(url))
      .catch((caught: unknown) => caught)) as OutboundError;
    expect(error.code).toBe('bad_url');
    expect(error.message).not.toContain('secret');
  });

  test.each([
    [{ 'x-a': 'one\r\nx-b: two' }],
    [{ 'x-a': 'one\ntwo' }],
    [{ 'x-a': 'nul\0' }],
    [{ 'x-a': 'wide\u0101' }],
    [{ 'x-a\r\nx-b': 'one' }],
    [{ 'x a': 'one' }],
    [{ '': 'one' }],
  ])('refuses the headers %j', async headers => {
    expect(await codeOf(client({ trusted: true }).request(get('http://a.example/', { headers })))).toBe('bad_request');
  });

  test.each(['CONNECT', 'TRACE', 'GET / HTTP/1.1\r\nx: y', ''])('refuses the method %j', async method => {
    expect(await codeOf(client({ trusted: true }).request(get('http://a.example/', { method })))).toBe('bad_request');
  });

  test('sets the headers that frame the message itself', async () => {
    const { url, port } = await server((request, response) => response.end(JSON.stringify(request.headers)));
    const headers = { Host: 'evil.example', 'Content-Length': '99', Connection: 'close', 'X-Own': 'kept' };
    const answer = await client({ trusted: true }).request(get(url, { method: 'POST', headers, body: 'four' }));
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      host: `127.0.0.1:${port}`,
      'content-length': '4',
      connection: 'keep-alive',
      'x-own': 'kept',
    });
  });
});

describe('redirects', () => {
  const redirectTo =
    (location: string, status = 302) =>
    (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status, { location }).end();
    };

  test.each(['http://169.254.169.254/latest/', 'http://localhost:1/', '//[::1]:1/', 'http://2130706433:1/'])(
    'are refused when they lead to %s',
    async location => {
      const { url, port } = await server(redirectTo(location));
      const outbound = client({ allow: [`127.0.0.1:${port}`] });
      expect(await codeOf(outbound.request(get(url, { followRedirects: true })))).toBe('address_refused');
      expect(await codeOf(outbound.fetch(url))).toBe('address_refused');
    },
  );

  test.each(['ftp://a.example/', 'http://user:pass@a.example/', 'http://'])(
    'are refused to the URL %s',
    async location => {
      const { url } = await server(redirectTo(location));
      expect(await codeOf(client({ trusted: true }).request(get(url, { followRedirects: true })))).toBe('bad_url');
    },
  );

  test('are followed five times and no more', async () => {
    const listener: RequestListener = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    };
    const { url } = await server(listener);
    const outbound = client({ trusted: true });
    const answer = await outbound.request(get(`${url}/5`, { followRedirects: true }));
    expect(answer).toMatchObject({ status: 200, url: `${url}/0` });
    expect(await codeOf(outbound.request(get(`${url}/6`, { followRedirects: true })))).toBe('too_many_redirects');
    expect((await outbound.request(get(`${url}/1`))).status).toBe(307);
  });

  test('take no credential of any name to another origin, and all of them within the same', async () => {
    const show: RequestListener = (request, response) => response.end(JSON.stringify(request.headers));
    const other = await server(show);
    const first = await server((request, response) => {
      if (request.url === '/away') redirectTo(other.url)(request, response);
      else if (request.url === '/near') redirectTo('/shown')(request, response);
      else show(request, response);
    });
    const credentials = {
      Authorization: 'Bearer a',
      Cookie: 'b=c',
      'X-Api-Key': 'd',
      'X-Goog-Api-Key': 'e',
      'My-Token': 'f',
    };
    const request = { headers: { ...credentials, Accept: 'text/plain' }, followRedirects: true };
    const outbound = client({ trusted: true });
    const seen = async (path: string) =>
      JSON.parse((await outbound.request(get(first.url + path, request))).body.toString()) as Record<string, string>;
    const names = Object.keys(credentials).map(name => name.toLowerCase());
    expect(Object.keys(await seen('/near'))).toEqual(expect.arrayContaining([...names, 'accept']));
    const away = await seen('/away');
    expect(Object.keys(away).filter(name => names.includes(name))).toEqual([]);
    expect(away.accept).toBe('text/plain');
  });

  test.each([
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'body'],
    [308, 'POST', 'body'],
  ])('answer a POST with %i by a %s', async (status, method, body) => {
    const { url } = await server((request, response) => {
      if (request.url === '/') redirectTo('/next', status)(request, response);
      else void text(request).then(got => response.end(`${request.method} ${request.headers['content-type']} ${got}`));
    });
    const headers = { 'content-type': 'text/plain' };
    const answer = await client({ trusted: true }).request(
      get(url, { method: 'POST', headers, body: 'body', followRedirects: true }),
    );
    expect(answer.body.toString()).toBe(`${method} ${body ? 'text/plain' : 'undefined'} ${body}`);
  });
});

describe('time limits', () => {
  const slow = 150;

  test('end a call to a server that never answers', async () => {
    const { url } = await server(() => {});
    expect(await codeOf(client({ trusted: true }).request(get(url, { timeoutMs: slow })))).toBe('timeout');
  });

  test('end a call to a server that trickles its body', async () => {
    const { url } = await server((_request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await codeOf(client({ trusted: true }).request(get(url, { timeoutMs: slow })))).toBe('timeout');
  });

  test('end a call to a server that trickles its headers', async () => {
    const { url } = await tcpServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await codeOf(client({ trusted: true }).request(get(url, { timeoutMs: slow })))).toBe('timeout');
  });

  test('cover the name lookup', async () => {
    const resolve = () => new Promise<never>(() => {});
    const outbound = createOutbound({ allow: [], resolve });
    expect(await codeOf(outbound.request(get('http://slow.example/', { timeoutMs: slow })))).toBe('timeout');
  });

  test('leave a stream alone once its headers are there', async () => {
    const { url } = await server((_request, response) => {
      response.write('first ');
      setTimeout(() => response.end('last'), 1_200);
    });
    const answer = await client({ trusted: true }).open(get(url, { timeoutMs: 1_000 }));
    expect(await text(answer.body)).toBe('first last');
  });
});

describe('the signal', () => {
  test('ends a call with its own reason and closes the connection', async () => {
    const controller = new AbortController();
    const { url } = await server((request, response) => {
      response.write('begun');
      request.socket.once('close', () => response.emit('gone'));
      closed.push(once(request.socket, 'close'));
      controller.abort(new Error('cancelled by the user'));
    });
    const closed: Promise<unknown>[] = [];
    await expect(client({ trusted: true }).request(get(url, { signal: controller.signal }))).rejects.toThrow(
      'cancelled by the user',
    );
    await closed[0];
  });

  test('ends a stream while it is read', async () => {
    const controller = new AbortController();
    const { url } = await server((_request, response) => response.write('begun'));
    const answer = await client({ trusted: true }).open(get(url, { signal: controller.signal }));
    answer.body.once('data', () => controller.abort(new Error('client gone')));
    await expect(text(answer.body)).rejects.toThrow('client gone');
  });

  test('ends a call before it begins', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(client({ trusted: true }).request(get('http://a.example/', { signal }))).rejects.toThrow('too late');
  });
});

describe('broken servers', () => {
  test.each([
    ['closes at once', '', 'connection_failed'],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'bad_response'],
    ['ends in the middle of the headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'connection_failed'],
    ['ends in the middle of the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', 'connection_failed'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(200)}`, 'bad_response'],
    ['sends two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'bad_response'],
  ])('fail a call when one %s', async (_title, bytes, code) => {
    const { url } = await tcpServer(socket => socket.once('data', () => socket.end(bytes)));
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe(code);
  });

  test('fail a call when one resets the connection', async () => {
    const { url } = await tcpServer(socket => socket.once('data', () => socket.resetAndDestroy()));
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe('connection_failed');
  });

  test('fail a call when nobody listens', async () => {
    const { url, close } = await serveHttp(() => {});
    await close();
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe('connection_failed');
  });

  test('fail a call when the name is unknown', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await codeOf(client({ resolve }).request(get('http://nowhere.example/')))).toBe('dns_failed');
    expect(await codeOf(client({ resolve: async () => [] }).request(get('http://nowhere.example/')))).toBe(
      'dns_failed',
    );
  });
});

describe('response sizes', () => {
  test('are limited by the declared length, before the body is read', async () => {
    const { url } = await server((_request, response) => {
      response.writeHead(200, { 'content-length': 10_000_000 }).flushHeaders();
    });
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe('response_too_large');
  });

  test('are limited while an endless body comes in', async () => {
    const { url } = await server((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', more).on('error', () => {});
      more();
    });
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe('response_too_large');
    const { body } = await client({ trusted: true }).open(get(url));
    expect(await codeOf(text(body))).toBe('response_too_large');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('are limited for a %s bomb', async (coding, compress) => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    const { url } = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bomb),
    );
    const before = process.memoryUsage().arrayBuffers;
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe('response_too_large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  test('are limited for a bomb inside a bomb', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    const { url } = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb),
    );
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe('response_too_large');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('count decoded, and %s is decoded', async (coding, compress) => {
    const { url } = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(compress('plain text')),
    );
    const answer = await client({ trusted: true }).request(get(url, { maxResponseBytes: 100 }));
    expect(answer.body.toString()).toBe('plain text');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test.each([
    ['an unknown coding', 'snappy', Buffer.from('x')],
    ['a wrong coding', 'gzip', Buffer.from('not gzip at all')],
    ['a cut coding', 'gzip', gzipSync('a'.repeat(1000)).subarray(0, 15)],
    ['three codings', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('x')))],
  ])('do not hide %s', async (_title, coding, bytes) => {
    const { url } = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    );
    expect(await codeOf(client({ trusted: true }).request(get(url)))).toBe('bad_response');
  });

  test('of answers without a body are no fault', async () => {
    const { url } = await server((request, response) =>
      response.writeHead(request.url === '/304' ? 304 : 200, { 'content-encoding': 'gzip' }).end(),
    );
    const outbound = client({ trusted: true });
    expect((await outbound.request(get(url, { method: 'HEAD' }))).body.length).toBe(0);
    expect((await outbound.request(get(`${url}/304`))).status).toBe(304);
    expect((await outbound.request(get(`${url}/200`))).body.length).toBe(0);
  });
});

describe('fetch', () => {
  test('sends and receives like the built-in one', async () => {
    const { url } = await server((request, response) => {
      void text(request).then(body => {
        response.writeHead(201, [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['content-type', 'application/json'],
        ] as never);
        response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'], body }));
      });
    });
    const response = await client({ trusted: true }).fetch(new URL('/x', url), {
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

  test('gives a stream its events as they come', async () => {
    const { url } = await server((_request, response) => {
      response.write('data: one\n\n');
      release = () => response.end('data: two\n\n');
    });
    let release = () => {};
    const response = await client({ trusted: true }).fetch(url);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader.read()).toEqual({ done: false, value: 'data: one\n\n' });
    release();
    expect(await reader.read()).toEqual({ done: false, value: 'data: two\n\n' });
    expect((await reader.read()).done).toBe(true);
  });

  test('obeys the redirect mode', async () => {
    const { url } = await server((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
      else response.end('there');
    });
    const outbound = client({ trusted: true });
    expect(await outbound.fetch(url)).toMatchObject({ status: 200, redirected: true, url: `${url}/next` });
    expect(await outbound.fetch(url, { redirect: 'manual' })).toMatchObject({ status: 302, redirected: false });
    expect(await codeOf(outbound.fetch(url, { redirect: 'error' }))).toBe('too_many_redirects');
  });

  test('gives answers without a body their status', async () => {
    const { url } = await server((_request, response) => response.writeHead(204).end());
    const response = await client({ trusted: true }).fetch(url, { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });
});

test('connections are kept and used again', async () => {
  const sockets = new Set<unknown>();
  const { url } = await server((request, response) => {
    sockets.add(request.socket);
    response.end('ok');
  });
  const outbound = client({ trusted: true });
  for (let i = 0; i < 5; i++) await outbound.request(get(url));
  expect(sockets.size).toBeLessThanOrEqual(2);
});
