import { beforeEach, describe, expect, it } from '@jest/globals';
import { SlotForecast } from '../../src/durable/slot-forecast.js';

let now: number;
let isOnlyWorker: boolean;
let checks: number;
let forecast: SlotForecast;
beforeEach(() => {
  now = 1_000;
  isOnlyWorker = true;
  checks = 0;
  const check = async () => {
    checks++;
    return isOnlyWorker;
  };
  forecast = new SlotForecast(check, () => now);
});

/** Records ends of runs at this interval. */
function recordEnds(times: number, intervalMs: number): void {
  for (let n = 0; n < times; n++) {
    now += intervalMs;
    forecast.recordEnd();
  }
}

describe('a slot is expected soon', () => {
  it('while runs start or end, for 250 ms after each', async () => {
    expect(forecast.expectsSlot).toBe(false);
    forecast.recordStart();
    expect(forecast.expectsSlot).toBe(true);
    now += 249;
    expect(await forecast.confirm()).toBe(true);
    now += 1;
    expect(forecast.expectsSlot).toBe(false);
    expect(await forecast.confirm()).toBe(false);
  });

  it('unless runs end slowly', () => {
    recordEnds(100, 20);
    expect(forecast.expectsSlot).toBe(true);
    recordEnds(100, 21);
    expect(forecast.expectsSlot).toBe(false);
    recordEnds(100, 1);
    expect(forecast.expectsSlot).toBe(true);
    // A pause between two bursts is one long interval.
    recordEnds(1, 60_000);
    expect(forecast.expectsSlot).toBe(true);
  });

  it('unless the queue takes longer than half a second', () => {
    recordEnds(100, 5);
    forecast.countQueued(90);
    expect(forecast.expectsSlot).toBe(true);
    forecast.countQueued(20);
    expect(forecast.expectsSlot).toBe(false);
    forecast.countFetched({ count: 20, isDrained: false });
    expect(forecast.expectsSlot).toBe(true);
  });

  it('unless jobs of other processes are queued, until the queue is empty', () => {
    forecast.recordStart();
    forecast.countQueued(2);
    forecast.countFetched({ count: 3, isDrained: false });
    forecast.countFetched({ count: 5, isDrained: false });
    expect(forecast.expectsSlot).toBe(false);
    forecast.countFetched({ count: 1, isDrained: true });
    expect(forecast.expectsSlot).toBe(true);
  });

  it('unless another process executes runs, which is asked every two seconds', async () => {
    const confirm = () => {
      forecast.recordStart();
      return forecast.confirm();
    };
    expect([await confirm(), await confirm()]).toEqual([true, true]);
    expect(checks).toBe(1);
    isOnlyWorker = false;
    now += 2_000;
    expect(await confirm()).toBe(false);
    expect(forecast.expectsSlot).toBe(false);
    isOnlyWorker = true;
    expect(await confirm()).toBe(false);
    now += 2_000;
    expect(await confirm()).toBe(true);
    expect(forecast.expectsSlot).toBe(true);
  });
});

it('a wait ends with the next change, and after a while without one', async () => {
  const change = forecast.nextChange();
  forecast.notify();
  await change;
  const started = performance.now();
  await forecast.nextChange();
  expect(performance.now() - started).toBeGreaterThanOrEqual(249);
});
