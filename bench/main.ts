import path from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './processes/processes.js';
import { tableOf, writeReport } from './report.js';
import { BENCHES, type BenchName, runBench } from './run-bench.js';

const USAGE = `npm run bench [-- ${Object.keys(BENCHES).join('|')} …] [--rounds 3] [--seconds 2]`;

/** Measures the named parts, or all; prints a table and writes it as JSON. */
async function main(signal: AbortSignal): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '2' } },
  });
  const rounds = Number(values.rounds);
  const roundMs = Number(values.seconds) * 1000;
  const unknown = positionals.filter(name => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) throw new Error(`unknown benchmark: ${unknown.join(', ')}\n${USAGE}`);
  if (!(rounds >= 3) || !(roundMs > 0)) throw new Error(`--rounds must be 3 or more, --seconds more than 0\n${USAGE}`);
  const all = Object.keys(BENCHES) as BenchName[];
  const report = await runBench({
    names: positionals.length > 0 ? (positionals as BenchName[]) : all,
    rounds,
    roundMs,
    isSmoke: false,
    signal,
    databaseUrl: process.env.DATABASE_URL || undefined,
    log: line => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
  const file = await writeReport(report, path.join(repository(), 'bench', 'results'));
  console.log(`\n${tableOf(report.figures)}\n`);
  for (const note of report.notes) console.log(`- ${note}`);
  console.log(`\n${file}`);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => stop.abort(new Error(`ended by ${signal}`)));
// Child processes end with this process.
await main(stop.signal).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
