let armed: { name: string; hits: number; signal: 'SIGKILL' | 'SIGSTOP' } | undefined;

/** Signals are delivered asynchronously. No code after the failpoint may run before the delivery. */
const DELIVERY_MS = 250;

/**
 * Arms a failpoint, only for tests. `name` or `name:n`: the process kills itself when it reaches the point for the n-th
 * time. `name:n:stop`: the process suspends itself there until a SIGCONT.
 */
export function armFailpoint(text: string | undefined): void {
  if (!text) {
    armed = undefined;
    return;
  }
  const [name = '', nth = '1', how] = text.split(':');
  armed = { name, hits: Number(nth), signal: how === 'stop' ? 'SIGSTOP' : 'SIGKILL' };
}

/** Marks a place between two steps where a test can kill the process. */
export function failpoint(name: string): void {
  if (armed?.name !== name || --armed.hits > 0) return;
  const { signal } = armed;
  armed = undefined;
  process.kill(process.pid, signal);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, signal === 'SIGSTOP' ? DELIVERY_MS : undefined);
}
