import { readdir, readFile } from 'node:fs/promises';

/** The unit of the times in /proc/<pid>/stat: USER_HZ, which is 100 on Linux. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** Of the process and of its children that have ended. */
  seconds: number;
}

/** CPU seconds of processes and all of their descendants, user and system. NaN without /proc. */
export async function cpuSeconds(roots: readonly number[]): Promise<number> {
  const entries = await readdir('/proc').catch(() => []);
  const all = await Promise.all(entries.filter(name => /^\d+$/.test(name)).map(timesOf));
  const known = all.filter(one => one !== undefined);
  if (known.length === 0) return Number.NaN;
  const counted = new Set(roots);
  // One pass finds all descendants unless process ids have wrapped around and a child is listed before its parent.
  for (let before = 0; before !== counted.size; ) {
    before = counted.size;
    for (const { pid, parent } of known) if (counted.has(parent)) counted.add(pid);
  }
  return known.reduce((sum, { pid, seconds }) => sum + (counted.has(pid) ? seconds : 0), 0);
}

async function timesOf(pid: string): Promise<ProcessTimes | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 15) return undefined;
  // utime, stime, cutime and cstime (proc_pid_stat(5)).
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number(pid), parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
}

/**
 * Memory of processes in MiB, as proportional set size: a shared page, such as one of the buffers of PostgreSQL, is
 * divided among its processes. A process that has ended or cannot be read counts as 0.
 */
export async function residentMib(pids: readonly number[]): Promise<number> {
  const sizes = pids.map(async pid => {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
