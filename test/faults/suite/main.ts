import 'reflect-metadata';
import { randomInt } from 'node:crypto';
import { cpus } from 'node:os';
import { faultsOf, type OutcomeLine } from './outcome.js';
import { PROCEDURES } from './procedures.js';
import { writeReliability } from './reliability.js';

const USAGE = `npm run test:faults [-- ${Object.keys(PROCEDURES).join('|')} …]
Environment: FAULTS_SCALE (default: 1), FAULTS_SEED, FAULTS_MINUTES (of each procedure, default: 600), FAULTS_WRITE=1,
FAULTS_POINT (of failpoints: the beginning of \`point failure\`, such as \`event.after-commit kill\`, or the name of an action)`;

/**
 * Runs the named procedures, or all. Prints a line of JSON for each. `docs/reliability.md` is written if all run or with
 * FAULTS_WRITE=1, which replaces only the rows of these procedures at this scale. Returns whether all passed.
 */
async function main(names: string[]): Promise<boolean> {
  const scale = Number(process.env.FAULTS_SCALE || '1');
  const unknown = names.filter(name => !Object.hasOwn(PROCEDURES, name));
  if (unknown.length > 0 || !(scale > 0))
    throw new Error(`${unknown.join(', ') || 'FAULTS_SCALE: more than 0'}\n${USAGE}`);
  const seed = Number(process.env.FAULTS_SEED || randomInt(2 ** 31));
  console.error(`FAULTS_SEED=${seed} FAULTS_SCALE=${scale}`);
  const lines: OutcomeLine[] = [];
  for (const name of names.length > 0 ? names : Object.keys(PROCEDURES)) {
    const line = await run(name, seed, scale);
    console.log(JSON.stringify(line));
    lines.push(line);
  }
  if (process.env.FAULTS_WRITE === '1' || names.length === 0) await writeReliability(lines);
  return lines.every(line => line.passed);
}

async function run(name: string, seed: number, scale: number): Promise<OutcomeLine> {
  const startedAt = Date.now();
  const outcome = await PROCEDURES[name]!({
    seed,
    scale,
    scaled: (full, min = 1) => Math.max(min, Math.round(full * scale)),
    isTimeUp: () => Date.now() - startedAt > Number(process.env.FAULTS_MINUTES || '600') * 60_000,
    log: line => console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${line}`),
  });
  const failures = faultsOf(outcome);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const date = new Date().toISOString().slice(0, 10);
  return { ...outcome, passed: failures.length === 0, failures, seed, scale, seconds, date, cores: cpus().length };
}

// Each process that is alive has an exit listener.
process.setMaxListeners(0);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const isGood = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  return false;
});
process.exit(isGood ? 0 : 1);
