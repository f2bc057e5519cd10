// Compiles the benchmarks with the tests and runs them. Arguments go to bench/main.ts; the single argument `soak` runs
// bench/soak.ts.
import { run } from './run.mjs';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(`npm run bench [-- part …]     npm run soak
Compares the service with similar services and prints ratios. Arguments select parts; docs/performance.md lists them.`);
  process.exit(0);
}
const script = args[0] === 'soak' ? 'soak' : 'main';
process.exitCode =
  (await run('tsc', ['-p', 'tsconfig.test.json'])) ||
  (await run(process.execPath, ['scripts/build-service.mjs', 'build'])) ||
  (await run(process.execPath, ['--enable-source-maps', `build/bench/${script}.js`, ...args]));
