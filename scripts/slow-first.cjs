// Orders test files by duration, longest first, so that no long file runs last.
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'faults/database-refuses',
  'modules/webhooks/webhooks.workers',
  'faults/stopped-process',
  'security/sweep',
  'security/regular-expressions',
  'platform/database/silent-connections',
  'pages/docs',
  'faults/killed-process',
  'pages/graphiql.login',
  'faults/silent-connections',
  'rest/chat/chat.spool',
  'templates',
  'fuzz/rest',
  'fuzz/graphql',
  'providers/text-reader',
  'platform/memory/idle-memory',
  'http/lifecycle',
  'durable/chores',
  'faults/restarted',
  'cli/commands',
  'faults/network-namespace',
  'durable/fair-slots',
  'rest/page-bytes',
  'modules/webhooks/webhooks.backlog',
  'demo/demo',
  'faults/killed-keyword-run',
  'pages/graphiql',
  'platform/embedded-postgres/embedded-postgres',
  'modules/retention',
  'cli/embedded-database',
  'http/health',
  'providers/sandbox',
  'cli/start-faults',
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
