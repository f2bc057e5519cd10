import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import { releaseMemoryWhenIdle } from '../../../src/platform/memory/idle-memory.js';

// Measures `releaseMemoryWhenIdle`. Prints as JSON the megabytes of the young generation after many allocations and
// after an idle time, and the heap during and after a burst of garbage, as multiples of the idle heap. Arguments: the
// time limit of each measurement and the idle time after which memory is released, in milliseconds.
const [timeoutMs, idleMs] = process.argv.slice(2).map(Number) as [number, number];
const MB = 1024 * 1024;
const kept: object[] = [];
for (let nth = 0; nth < 400_000; nth++) kept.push({ nth });
const young = () =>
  v8.getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.physical_space_size ?? 0;
const before = young();
releaseMemoryWhenIdle(idleMs);
const until = Date.now() + timeoutMs;
while (young() > 4 * MB && Date.now() < until) await setTimeout(50);
const after = young();

// A burst: garbage that V8 has no reason to collect while no memory is needed.
const idle = process.memoryUsage().heapUsed;
const burst: object[] = Array.from({ length: 2_000_000 }, (_, nth) => ({ nth, text: `piece ${nth}` }));
const peak = process.memoryUsage().heapUsed;
burst.length = 0;
const heap = () => process.memoryUsage().heapUsed / idle;
while (heap() > 1.3 && Date.now() < until + timeoutMs) await setTimeout(50);
process.stdout.write(
  JSON.stringify({ before: before / MB, after: after / MB, kept: kept.length, peak: peak / idle, left: heap() }),
);
