import base from './jest.config.mjs';

// Checks of the sources, the API and the documentation. They need no database.
const { globalSetup: _setup, globalTeardown: _teardown, ...rest } = base;

export default {
  ...rest,
  testMatch: [
    '**/architecture.test.js',
    '**/architecture.statements.test.js',
    '**/schema-changes.test.js',
    '**/migration-changes.test.js',
    '**/deploy.test.js',
    '**/test/docs/*.test.js',
  ],
};
