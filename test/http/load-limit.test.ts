import { expect, it } from '@jest/globals';
import { LoadLimit } from '../../src/http/middleware/load-limit.js';

const IN_TIME = 50;
const LATE = 300;

function limit(statementsWaiting = () => 0) {
  const load = new LoadLimit({ maxRequests: 1_000, minRequests: 100, statementsWaiting });
  const crowd = (count: number) => {
    for (let taken = 0; taken < count; taken++) load.enter();
  };
  const look = (elapsedMs: number, times = 1) => {
    for (let each = 0; each < times; each++) load.adjust(elapsedMs);
  };
  return { load, crowd, look };
}

it('accepts every request while the event loop responds in time', () => {
  const { load, crowd, look } = limit();
  look(IN_TIME, 100);
  crowd(999);
  expect(load.isReached).toBe(false);
  crowd(1);
  expect(load.isReached).toBe(true);
  load.leave();
  expect(load.isReached).toBe(false);
});

it('falls below the requests in progress when the event loop stays late, but not for a short delay', () => {
  const { load, crowd, look } = limit();
  crowd(500);
  look(LATE);
  look(IN_TIME);
  look(LATE);
  expect(load.isReached).toBe(false);
  look(LATE);
  expect(load.isReached).toBe(true);
});

it('never falls below the minimum', () => {
  const { load, crowd, look } = limit();
  crowd(99);
  look(LATE, 1_000);
  expect(load.isReached).toBe(false);
  crowd(1);
  expect(load.isReached).toBe(true);
});

it('rises again within seconds once no resource is short', () => {
  const { load, crowd, look } = limit();
  crowd(900);
  look(LATE, 1_000);
  expect(load.isReached).toBe(true);
  look(IN_TIME, 120);
  expect(load.isReached).toBe(false);
});

it('falls when statements wait for connections, however fast the event loop is', () => {
  let waiting = 401;
  const { load, crowd, look } = limit(() => waiting);
  crowd(500);
  look(IN_TIME, 11);
  expect(load.isReached).toBe(true);
  waiting = 0;
  look(IN_TIME, 120);
  expect(load.isReached).toBe(false);
});

it('falls when every second request is slow, except those that wait for another service', () => {
  const { load, crowd, look } = limit();
  const answer = (tookMs: number | undefined) => {
    for (let each = 0; each < 64; each++) {
      load.enter();
      load.leave(tookMs);
    }
  };
  crowd(500);
  answer(undefined);
  look(IN_TIME, 20);
  expect(load.isReached).toBe(false);
  answer(2_000);
  look(IN_TIME, 20);
  expect(load.isReached).toBe(true);
  answer(20);
  look(IN_TIME, 120);
  expect(load.isReached).toBe(false);
});
