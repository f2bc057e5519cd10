// Compiles the bench beside the tests and runs it; the arguments go to bench/main.ts.
import { run } from './run.mjs';

const compiled = await run('tsc', ['-p', 'tsconfig.test.json']);
process.exitCode =
  compiled || (await run(process.execPath, ['--enable-source-maps', 'build/bench/main.js', ...process.argv.slice(2)]));
