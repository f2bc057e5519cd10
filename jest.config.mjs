export default {
  testEnvironment: '<rootDir>/scripts/jest/shared-environment.cjs',
  runtime: '<rootDir>/scripts/jest/shared-runtime.cjs',
  roots: ['<rootDir>/build/test'],
  // How long each file took is kept here, for the order of the next run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testMatch: ['**/*.test.js'],
  transform: {},
  globalSetup: '<rootDir>/build/test/support/global-setup.js',
  globalTeardown: '<rootDir>/build/test/support/global-teardown.js',
  setupFiles: ['<rootDir>/build/test/support/setup.js'],
  testSequencer: '<rootDir>/scripts/slow-first.cjs',
  // Many tests wait for processes and clocks: two cores have time for four of them.
  // A browser occupies a core by itself.
  maxWorkers: process.env.CONSOLE_TEST ? 2 : 4,
  // A net for tests that hang, never an assertion: a busy machine must not reach it.
  testTimeout: 180_000,
};
