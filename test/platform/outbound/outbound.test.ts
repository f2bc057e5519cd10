import { describe, expect, test } from '@jest/globals';
import type { OutboundError } from '../../../src/platform/outbound/errors.js';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { codeOf, createClient, get, startServer, startTcpServer } from './outbound-client.js';

/** Accepts connections and counts them: a refused address must never be connected to. */
async function loopbackCounter() {
  const counter = { connections: 0, port: 0 };
  const started = await startTcpServer(socket => {
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
    const error = (await createClient()
      .request(get(`http://${host}:${counter.port}/`, { timeoutMs: 5_000 }))
      .catch((caught: unknown) => caught)) as OutboundError;
    expect(error).toMatchObject({
      code: 'address_refused',
      message:
        'The address is not allowed. Allowed: public http and https addresses, and those that the operator lists in OUTBOUND_ALLOW.',
    });
    expect(counter.connections).toBe(0);
  });

  test('refuses the same addresses over https and through fetch', async () => {
    expect(await codeOf(createClient().request(get('https://127.0.0.1:1/')))).toBe('address_refused');
    expect(await codeOf(createClient().fetch('http://[::ffff:127.0.0.1]:1/'))).toBe('address_refused');
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
    expect(await codeOf(createClient({ resolve }).request(get(`http://public.example:${counter.port}/`)))).toBe(
      'address_refused',
    );
    expect(counter.connections).toBe(0);
  });

  test('connects to the address it checked, whatever the name resolves to next', async () => {
    const counter = await loopbackCounter();
    const answers = ['127.0.0.2', '127.0.0.1'];
    let lookups = 0;
    const resolve = async () => [{ address: answers[lookups++] ?? '127.0.0.1', family: 4 }];
    const outbound = createClient({ allow: [`127.0.0.2:${counter.port}`], resolve });
    // The server listens only on 127.0.0.1: had the second address been used, the call would have arrived.
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
    const { port } = await startServer((_request, response) => response.end('hello'));
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const answer = await createClient({ allow: allow(port), resolve }).request(get(`http://${host}:${port}/`));
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
    const outbound = createClient({ allow: allow(counter.port), resolve });
    const error = (await outbound
      .request(get(`http://${host}:${counter.port}/`))
      .catch((caught: unknown) => caught)) as OutboundError;
    expect(error.code).toBe('address_refused');
    expect(error.message).toContain('lists in OUTBOUND_ALLOW');
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
      /^OUTBOUND_ALLOW: got .* expected a comma-separated list of host, host:port or CIDR$/,
    );
  });

  test('calls any address as a trusted client', async () => {
    const { url } = await startServer((_request, response) => response.end('hello'));
    expect((await createClient({ trusted: true }).request(get(url))).body.toString()).toBe('hello');
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
    const error = (await createClient({ trusted: true })
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
    expect(await codeOf(createClient({ trusted: true }).request(get('http://a.example/', { headers })))).toBe(
      'bad_request',
    );
  });

  test.each(['CONNECT', 'TRACE', 'GET / HTTP/1.1\r\nx: y', ''])('refuses the method %j', async method => {
    expect(await codeOf(createClient({ trusted: true }).request(get('http://a.example/', { method })))).toBe(
      'bad_request',
    );
  });

  test('sets the headers that frame the message itself', async () => {
    const { url, port } = await startServer((request, response) => response.end(JSON.stringify(request.headers)));
    const headers = { Host: 'evil.example', 'Content-Length': '99', Connection: 'close', 'X-Own': 'kept' };
    const answer = await createClient({ trusted: true }).request(get(url, { method: 'POST', headers, body: 'four' }));
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      host: `127.0.0.1:${port}`,
      'content-length': '4',
      connection: 'keep-alive',
      'x-own': 'kept',
    });
  });
});

test('connections are kept and used again', async () => {
  const sockets = new Set<unknown>();
  const { url } = await startServer((request, response) => {
    sockets.add(request.socket);
    response.end('ok');
  });
  const outbound = createClient({ trusted: true });
  for (let i = 0; i < 5; i++) await outbound.request(get(url));
  expect(sockets.size).toBeLessThanOrEqual(2);
});
