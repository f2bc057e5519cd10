import { expect, it } from '@jest/globals';
import { clientAddress } from '../../src/http/client-address.js';
import { serveHttp } from '../support/upstreams/loopback-server.js';

const LOOPBACK = ['127.0.0.0/8', '::1'];

it.each([
  ['of the connection where no proxy is trusted', [], '203.0.113.7', '127.0.0.1'],
  ['of the connection where the proxy says nothing', LOOPBACK, undefined, '127.0.0.1'],
  ['that a trusted proxy saw', LOOPBACK, '203.0.113.7', '203.0.113.7'],
  ['that the nearest proxy saw, whatever the caller wrote', LOOPBACK, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['before several trusted proxies', [...LOOPBACK, '10.0.0.0/8'], '203.0.113.7, 10.0.0.4', '203.0.113.7'],
  ['of IPv6', LOOPBACK, '2001:db8::7', '2001:db8::7'],
  ['of IPv4 in IPv6, as IPv4', LOOPBACK, '::ffff:203.0.113.7', '203.0.113.7'],
  ['of IPv4 in IPv6 in upper case, as IPv4', LOOPBACK, '::FFFF:203.0.113.7', '203.0.113.7'],
  ['of IPv4 in IPv6 as hexadecimal groups, as IPv4', LOOPBACK, '0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['of the connection where the proxy names none', LOOPBACK, 'unknown', '127.0.0.1'],
])('is the address %s', async (_what, trusted, forwarded, address) => {
  const addressOf = clientAddress(trusted);
  const server = await serveHttp((request, response) => response.end(addressOf(request)));
  try {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    const answer = await fetch(server.url, { headers });
    expect(await answer.text()).toBe(address);
  } finally {
    await server.close();
  }
});
