import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { chain, llm, output, template, trigger } from '../test/support/graphs.js';
import { openDatabases } from './databases/databases.js';
import { load } from './load/load.js';
import { makeWorkflow, restStart } from './load/run-calls.js';
import { memoryMib, type StartedProcess, startService } from './processes/processes.js';

/** Number of runs (SOAK_RUNS): clearly more than the 10,000 of the warm-up. */
const RUNS = Number(process.env.SOAK_RUNS || 100_000);
/** Number of intervals after which memory, descriptors and latencies are measured. */
const STEPS = 20;
const CLIENTS = 20;
/**
 * Number of ignored first intervals, in which caches fill and the heap reaches its working size: a fifth of them, and at least
 * 10,000 runs.
 */
const WARM_UP = Math.ceil(Math.max(STEPS / 5, (10_000 / RUNS) * STEPS));
/** Limit for the memory that 10,000 runs may leave behind. */
const MAX_MIB_PER_10000_RUNS = 1;
/** Limit for the slowdown of the last four intervals compared with the first four. */
const MAX_P99_RATIO = 1.2;
/** Limit for the open descriptors at the end compared with the first counted interval. */
const MAX_MORE_DESCRIPTORS = 5;

interface Step {
  runs: number;
  memoryMib: number;
  descriptors: number;
  p99Ms: number;
}

/** Executes many runs in sequence in one process and measures growing resources. Exits with 1 if one grows. */
async function main(): Promise<void> {
  const databases = await openDatabases(process.env.DATABASE_URL || undefined);
  try {
    const url = await databases.create();
    const service = await startService(url, databases.folder);
    const steps = await soak(service, url);
    await service.stop();
    process.exitCode = isWithinLimits(steps) ? 0 : 1;
  } finally {
    await databases.close();
  }
}

async function soak(service: StartedProcess, url: string): Promise<Step[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const count = async (where: string) =>
    (await pool.query(`select count(*)::int as runs from workflow_run where ${where}`)).rows[0].runs as number;
  // A model that responds immediately, so each run is queued or claimed, and its answer is recorded.
  const graph = chain(trigger(), llm('Say something.', 'echo'), template('{{ previous.content }}'), output());
  const call = restStart(service.url, await makeWorkflow(service.url, graph));
  const steps: Step[] = [];
  while (steps.length < STEPS) {
    const p99: number[] = [];
    const goal = (RUNS / STEPS) * (steps.length + 1);
    while ((await count('true')) < goal) p99.push((await load(call, { clients: CLIENTS, ms: 1_000 })).p99Ms);
    while ((await count(`state in ('queued', 'running')`)) > 0) await delay(100);
    const [descriptors, runs] = [(await readdir(`/proc/${service.pid}/fd`)).length, await count('true')];
    const p99Ms = p99.toSorted((a, b) => a - b)[Math.floor(p99.length / 2)] ?? Number.NaN;
    const step = { runs, memoryMib: memoryMib([service]), descriptors, p99Ms };
    console.log(JSON.stringify(step));
    steps.push(step);
  }
  const failed = await count(`state <> 'succeeded'`);
  await pool.end();
  if (failed > 0) throw new Error(`${failed} runs did not succeed`);
  return steps;
}

function isWithinLimits(all: readonly Step[]): boolean {
  const steps = all.slice(WARM_UP);
  const slope = slopeOf(steps.map(step => [step.runs / 10_000, step.memoryMib]));
  const [first, last] = [steps.slice(0, 4), steps.slice(-4)].map(part => mean(part.map(step => step.p99Ms)));
  const ratio = last! / first!;
  const descriptors = steps.at(-1)!.descriptors - steps[0]!.descriptors;
  const isGood = slope < MAX_MIB_PER_10000_RUNS && ratio <= MAX_P99_RATIO && descriptors <= MAX_MORE_DESCRIPTORS;
  const line = { runs: all.at(-1)!.runs, mbPer10000: slope, p99Ratio: ratio, moreDescriptors: descriptors, isGood };
  console.log(JSON.stringify(line));
  return isGood;
}

/** The slope of the regression line. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const [x, y] = [mean(points.map(point => point[0])), mean(points.map(point => point[1]))];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

await main();
