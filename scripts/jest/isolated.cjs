/** Test files that need their own context and modules. Add a comment with the reason to each. */
const ISOLATED = [];

/** Whether the test file with this path is isolated. */
exports.isIsolated = testPath => ISOLATED.some(name => testPath.endsWith(`/build/test/${name}.test.js`));
