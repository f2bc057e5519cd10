// Runs test files in the process of a jest worker itself, on Node's own module loader. jest's runtime gives each file a
// context of its own, in which the service and its dependencies are loaded, and compiled, anew: that was most of the
// processor time of the suite. Here modules of src/ and node_modules/ live once in a worker; modules of test/ are loaded
// anew for each file. Files that need a process of their own are named in isolated.cjs.
const { registerHooks } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { isIsolated } = require('./isolated.cjs');

const GLOBALS = Symbol.for('scenarium.jest');
const NAMES = 'afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test';
const TEST_MODULES = pathToFileURL(path.join(__dirname, '../../build/test/')).href;
/** Modules of test/ that register no hooks and are dear to load: they are loaded once for each worker as well. */
const SHARED = ['rest/declared-answers.js'].map(name => new URL(name, TEST_MODULES).href);
const FILE = /[?]file=(\d+)$/;

registerHooks({
  resolve(specifier, context, next) {
    const file = FILE.exec(context.parentURL ?? '')?.[1];
    if (file === undefined) return next(specifier, context);
    if (specifier === '@jest/globals') {
      const source = `export const { ${NAMES} } = globalThis[Symbol.for('${GLOBALS.description}')]; // ${file}`;
      return { url: `data:text/javascript,${encodeURIComponent(source)}`, format: 'module', shortCircuit: true };
    }
    const found = next(specifier, context);
    const isOwn = found.url.startsWith(TEST_MODULES) && !SHARED.includes(found.url);
    return isOwn ? { ...found, url: `${found.url}?file=${file}` } : found;
  },
});

let files = 0;

class SharedRuntime {
  #environment;
  #file = ++files;

  constructor(config, environment, ...rest) {
    const testPath = rest.at(-2);
    if (isIsolated(testPath)) {
      const { default: JestRuntime } = require('jest-runtime');
      // biome-ignore lint/correctness/noConstructorReturn: jest constructs its runtime by itself
      return new JestRuntime(config, environment, ...rest);
    }
    this.#environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(file) {
    return import(`${pathToFileURL(file).href}?file=${this.#file}`);
  }

  requireModule(file) {
    return require(file);
  }

  /** The framework, whose state belongs to one file: evaluated anew for each. */
  requireInternalModule(file) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[file];
    return require(file);
  }

  setGlobalsForRuntime(globals) {
    globalThis[GLOBALS] = { ...globals, jest: this.#environment.jest };
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}

module.exports = { __esModule: true, default: SharedRuntime };
