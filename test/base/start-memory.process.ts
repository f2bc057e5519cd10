import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import { releaseStartMemory } from '../../src/base/start-memory.js';

/** A start that keeps much of what it makes; prints the bytes of the young generation right after it, and when they are few. */
const MB = 1024 * 1024;
const kept: object[] = [];
for (let nth = 0; nth < 400_000; nth++) kept.push({ nth });
const young = () =>
  v8.getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.physical_space_size ?? 0;
const before = young();
releaseStartMemory();
const until = Date.now() + Number(process.argv[2]);
while (young() > 4 * MB && Date.now() < until) await setTimeout(50);
process.stdout.write(JSON.stringify({ before: before / MB, after: young() / MB, kept: kept.length }));
