// Compiles, runs jest and closes with one plain line of counts. Arguments go to jest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileTests, jest } from './run.mjs';

const compiled = await compileTests({ fresh: false });
if (compiled !== 0) process.exit(compiled);

const folder = mkdtempSync(path.join(tmpdir(), 'scenarium-test-'));
const report = path.join(folder, 'report.json');
try {
  const code = await jest(['--json', `--outputFile=${report}`, ...process.argv.slice(2)]);
  const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  console.log(
    `\n${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed, ${numPendingTests} skipped`,
  );
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
