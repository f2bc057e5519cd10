// Runs test files directly in a jest worker, with Node's module loader. jest's runtime gives each file a context in
// which the service and its dependencies are loaded and compiled again. That took most of the suite's processor time.
// Here modules of src/ and node_modules/ load once per worker, modules of test/ once per file. isolated.cjs lists files
// that need their own process.
const { registerHooks } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { isIsolated } = require('./isolated.cjs');

const GLOBALS = Symbol.for('scenarium.jest');
const NAMES = 'afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test';
const TEST_MODULES = pathToFileURL(path.join(__dirname, '../../build/test/')).href;
/** Expensive modules of test/ without hooks. They load once per worker as well. */
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
      // biome-ignore lint/correctness/noConstructorReturn: jest calls the constructor
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

  /** Loads the test framework again for each file, because its state belongs to one file. */
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
