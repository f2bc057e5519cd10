export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/build/test'],
  testMatch: ['**/*.test.js'],
  transform: {},
  globalSetup: '<rootDir>/build/test/support/global-setup.js',
  globalTeardown: '<rootDir>/build/test/support/global-teardown.js',
  setupFiles: ['<rootDir>/build/test/support/setup.js'],
  maxWorkers: 2,
  testTimeout: 20_000,
};
