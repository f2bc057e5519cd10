// Runs all fault tests: failpoints in the code with jest, then the procedures in test/faults/suite, which write
// docs/reliability.md. Arguments select procedures; the page is then written only with FAULTS_WRITE=1.
import { FAULTS, patternsOf } from './jest/suites.mjs';
import { compileTests, jest, run } from './run.mjs';

const selected = process.argv.slice(2);
if (selected.includes('--help')) {
  console.log(`npm run test:faults [-- procedure …]
Runs all fault tests at full scale and writes docs/reliability.md, or runs only the selected procedures.
docs/reliability.md lists the procedures. FAULTS_WRITE=1 writes the rows of selected procedures.`);
  process.exit(0);
}
process.env.FAULTS = 'all';
const tests = patternsOf('faults/', FAULTS);
// Without a current build, the procedures would describe old code in docs/reliability.md.
if ((await compileTests()) !== 0) process.exit(1);
const testCode = selected.length > 0 ? 0 : await jest(tests);
// The procedures also run after failed tests, because their results are independent.
const suite = ['--enable-source-maps', 'build/test/faults/suite/main.js', ...selected];
process.exitCode = (await run(process.execPath, suite)) || testCode;
