import base from './jest.config.mjs';

// The rules of the house and of its API are read off the sources: they need no database.
const { globalSetup: _setup, globalTeardown: _teardown, ...rest } = base;

export default {
  ...rest,
  testMatch: [
    '**/architecture.test.js',
    '**/schema-changes.test.js',
    '**/migration-changes.test.js',
    '**/deploy.test.js',
  ],
};
