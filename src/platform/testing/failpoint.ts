let armed: { name: string; hits: number; signal: 'SIGKILL' | 'SIGSTOP' } | undefined;

/** A signal is delivered asynchronously: nothing after the point may run before it is. */
const DELIVERY_MS = 250;

/**
 * `name` or `name:n`: the process kills itself at the n-th time it passes the point of this name. `name:n:stop`: it
 * stops itself there, and goes on when somebody continues it. Tests only.
 */
export function armFailpoint(text: string | undefined): void {
  if (!text) {
    armed = undefined;
    return;
  }
  const [name = '', nth = '1', how] = text.split(':');
  armed = { name, hits: Number(nth), signal: how === 'stop' ? 'SIGSTOP' : 'SIGKILL' };
}

/** A place between two steps where a test may want the process to die. */
export function failpoint(name: string): void {
  if (armed?.name !== name || --armed.hits > 0) return;
  const { signal } = armed;
  armed = undefined;
  process.kill(process.pid, signal);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, signal === 'SIGSTOP' ? DELIVERY_MS : undefined);
}
