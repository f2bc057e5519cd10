// Every fault that is tested: those at named points of the code by jest, then the procedures of test/faults/suite, which
// write docs/reliability.md. With arguments the procedures that they name alone, and nothing is written without FAULTS_WRITE=1.
import { compileTests, jest, run } from './run.mjs';

// Tests elsewhere of which `npm test` runs a part.
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
// The procedures are run all the same: each of the two says something of its own.
process.exitCode = (await suite()) || code;
