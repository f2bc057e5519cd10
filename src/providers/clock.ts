import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../engine/ports.js';

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
