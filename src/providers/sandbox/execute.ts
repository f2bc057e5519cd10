import {
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten-core';
import { parseJsonText } from '../../engine/json-value.js';
import { type HostFunction, hostFunctions } from './host-functions.js';
import { hasGrown } from './interpreters.js';
import { PRELUDE } from './prelude.js';
import type { Reply, Task, TaskErrorCode } from './protocol.js';
import { type SavedFile, ScriptFiles } from './script-files.js';
import { ScriptLog } from './script-log.js';
import { stripTypes } from './strip-types.js';
import { usesWebGlobals, WEB_PLATFORM } from './web-platform.js';

/** Maximum characters of a result, the same as for a rendered template. */
const MAX_RESULT = 8 * 1024 * 1024;
const MIB = 1024 * 1024;
/** The maximum stack of a script. Deeper recursion throws an error in the script. */
const STACK_BYTES = 256 * 1024;
/** Jobs between two checks of the time limit. A chain of small jobs may never reach the interrupt handler. */
const JOBS_PER_CHECK = 256;
/** A thread with more memory is ended, which frees its memory immediately. A released interpreter waits for garbage collection. */
const MAX_IDLE_BYTES = 48 * MIB;
/** The file name in stack traces, by which `#failure` finds the line of the user's code. */
const FILE = 'code.js';
/** Messages of QuickJS errors that mean that the memory limit is reached. */
const OUT_OF_MEMORY = new Set(['out of memory', 'string too long']);

type Failure = { code: TaskErrorCode; message: string };

class ScriptFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
    this.name = ScriptFailure.name;
  }
}

const scriptFailure = (code: TaskErrorCode, message: string) => new ScriptFailure({ code, message });

/** Runs one script in a new runtime and frees the runtime. */
export function execute(module: QuickJSWASMModule, task: Task): Reply {
  // The body starts on the first line of the file, so that errors name the lines that the user sees.
  const source = `(async function (input, nodes, files, saveFile) {${task.code}\n})`;
  if (task.language !== 'typescript') return executeSource(module, task, source);
  // Types are removed before the time of the script starts.
  const stripped = stripTypes(source);
  if ('code' in stripped) return executeSource(module, task, stripped.code);
  return { code: 'code_error', message: `SyntaxError: ${stripped.fault}`, mustEnd: false };
}

function executeSource(module: QuickJSWASMModule, task: Task, source: string): Reply {
  const log = new ScriptLog();
  const saved: SavedFile[] = [];
  let result: { content: string } | Failure = { code: 'code_error', message: 'the script broke the sandbox' };
  let isBroken = false;
  try {
    const scope = new Scope();
    result = new Execution(module, scope, { task, source, log, saved }).run();
    // Frees every value, the context and the runtime, the last one first.
    scope.dispose();
  } catch {
    // A trap or a failed assertion of the interpreter. Its memory may be corrupt.
    isBroken = true;
  }
  const logged = log.lines.length > 0 ? { log: log.lines } : {};
  const files = 'content' in result && saved.length > 0 ? { files: saved } : {};
  return {
    ...result,
    ...files,
    ...logged,
    mustEnd: isBroken || module.getWasmMemory().buffer.byteLength > MAX_IDLE_BYTES,
  };
}

class Execution {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #deadline: number;
  private readonly task: Task;
  private readonly source: string;
  private readonly log: ScriptLog;
  readonly #files: ScriptFiles;
  #isTimedOut = false;

  constructor(
    private readonly module: QuickJSWASMModule,
    private readonly scope: Scope,
    { task, source, log, saved }: { task: Task; source: string; log: ScriptLog; saved: SavedFile[] },
  ) {
    this.task = task;
    this.source = source;
    this.log = log;
    this.#files = new ScriptFiles(task.files.contents, saved);
    this.#deadline = performance.now() + task.timeoutMs;
    const runtime = scope.manage(module.newRuntime());
    runtime.setMemoryLimit(task.memoryMb * MIB);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => this.#checkTime());
    this.#runtime = runtime;
    this.#context = scope.manage(runtime.newContext());
  }

  run(): { content: string } | Failure {
    try {
      return { content: this.#content() };
    } catch (error) {
      if (isTrap(error)) throw error;
      if (this.#isTimedOut) return timedOut(this.task);
      if (error instanceof ScriptFailure) return error.failure;
      throw error;
    }
  }

  #content(): string {
    const { scope } = this;
    const context = this.#context;
    const prelude = scope.manage(context.unwrapResult(context.evalCode(PRELUDE)));
    const preludeFunction = (name: string) => scope.manage(context.getProp(prelude, name));
    const describe = preludeFunction('describe');
    const call = (fn: QuickJSHandle, ...args: QuickJSHandle[]) => {
      const result = context.callFunction(fn, context.undefined, args);
      if (result.error) throw this.#failure(scope.manage(result.error), describe, 'code_error');
      return scope.manage(result.value);
    };
    const input = call(preludeFunction('parse'), this.#text(this.task.input));
    const nodes = call(
      preludeFunction('nodesOf'),
      this.#text(JSON.stringify([...this.task.nodes.keys()])),
      ...this.#readers(),
    );
    if (usesWebGlobals(this.task.code)) {
      const platform = context.evalCode(WEB_PLATFORM);
      if (platform.error) throw this.#failure(scope.manage(platform.error), describe, 'code_error');
      call(scope.manage(platform.value), this.#host());
    }
    const compiled = context.evalCode(this.source, FILE);
    if (compiled.error) throw this.#failure(scope.manage(compiled.error), describe, 'code_error');
    const promise = call(scope.manage(compiled.value), input, nodes, ...this.#fileArguments(preludeFunction, call));
    this.#runJobs(describe);
    // After an interrupted job the code may continue, so its result is not valid.
    if (this.#checkTime()) throw new ScriptFailure(timedOut(this.task));
    const state = context.getPromiseState(promise);
    if (state.type === 'pending') throw scriptFailure('code_error', 'the code waits for something that never happens');
    if (state.type === 'rejected') throw this.#failure(scope.manage(state.error), describe, 'code_error');
    const [value, limit] = [scope.manage(state.value), scope.manage(context.newNumber(MAX_RESULT))];
    const encoded = context.callFunction(preludeFunction('encodeResult'), context.undefined, value, limit);
    if (encoded.error) throw this.#failure(scope.manage(encoded.error), describe, 'code_result');
    return this.#decodeResult(scope.manage(encoded.value));
  }

  #runJobs(describe: QuickJSHandle): void {
    while (this.#runtime.hasPendingJob()) {
      if (this.#checkTime()) throw new ScriptFailure(timedOut(this.task));
      const jobs = this.#runtime.executePendingJobs(JOBS_PER_CHECK);
      if (jobs.error) throw this.#failure(this.scope.manage(jobs.error), describe, 'code_error');
    }
  }

  /** Returns the text that `encodeResult` encodes as a JSON string, null if it is too large, and undefined if there is none. */
  #decodeResult(handle: QuickJSHandle): string {
    const type = this.#context.typeof(handle);
    if (type === 'string') return JSON.parse(this.#context.getString(handle)) as string;
    throw scriptFailure(
      'code_result',
      type === 'undefined'
        ? 'the returned value has no JSON form; allowed are texts, numbers, true, false, null, lists and objects'
        : `the returned value is larger than ${MAX_RESULT} characters`,
    );
  }

  #readers(): QuickJSHandle[] {
    const { nodes } = this.task;
    const reader = (name: string, read: (content: string) => string | undefined) =>
      this.scope.manage(
        this.#context.newFunction(name, id => {
          const text = read(nodes.get(this.#context.getString(id)) ?? '');
          return text === undefined ? this.#context.undefined : this.#newText(text);
        }),
      );
    return [
      reader('contentOf', content => JSON.stringify(content)),
      reader('parseJson', content => {
        const json = parseJsonText(content);
        return json === undefined ? undefined : JSON.stringify(json);
      }),
    ];
  }

  /** The arguments `files` and `saveFile` of the script. */
  #fileArguments(
    preludeFunction: (name: string) => QuickJSHandle,
    call: (fn: QuickJSHandle, ...args: QuickJSHandle[]) => QuickJSHandle,
  ): QuickJSHandle[] {
    const context = this.#context;
    const manage = (name: string, fn: (...args: QuickJSHandle[]) => QuickJSHandle) =>
      this.scope.manage(context.newFunction(name, fn));
    const bytesOf = manage('bytesOf', index => {
      const bytes = this.#files.read(context.getNumber(index!));
      this.#assertFits(bytes.length);
      return context.newArrayBuffer(new Uint8Array(bytes).buffer);
    });
    const textOf = manage('textOf', index => {
      const json = this.#files.readText(context.getNumber(index!));
      return json === undefined ? context.undefined : this.#newText(json);
    });
    const save = manage('save', (name, content) => {
      const isText = context.typeof(content!) === 'string';
      const data = isText
        ? context.getString(content!)
        : context.getArrayBuffer(content!).consume(({ value }) => new Uint8Array(value));
      return this.#newText(this.#files.save(context.getString(name!), data));
    });
    return [
      call(preludeFunction('filesOf'), this.#text(this.task.files.references), bytesOf, textOf),
      call(preludeFunction('saverOf'), save),
    ];
  }

  /** An object with the functions of the thread that the web globals call. */
  #host(): QuickJSHandle {
    const host = this.scope.manage(this.#context.newObject());
    for (const [name, execute] of Object.entries(hostFunctions(this.log))) {
      this.#context.setProp(host, name, this.#hostFunction(name, execute));
    }
    return host;
  }

  #hostFunction(name: string, execute: HostFunction): QuickJSHandle {
    const fn = this.#context.newFunction(name, argument => this.#newText(execute(this.#context.getString(argument))));
    return this.scope.manage(fn);
  }

  #text(text: string): QuickJSHandle {
    return this.scope.manage(this.#newText(text));
  }

  /** Checks the length first, because the copy uses memory outside of the limit of the script. */
  #newText(text: string): QuickJSHandle {
    this.#assertFits(text.length);
    return this.#context.newString(text);
  }

  #assertFits(length: number): void {
    // Inside a function that the script called, the interpreter turns the failure into an error of the script with the same name and
    // message, by which `#failure` recognizes it. The script may catch it.
    if (length > this.task.memoryMb * MIB) throw new ScriptFailure(outOfMemory(this.task));
  }

  #failure(error: QuickJSHandle, describe: QuickJSHandle, code: TaskErrorCode): ScriptFailure {
    if (this.#isTimedOut) return new ScriptFailure(timedOut(this.task));
    const described = this.#context.callFunction(describe, this.#context.undefined, error);
    // Describing an error needs little memory, so a failure here means that none is left.
    if (described.error) {
      described.error.dispose();
      return new ScriptFailure(this.#isTimedOut ? timedOut(this.task) : outOfMemory(this.task));
    }
    const json = described.value.consume(text => this.#context.getString(text));
    const { name, message, stack } = JSON.parse(json) as { name: string; message: string; stack: string };
    if (this.#isOutOfMemory(name, message)) return new ScriptFailure(outOfMemory(this.task));
    const line = /code\.js:(\d+)/.exec(stack)?.[1];
    const summary = name === '' ? `the code threw ${message}` : `${name}: ${message}`;
    return scriptFailure(code, `${summary.toWellFormed()}${line === undefined ? '' : ` (line ${line})`}`);
  }

  #isOutOfMemory(name: string, message: string): boolean {
    if (name === ScriptFailure.name) return message === outOfMemory(this.task).message;
    if (name === 'InternalError') return OUT_OF_MEMORY.has(message);
    // Without memory for an error object, the interpreter throws null.
    return name === '' && message === 'null' && hasGrown(this.module);
  }

  #checkTime(): boolean {
    this.#isTimedOut ||= performance.now() > this.#deadline;
    return this.#isTimedOut;
  }
}

/** Whether the interpreter aborted. Its memory may be corrupt then. */
function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}

function outOfMemory({ memoryMb }: Task): Failure {
  return { code: 'code_memory', message: `the script needs more than its memory_mb of ${memoryMb}` };
}

function timedOut({ timeoutMs }: Pick<Task, 'timeoutMs'>): Failure {
  return { code: 'code_timeout', message: `the script did not end within ${Math.round(timeoutMs) / 1000} seconds` };
}
