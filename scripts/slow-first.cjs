// Orders test files by duration, longest first, so that no long file runs last.
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'security/sweep',
  'security/regular-expressions',
  'fuzz/rest',
  'fuzz/graphql',
  'durable/chores',
  'faults/restarted',
  'modules/retention',
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
