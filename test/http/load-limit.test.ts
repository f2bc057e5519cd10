import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { ArrivalListener } from '../../src/http/fast-lane.js';
import { ArrivingRequests } from '../../src/http/middleware/arriving-requests.js';
import { LoadLimit } from '../../src/http/middleware/load-limit.js';
import type { Middleware } from '../../src/http/middleware/middleware.js';
import { concurrencyLimit, releaseFromLimit } from '../../src/http/middleware/request-checks.js';

const IN_TIME = 50;
const LATE = 300;

function limit(statementsWaiting = () => 0) {
  const load = new LoadLimit({ maxRequests: 1_000, minRequests: 100, statementsWaiting });
  const enter = (count: number) => {
    for (let entered = 0; entered < count; entered++) load.enter();
  };
  const adjust = (elapsedMs: number, times = 1) => {
    for (let each = 0; each < times; each++) load.adjust(elapsedMs);
  };
  return { load, enter, adjust };
}

it('accepts every request while the event loop responds in time', () => {
  const { load, enter, adjust } = limit();
  adjust(IN_TIME, 100);
  enter(999);
  expect(load.isReached).toBe(false);
  enter(1);
  expect(load.isReached).toBe(true);
  load.leave();
  expect(load.isReached).toBe(false);
});

it('falls below the requests in progress when the event loop stays late, but not for a short delay', () => {
  const { load, enter, adjust } = limit();
  enter(500);
  adjust(LATE);
  adjust(IN_TIME);
  adjust(LATE);
  expect(load.isReached).toBe(false);
  adjust(LATE);
  expect(load.isReached).toBe(true);
});

it('never falls below the minimum', () => {
  const { load, enter, adjust } = limit();
  enter(99);
  adjust(LATE, 1_000);
  expect(load.isReached).toBe(false);
  enter(1);
  expect(load.isReached).toBe(true);
});

it('rises again within seconds once no resource is short', () => {
  const { load, enter, adjust } = limit();
  enter(900);
  adjust(LATE, 1_000);
  expect(load.isReached).toBe(true);
  adjust(IN_TIME, 120);
  expect(load.isReached).toBe(false);
});

it('falls when statements wait for connections, however fast the event loop is', () => {
  let waiting = 401;
  const { load, enter, adjust } = limit(() => waiting);
  enter(500);
  adjust(IN_TIME, 11);
  expect(load.isReached).toBe(true);
  waiting = 0;
  adjust(IN_TIME, 120);
  expect(load.isReached).toBe(false);
});

it('falls when most requests are slow, except those that wait for another service', () => {
  const { load, enter, adjust } = limit();
  const complete = (tookMs: number | undefined) => {
    for (let each = 0; each < 64; each++) {
      load.enter();
      load.leave(tookMs);
    }
  };
  enter(500);
  complete(undefined);
  adjust(IN_TIME, 20);
  expect(load.isReached).toBe(false);
  complete(2_000);
  adjust(IN_TIME, 20);
  expect(load.isReached).toBe(true);
  complete(20);
  adjust(IN_TIME, 120);
  expect(load.isReached).toBe(false);
});

it('does not count as slow when no request has been measured for a second', () => {
  const { load, enter, adjust } = limit();
  enter(500);
  for (let each = 0; each < 64; each++) {
    load.enter();
    load.leave(2_000);
  }
  adjust(IN_TIME, 20);
  expect(load.isReached).toBe(true);
  adjust(IN_TIME, 120);
  expect(load.isReached).toBe(false);
});

it('leaves as many arriving requests free as one network uses', () => {
  const arriving = new ArrivingRequests(9);
  const enter = (address: string) => {
    let count = 0;
    while (arriving.tryEnter(address)) count++;
    return count;
  };
  expect([enter('192.0.2.1'), enter('2001:db8::1'), enter('2001:db8::2'), enter('192.0.2.2')]).toEqual([5, 2, 0, 1]);
  for (let each = 0; each < 5; each++) arriving.leave('192.0.2.1');
  expect(enter('2001:db8::1')).toBe(2);
});

it('counts and measures a request from the arrival of its whole body', () => {
  const counts: (string | number | undefined)[] = [];
  let listener: ArrivalListener | undefined;
  const check = concurrencyLimit({
    load: { isReached: false, enter: () => counts.push('enter'), leave: ms => counts.push(ms) },
    arriving: new ArrivingRequests(1),
    addressOf: () => '192.0.2.1',
    onArrival: (_request, given) => {
      listener = given;
    },
  });
  const start = (headers: Record<string, string>) => {
    const response = new EventEmitter() as Parameters<Middleware>[1];
    check({ headers, url: '/' } as Parameters<Middleware>[0], response, () => {});
    return response;
  };
  const first = start({ 'content-length': '2' });
  expect(counts).toEqual([]);
  first.emit('close');
  listener?.handleArrival();
  expect(counts).toEqual([]);
  const second = start({ 'transfer-encoding': 'chunked' });
  listener?.handleArrival();
  second.emit('close');
  expect(counts).toEqual(['enter', expect.any(Number)]);
  const third = start({});
  releaseFromLimit(third);
  third.emit('close');
  expect(counts.slice(2)).toEqual(['enter', undefined]);
});
