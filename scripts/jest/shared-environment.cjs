// The environment of test files that run in the worker's own context. It restores global state after each file.
const { flushCompileCache } = require('node:module');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');
const { beginFile } = require('./file-costs.cjs');
const { dropDatabases } = require('./file-databases.cjs');
const { isIsolated } = require('./isolated.cjs');

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const realExit = process.exit;

class IsolatedEnvironment extends NodeEnvironment {
  #end;

  constructor(config, context) {
    super(config, context);
    this.#end = beginFile(context.testPath);
  }

  async teardown() {
    await super.teardown();
    this.#end();
  }
}

class SharedEnvironment {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  #variables = { ...process.env };

  #end;

  constructor(config, context) {
    if (isIsolated(context.testPath)) {
      // biome-ignore lint/correctness/noConstructorReturn: jest calls the constructor
      return new IsolatedEnvironment(config, context);
    }
    this.#end = beginFile(context.testPath);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  get jest() {
    const { moduleMocker, fakeTimersModern } = this;
    return {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => moduleMocker.restoreAllMocks(),
      useFakeTimers: options => fakeTimersModern.useFakeTimers(options),
      useRealTimers: () => fakeTimersModern.useRealTimers(),
      setSystemTime: now => fakeTimersModern.setSystemTime(now),
      advanceTimersByTime: ms => fakeTimersModern.advanceTimersByTime(ms),
      getTimerCount: () => fakeTimersModern.getTimerCount(),
      setTimeout: ms => {
        globalThis[TIMEOUT] = ms;
      },
    };
  }

  async setup() {
    // jest has just changed both for its own context. Node maps stacks to sources itself, and long stacks are
    // expensive.
    Error.prepareStackTrace = undefined;
    Error.stackTraceLimit = 20;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    delete globalThis[TIMEOUT];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    process.exit = realExit;
    await dropDatabases();
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    // Otherwise Node writes the cache at exit, which takes longer than jest waits for a worker.
    flushCompileCache();
    this.#end();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

module.exports = SharedEnvironment;
