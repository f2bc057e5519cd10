import type { LookupFunction } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { buildConnector } from 'undici';
import { AddressPolicy, bareHost } from '../../../src/platform/outbound/address-policy.js';
import { guardedConnector, type Resolve } from '../../../src/platform/outbound/connector.js';

type ResolvedAddresses = Awaited<ReturnType<Resolve>>;

describe('an address', () => {
  const noneAllowed = new AddressPolicy([]);

  test.each([
    '93.184.215.14',
    '168.63.129.17',
    '2606:4700::1',
    '3fff:ffff::1',
    '::ffff:93.184.215.14',
    '64:ff9b::93.184.215.14',
    '64:ff9b::5db8:d70e',
  ])('that is public may be called: %s', address => {
    expect(noneAllowed.allowsAddress(address, 80)).toBe(true);
  });

  test.each([
    '10.0.0.1',
    '168.63.129.16',
    '::ffff:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::168.63.129.16',
    '4000::1',
    '2002:5db8:d70e::1',
    '2001:db8::1',
    'fd00::1',
    '2606:4700::1%eth0.1',
    '0x5db8d70e',
    '93.184.55054',
    'public.example',
    '',
  ])('that is not public, or invalid, may not: %j', address => {
    expect(noneAllowed.allowsAddress(address, 80)).toBe(false);
  });

  test.each<[string, string, number, boolean]>([
    ['10.0.0.0/8', '10.255.0.1', 1, true],
    ['10.0.0.0/8', '::ffff:10.255.0.1', 1, true],
    ['10.0.0.0/8', '93.184.215.14', 1, true],
    ['10.0.0.0/8', '192.168.0.1', 1, false],
    ['10.0.0.0/8', 'fd00::1', 1, false],
    ['fd00::/8', 'fd12::1', 1, true],
    ['fd00::/8', '10.0.0.1', 1, false],
    ['10.0.0.1', '10.0.0.1', 1, true],
    ['10.0.0.1', '10.0.0.0', 1, false],
    ['10.0.0.1', '10.0.1.1', 1, false],
    ['fd00::1', 'fd00::1', 1, true],
    ['fd00::1', 'fd00::', 1, false],
    ['10.0.0.1:8080', '10.0.0.1', 8080, true],
    ['10.0.0.1:8080', '10.0.0.1', 8081, false],
    ['10.0.0.1:65535', '10.0.0.1', 65_535, true],
    ['[FD00::1]', 'fd00::1', 1, true],
    ['[fd00::1]:443', 'fd00::1', 443, true],
    ['[fd00::1]:443', 'fd00::1', 80, false],
    ['[::ffff:10.0.0.1]', '10.0.0.1', 1, true],
    ['2130706433', '127.0.0.1', 1, true],
    ['named.example', '10.0.0.1', 1, false],
  ])('with the entry %s: %s at port %i: %j', (entry, address, port, allowed) => {
    expect(new AddressPolicy([entry]).allowsAddress(address, port)).toBe(allowed);
    expect(new AddressPolicy(['other.example', entry]).allowsAddress(address, port)).toBe(allowed);
  });
});

describe('a name', () => {
  test.each<[string, string, number, boolean]>([
    ['named.example', 'named.example', 1, true],
    ['Named.Example', 'NAMED.example.', 1, true],
    ['named.example.', 'named.example', 1, true],
    ['named.example:80', 'named.example', 80, true],
    ['named.example:80', 'named.example', 81, false],
    ['named.example', 'a.named.example', 1, false],
    ['named.example', 'named.examples', 1, false],
    ['n', 'n', 1, true],
    ['ümlaut.example', 'xn--mlaut-jva.example', 1, true],
    ['10.0.0.1', '10.0.0.1', 1, false],
    ['10.0.0.0/8', '10.0.0.0/8', 1, false],
  ])('with the entry %s: %s at port %i: %j', (entry, name, port, allowed) => {
    expect(new AddressPolicy([entry]).allowsName(name, port)).toBe(allowed);
    expect(new AddressPolicy([]).allowsName(name, port)).toBe(false);
  });

  test.each([
    ['[::1]', '::1'],
    ['A.Example.', 'a.example'],
    ['a..', 'a.'],
    ['x[a]', 'x[a]'],
    ['[a]x', '[a]x'],
  ])('%s is read as %s', (host, bare) => {
    expect(bareHost(host)).toBe(bare);
  });
});

test.each([
  ...['', ' a', 'a ', 'a b', 'a@b', 'a?b', 'a#b', 'a\\b', 'a*b', 'a[b', 'a]b', 'a%41', 'a:b', 'a:', ':80', 'a:8x'],
  ...['a:0', 'a:65536', 'a:123456', 'a:80:80', '256.256.256.256', '[fd00::1', 'fd00::1]', '[]', '[fd00::g]'],
  ...['[fd00::1]x', 'x[fd00::1]', '[fd00::1]80', 'fd00::1:x', '10.0.0.0/33', 'a/8', '/'],
])('the entry %j is invalid', entry => {
  expect(() => new AddressPolicy([entry])).toThrow(
    new Error(
      `OUTBOUND_ALLOW: got ${JSON.stringify(entry)}, expected a comma-separated list of host, host:port or CIDR`,
    ),
  );
});

test('a refusal states the rule, and not the configured entries', () => {
  const refusal = (allow: string[]) => {
    const { code, message } = new AddressPolicy(allow).refusal();
    return [code, message];
  };
  expect(refusal([])).toEqual([
    'address_refused',
    'The address is not allowed. Allowed: public http and https addresses, and those that the operator lists in OUTBOUND_ALLOW.',
  ]);
  expect(refusal(['a'])).toEqual([
    'address_refused',
    'The address is not allowed. Allowed: public http and https addresses, and those that the operator lists in OUTBOUND_ALLOW.',
  ]);
});

describe('a connection', () => {
  type Options = buildConnector.BuildOptions & { lookup: LookupFunction };
  type RequestedConnection = Partial<buildConnector.Options> & { hostname: string };

  /** Connectors that open no connection: the options they were created with, and the requested connections. */
  function guard(allow: string[] = [], resolve: Resolve = async () => []) {
    const built: Options[] = [];
    const opened: string[] = [];
    const build = (options: Options) => {
      built.push(options);
      return (asked: RequestedConnection, callback: (error: null, socket: never) => void) => {
        opened.push(asked.hostname);
        callback(null, 'socket' as never);
      };
    };
    const connect = guardedConnector(build as unknown as typeof buildConnector, new AddressPolicy(allow), resolve);
    const outcome = (asked: RequestedConnection) =>
      new Promise<unknown>(done => {
        let isLater = false;
        connect({ protocol: 'http:', port: '', ...asked } as buildConnector.Options, (error, socket) =>
          done(isLater ? [(error as { code?: string } | null)?.code, socket] : error ? 'too early' : socket),
        );
        isLater = true;
      });
    return { built, opened, outcome };
  }

  const REFUSED = ['address_refused', null];

  test.each([
    { hostname: '10.0.0.1' },
    { hostname: '[::1]' },
    { hostname: '::1' },
    { hostname: '10.0.0.2', port: '80' },
    { hostname: '10.0.0.2', protocol: 'http:' },
    { hostname: '10.0.0.3', protocol: 'https:' },
    { hostname: '10.0.0.4' },
  ])('to a forbidden address is not opened: %j', async asked => {
    const { opened, outcome } = guard(['10.0.0.2:443', '10.0.0.3:80', '10.0.0.4:8080']);
    expect(await outcome(asked)).toEqual(REFUSED);
    expect(opened).toEqual([]);
  });

  test.each([
    { hostname: '93.184.215.14' },
    { hostname: 'named.example' },
    { hostname: '10.0.0.2', protocol: 'https:' },
    { hostname: '10.0.0.3', protocol: 'http:' },
    { hostname: '10.0.0.4', port: '8080', protocol: 'https:' },
    { hostname: '[fd00::1]' },
  ])('to any other one is opened: %j', async asked => {
    const { opened, outcome } = guard(['10.0.0.2:443', '10.0.0.3:80', '10.0.0.4:8080', 'fd00::1']);
    expect(await outcome(asked)).toBe('socket');
    expect(opened).toEqual([asked.hostname]);
  });

  test('uses HTTP/1.1, times out in ten seconds, and has one connector per port, of which 256 are kept', async () => {
    const { built, outcome } = guard();
    for (const port of ['', '80', '80']) await outcome({ hostname: 'a.example', port });
    expect(built).toEqual([{ allowH2: false, timeout: 10_000, lookup: expect.any(Function) }]);
    for (let port = 1_001; port <= 1_256; port++) await outcome({ hostname: 'a.example', port: String(port) });
    expect(built).toHaveLength(257);
    await outcome({ hostname: 'a.example', port: '1001' });
    expect(built).toHaveLength(257);
    await outcome({ hostname: 'a.example', port: '80' });
    expect(built).toHaveLength(258);
  });

  /** The result of the lookup for a connection to port 80. */
  async function lookup(host: string, resolve: Resolve, { allow = [] as string[], all = true } = {}) {
    const { built, outcome } = guard(allow, resolve);
    await outcome({ hostname: host });
    return new Promise<unknown[]>(done => built[0]?.lookup(host, { all }, (...answer) => done(answer)));
  }
  const found = (...addresses: string[]): ResolvedAddresses =>
    addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));

  test('looks a name up in its normal form, and connects to the result', async () => {
    const asked: string[] = [];
    const resolve: Resolve = async name => {
      asked.push(name);
      return found('2606:4700::1', '93.184.215.14');
    };
    expect(await lookup('Public.Example.', resolve)).toEqual([null, found('2606:4700::1', '93.184.215.14')]);
    expect(await lookup('public.example', resolve, { all: false })).toEqual([null, '2606:4700::1', 6]);
    expect(asked).toEqual(['public.example', 'public.example']);
  });

  test.each<[string[], string[], boolean]>([
    [['10.0.0.1'], [], false],
    [['93.184.215.14', '10.0.0.1'], [], false],
    [['10.0.0.1', '93.184.215.14'], [], false],
    [['93.184.215.14', '10.0.0.1'], ['10.0.0.1:80'], true],
    [['93.184.215.14', '10.0.0.1'], ['10.0.0.1:81'], false],
    [['10.0.0.1'], ['named.example:80'], true],
    [['10.0.0.1'], ['named.example:81'], false],
  ])('to a name that leads to %j with %j allowed: %j', async (addresses, allow, allowed) => {
    const [error, answer] = await lookup('named.example', async () => found(...addresses), { allow });
    expect(answer).toEqual(allowed ? found(...addresses) : []);
    if (allowed) expect(error).toBeNull();
    else expect(error).toMatchObject({ code: 'address_refused' });
  });

  test('fails when there is no address, and with the error of the lookup', async () => {
    const [error, none] = await lookup('named.example', async () => []);
    expect(error).toMatchObject({ code: 'ENOTFOUND', message: 'no address' });
    expect(none).toEqual([]);
    const broken = new Error('broken');
    expect(await lookup('named.example', async () => Promise.reject(broken))).toEqual([broken, []]);
  });
});
