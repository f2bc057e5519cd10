import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Grant, KeyLeases } from '../../src/modules/accounts/api-keys/key-leases.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

const LIMIT = 100_000;
const LIST = '/api/v1/projects/?size=0';
const HASH = Buffer.alloc(32);

let services: [TestService, TestService];
let users = 0;

beforeAll(async () => {
  const first = await startTestService({ role: 'api', rateLimitPerMinute: LIMIT });
  services = [first, await startTestService({ role: 'api', rateLimitPerMinute: LIMIT }, first.database)];
});
afterAll(async () => {
  for (const service of services ?? []) await service.stop();
});

const newKey = async () => (await services[0].createUser(`busy-${users++}`)).key;

/** Sends requests to both processes until `isOver`. Returns the start and the status of each request. */
function sendContinuously(key: string, isOver: () => boolean) {
  const answers: { at: number; status: number }[] = [];
  const loop = async ({ url }: TestService) => {
    while (!isOver()) {
      const at = performance.now();
      const response = await fetch(`${url}${LIST}`, { headers: { 'X-Api-Key': key } });
      await response.arrayBuffer();
      answers.push({ at, status: response.status });
    }
  };
  return { answers, ended: Promise.all(services.flatMap(service => Array.from({ length: 8 }, () => loop(service)))) };
}

it('refuses a key in constant use in every process once its deletion is answered', async () => {
  const [service] = services;
  const key = await newKey();
  let over = false;
  const { answers, ended } = sendContinuously(key, () => over);
  await eventually(
    async () => answers.length,
    count => count > 600,
  );
  const { body } = await service.rest('GET', '/api/v1/api-keys/', { key });
  expect((await service.rest('DELETE', `/api/v1/api-keys/${body.items[0].id}/`)).status).toBe(204);
  const deleted = performance.now();
  await eventually(
    async () => answers.filter(({ at }) => at > deleted).length,
    count => count > 20,
  );
  over = true;
  await ended;
  expect(new Set(answers.filter(({ at }) => at > deleted).map(({ status }) => status))).toEqual(new Set([401]));
});

it('counts each request of a key in constant use once, and returns the rest of its lease', async () => {
  const [service] = services;
  const key = await newKey();
  const until = performance.now() + 700;
  const { answers, ended } = sendContinuously(key, () => performance.now() > until);
  await ended;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const hash = createHash('sha256').update(key).digest();
  const used = async () =>
    (
      await service.sql<{ used: number }>(
        'select w.used from api_key_window w join api_key k on k.id = w.api_key_id where k.hash = $1',
        [hash],
      )
    )[0]?.used;
  expect(await eventually(used, count => count === answers.length)).toBe(answers.length);
});

/** Leases of one key, from a database that grants each request and has this remainder in its window. */
function createLeases(remaining: number) {
  const reserved: number[] = [];
  const returned: number[] = [];
  const leases = new KeyLeases({
    check: async (_hash, requests): Promise<Grant> => {
      reserved.push(requests);
      const allowance = {
        limit: 1_000,
        remaining: remaining - requests,
        resetSeconds: 30,
        resetAt: 0,
        isGranted: true,
      };
      const viewer = { userId: 1, isAdmin: false, via: 'key' as const, keyId: 1, isKeyLimited: false };
      const lasting = { keyId: 1, queriedAt: performance.now(), validSeconds: 30, windowSeconds: 30, windowEndsAt: 1 };
      return { ...lasting, requests, authResult: { viewer, allowance } };
    },
    returnRequests: async (_id, requests) => void returned.push(requests),
  });
  const take = () => leases.take('id', HASH, 1);
  const recordResult = () => {
    const allowance = { limit: 1_000, remaining, resetSeconds: 30, resetAt: 0, isGranted: true };
    leases.recordResult('id', {
      viewer: { userId: 1, isAdmin: false, via: 'key', keyId: 1, isKeyLimited: false },
      allowance,
    });
  };
  return { reserved, returned, take, recordResult };
}

it('leases a key from twenty requests per 100 ms on, for as many requests as were reserved', async () => {
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { reserved, returned, take, recordResult } = createLeases(1_000);
  for (let nth = 1; nth < 20; nth++) {
    expect(take()).toBeUndefined();
    recordResult();
  }
  expect(reserved).toEqual([]);
  expect(take()).toBeUndefined();
  expect(reserved).toEqual([40]);
  await setImmediate();
  const granted = Array.from({ length: 60 }, () => take()?.allowance?.remaining);
  expect(granted.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, nth) => 1_000 - 1 - nth));
  expect(granted.slice(40)).toEqual(Array.from({ length: 20 }, () => undefined));
  clock.mockRestore();
  await eventually(
    async () => returned.length,
    count => count > 0,
  );
  expect(total(reserved) - total(returned)).toBe(40);
});

it('leases nothing of a window that is nearly exhausted', async () => {
  const { reserved, take, recordResult } = createLeases(150);
  for (let nth = 0; nth < 50; nth++) {
    expect(take()).toBeUndefined();
    recordResult();
  }
  expect(reserved).toEqual([]);
});

function total(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
