import { expect, it } from '@jest/globals';
import { LoadLimit } from '../../src/http/middleware/load-limit.js';

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
