// Mutation testing: changes the code in small steps and reports changes that no test detects. MUTATE names one module
// of stryker.config.mjs. Arguments after `--` go to Stryker. All tests share one PostgreSQL, started by the unchanged
// code.
import { run } from './run.mjs';

const STRYKER = ['@stryker-mutator/core@10.0.0', '@stryker-mutator/jest-runner@10.0.0'];

process.exitCode = await run('tsc', ['-p', 'tsconfig.test.json']);
if (process.exitCode === 0) {
  const [{ default: setUp }, { default: tearDown }] = await Promise.all(
    ['setup', 'teardown'].map(name => import(`../build/test/support/global-${name}.js`)),
  );
  await setUp();
  try {
    const packages = STRYKER.flatMap(name => ['-p', name]);
    process.exitCode = await run('npx', ['--yes', ...packages, 'stryker', 'run', ...process.argv.slice(2)]);
  } finally {
    await tearDown();
  }
}
