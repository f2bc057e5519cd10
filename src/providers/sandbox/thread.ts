// A thread of the pool. It runs one script at a time, because an endless loop blocks its thread.
import { parentPort } from 'node:worker_threads';
import { execute } from './execute.js';
import { Interpreters } from './interpreters.js';
import type { Task } from './protocol.js';

/** The default of `memory_mb` of a code node. Scripts with another limit load their own interpreter. */
const DEFAULT_MEMORY_MB = 16;

// Keeps the last interpreter for the next script with the same limit. Each script has its own runtime and context in it.
const interpreters = new Interpreters();
parentPort?.on('message', async (task: Task) => {
  const module = await interpreters.acquire(task.memoryMb);
  parentPort?.postMessage(execute(module, task));
});
// Loads the interpreter before the thread is ready, so that this does not count towards the time of the first script.
await interpreters.acquire(DEFAULT_MEMORY_MB);
parentPort?.postMessage('ready');
