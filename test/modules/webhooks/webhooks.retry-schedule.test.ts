import { describe, expect, it } from '@jest/globals';
import { RetrySchedule, retryAfterSeconds } from '../../../src/modules/webhooks/deliveries/retry-schedule.js';
import { readConfig } from '../../../src/platform/config/config.js';

describe('the retry schedule of a webhook', () => {
  it('makes ten attempts over about 24 hours', () => {
    const delays = readConfig({}).webhookRetrySeconds;
    const total = (random: number) => {
      const schedule = new RetrySchedule(delays, () => random);
      return delays.reduce((sum, _delay, index) => sum + schedule.after(index + 1, null)!, 0) / 3_600;
    };
    expect(delays).toHaveLength(9);
    expect(total(0.5)).toBeCloseTo(24, 0);
    expect(total(0)).toBeCloseTo(24 * 0.9, 0);
    expect(total(1)).toBeCloseTo(24 * 1.1, 0);
    expect(new RetrySchedule(delays).after(10, null)).toBeNull();
  });

  it('spreads deliveries that failed together', () => {
    const schedule = new RetrySchedule([100]);
    const waits = Array.from({ length: 50 }, () => schedule.after(1, null)!);
    expect(new Set(waits).size).toBeGreaterThan(40);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(90);
    expect(Math.max(...waits)).toBeLessThanOrEqual(110);
  });

  it.each([
    ['as long as the receiver asks', 500, 500],
    ['no shorter than its own delay', 1, 100],
    ['at most six hours', 1e9, 21_600],
    ['its own delay when the receiver asks for none', null, 100],
  ])('waits %s', (_title, requested, seconds) => {
    expect(new RetrySchedule([100], () => 0.5).after(1, requested)).toBe(seconds);
  });

  it('ends after the last attempt, whatever the receiver asks for', () => {
    expect(new RetrySchedule([100]).after(2, 5)).toBeNull();
  });

  const now = Date.parse('2026-01-31T09:30:00Z');
  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Sat, 31 Jan 2026 09:31:00 GMT', 60],
    ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('reads the header Retry-After %p', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
