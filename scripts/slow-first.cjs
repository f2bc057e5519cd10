// Orders test files by duration, longest first, so that no long file runs last. Without known durations jest orders them
// by size, so the files that take more than their size suggests are named.
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = [
  'security/sweep',
  'fuzz/rest',
  'fuzz/graphql',
  'console/editor',
  'clients/openapi',
  'corpus/corpus',
  'faults/restarted',
  'bench',
  'security/regular-expressions',
  'console/screens',
  'durable/queue-workers',
  'durable/scheduled-tasks',
  'http/health',
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
