// Compiles the benchmarks with the tests and runs them. Arguments go to bench/main.ts; the single argument `soak` runs
// bench/soak.ts.
import { run } from './run.mjs';

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(`npm run bench [-- part …]     npm run soak
Measures the service beside its peers and prints ratios; with parts only those. docs/performance.md lists the parts.`);
  process.exit(0);
}
const script = given[0] === 'soak' ? 'soak' : 'main';
process.exitCode =
  (await run('tsc', ['-p', 'tsconfig.test.json'])) ||
  (await run(process.execPath, ['scripts/build-service.mjs', 'build'])) ||
  (await run(process.execPath, ['--enable-source-maps', `build/bench/${script}.js`, ...given]));
