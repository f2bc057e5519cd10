import { describe, expect, it } from '@jest/globals';
import { AddressLimit } from '../../../src/modules/accounts/users/address-limit.js';
import { toClientNetwork, toWiderNetwork } from '../../../src/platform/requests/client-network.js';

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    [undefined, 'unknown', 'unknown'],
  ])('of %s is %s, and %s more widely', (address, network, wider) => {
    expect([toClientNetwork(address), toWiderNetwork(address)]).toEqual([network, wider]);
  });
});

describe('a limit by address', () => {
  it('accepts this number of requests for each network, then reports how long to wait', () => {
    const limit = new AddressLimit(2);
    expect([limit.count('203.0.113.7'), limit.count('203.0.113.7')]).toEqual([0, 0]);
    expect(limit.secondsToWait('203.0.113.7')).toBeGreaterThan(0);
    expect(limit.count('203.0.113.7')).toBeGreaterThan(0);
    expect(limit.count('203.0.113.7')).toBeLessThanOrEqual(60);
    expect([limit.secondsToWait('203.0.113.8'), limit.count('203.0.113.8')]).toEqual([0, 0]);
  });

  it('counts a /64 of IPv6 as one', () => {
    const limit = new AddressLimit(1);
    expect(limit.count('2001:db8::1')).toBe(0);
    expect(limit.count('2001:db8::2')).toBeGreaterThan(0);
    expect(limit.count('2001:db8:0:1::1')).toBe(0);
  });

  it('of 0 accepts everything', () => {
    const limit = new AddressLimit(0);
    for (let n = 0; n < 1_000; n++) expect(limit.count('203.0.113.7')).toBe(0);
    expect(limit.secondsToWait('203.0.113.7')).toBe(0);
  });
});
