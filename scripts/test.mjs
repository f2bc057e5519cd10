// The whole check, then every test; closes with one plain line of counts. With arguments, which go to jest, the tests
// they name and no check.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check, compileTests, jest } from './run.mjs';

const named = process.argv.slice(2);
const isReady = named.length > 0 ? (await compileTests()) === 0 : await check();
if (!isReady) process.exit(1);

const folder = mkdtempSync(path.join(tmpdir(), 'scenarium-test-'));
const report = path.join(folder, 'report.json');
try {
  const code = await jest(['--json', `--outputFile=${report}`, ...named]);
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  console.log(`\n${counts.numPassedTests} passed, ${failed} failed, ${counts.numPendingTests} skipped`);
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
