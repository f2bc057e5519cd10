// The order of test files: the longest first, so that none of them is begun last, while nothing is left to do beside it.
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'fuzz/rest',
  'fuzz/graphql',
  'security/sweep',
  'security/regular-expressions',
  'cli/start-faults',
  'faults/database-refuses',
  'faults/stopped-process',
  'faults/killed-process',
  'modules/webhooks/webhooks.workers',
  'cli/verbs',
  'http/lifecycle',
  'providers/text-reader',
  'platform/embedded-postgres/embedded-postgres',
  'demo/demo',
  'pages/docs',
  'pages/graphiql.login',
];

const rankOf = path => {
  const at = SLOW.findIndex(name => path.endsWith(`/${name}.test.js`));
  return at === -1 ? SLOW.length : at;
};

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  }
};
