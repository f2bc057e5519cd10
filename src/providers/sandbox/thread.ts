import { parentPort } from 'node:worker_threads';
import { execute } from './execute.js';
import { Interpreters } from './interpreters.js';
import type { Task } from './protocol.js';

/** A thread of the pool: one script at a time, for an endless loop stops everything in its thread. */
const interpreters = new Interpreters();
parentPort?.on('message', async (task: Task) => {
  const module = await interpreters.take(task.memoryMb);
  parentPort?.postMessage(execute(module, task));
});
// The first script does not wait for the interpreter within its own time.
await interpreters.take(16);
parentPort?.postMessage('ready');
