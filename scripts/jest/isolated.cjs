/** Test files that run in a context of their own, with modules of their own; each with its reason. */
const ISOLATED = [];

/** Whether the file of this path is one of them. */
exports.isIsolated = testPath => ISOLATED.some(name => testPath.endsWith(`/build/test/${name}.test.js`));
