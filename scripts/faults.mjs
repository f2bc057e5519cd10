// Runs all fault tests: failpoints in the code with jest, then the procedures in test/faults/suite, which write
// docs/reliability.md. Arguments select procedures; the page is then written only with FAULTS_WRITE=1.
import { compileTests, jest, run } from './run.mjs';

// Tests outside of test/faults, of which `npm test` runs only a part.
const OTHERS = ['platform/embedded-postgres', 'cli/start-faults', 'demo/demo', 'providers/text-reader'];

const named = process.argv.slice(2);
if (named.includes('--help')) {
  console.log(`npm run test:faults [-- procedure …]
Runs the fault tests at full scale: all of them and docs/reliability.md is written, or only the procedures named.
Procedures are listed in docs/reliability.md. FAULTS_WRITE=1 writes the rows of named procedures.`);
  process.exit(0);
}
process.env.FAULTS = 'all';
const suite = () => run(process.execPath, ['--enable-source-maps', 'build/test/faults/suite/main.js', ...named]);
const code = (await compileTests()) || (named.length > 0 ? 0 : await jest(['test/faults', ...OTHERS]));
// The procedures also run after failed tests, because their results are independent.
process.exitCode = (await suite()) || code;
