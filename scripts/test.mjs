// Runs all checks, then all tests but the files `*.slow.test.ts`, and ends with one line of counts. With arguments for
// jest it runs only the selected tests, slow ones too, without checks.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { patternsOf, SECURITY } from './jest/suites.mjs';
import { checkSources, compileTests, jest } from './run.mjs';

/** Slow random tests of `npm run test:fuzz`, by its first argument. */
const FUZZ = {
  all: { patterns: ['random-runs', 'test/fuzz'], variables: { PROPERTY_RUNS: '10000', FUZZ_RUNS: '2000' } },
  expressions: {
    patterns: ['expressions/random', 'first-language'],
    variables: { EXPRESSION_RUNS: '10000000', PROPERTY_RUNS: '100000' },
  },
};

const WITHOUT_SLOW = String.raw`\.slow\.test\.js$`;

const others = process.env.SECURITY === 'all' ? patternsOf('security/', SECURITY) : [];
const given = [...others, ...process.argv.slice(2)];
const fuzz = process.env.FUZZ ? (FUZZ[given[0]] ?? FUZZ.all) : undefined;
const patterns = fuzz?.patterns.concat(given.filter(each => !(each in FUZZ))) ?? given;
for (const [name, value] of Object.entries(fuzz?.variables ?? {})) process.env[name] ??= value;
if (patterns.includes('--help')) {
  console.log(`npm test [-- pattern … | jest options]
Runs all checks and tests on an embedded PostgreSQL, except the files *.slow.test.ts. With patterns: only test files with
matching paths, slow ones too, without checks.`);
  process.exit(0);
}
const isReady = patterns.length > 0 ? (await compileTests()) === 0 : await checkSources();
if (!isReady) process.exit(1);

const MAX_COSTS = 10;

/** Prints the test files with the most processor time, and the total. */
function printCosts(file) {
  if (!existsSync(file)) return;
  const costs = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  const all = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  const highest = costs.toSorted((one, other) => other.seconds - one.seconds).slice(0, MAX_COSTS);
  console.log(`\n${Math.round(all)} s of processor time in ${costs.length} test files, excluding PostgreSQL. Highest:`);
  for (const { file: name, seconds } of highest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
}

const MEMORY = '/dev/shm';
const GIBIBYTE = 2 ** 30;

/** Whether memory has room for temporary files, including databases, which are much faster there. */
function fitsInMemory() {
  if (process.platform !== 'linux' || !existsSync(MEMORY) || process.availableMemory() < 6 * GIBIBYTE) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= 4 * GIBIBYTE;
}

const inMemory = fitsInMemory();
const folder = mkdtempSync(path.join(inMemory ? MEMORY : tmpdir(), 'scenarium-test-'));
// PostgreSQL runs as another user, which must be able to enter this folder.
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;
process.env.TEST_IN_MEMORY = inMemory ? 'yes' : 'no';
const report = path.join(folder, 'report.json');
process.env.TEST_COSTS = path.join(folder, 'costs.jsonl');
try {
  const selected = patterns.length > 0 ? patterns : ['--testPathIgnorePatterns', WITHOUT_SLOW];
  const code = await jest(['--json', `--outputFile=${report}`, ...selected]);
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  printCosts(process.env.TEST_COSTS);
  console.log(`\n${counts.numPassedTests} passed, ${failed} failed, ${counts.numPendingTests} skipped`);
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
