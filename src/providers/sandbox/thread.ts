import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core';
import { execute } from './execute.js';
import type { Task } from './protocol.js';

/** A thread of the pool: one script at a time, for an endless loop stops everything in its thread. */
// The package's types describe its CommonJS form; imported as a module its default export is the variant itself.
const module = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
parentPort?.on('message', (task: Task) => parentPort?.postMessage(execute(module, task)));
parentPort?.postMessage('ready');
