import type { StartedProcess } from './processes.js';

/** Waits until a process has started and stops it at the end of the work. */
export type StartForWork = (starting: Promise<StartedProcess>) => Promise<StartedProcess>;

/** Stops all processes that the work has started when it ends, also if it throws, the last one first. */
export async function withProcesses<T>(work: (start: StartForWork) => Promise<T>): Promise<T> {
  const started: StartedProcess[] = [];
  const start: StartForWork = async starting => {
    const process = await starting;
    started.push(process);
    return process;
  };
  try {
    return await work(start);
  } finally {
    for (const process of started.toReversed()) await process.stop();
  }
}
