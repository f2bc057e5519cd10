let armed: { name: string; hits: number } | undefined;

/** `name` or `name:n`: the process kills itself at the n-th time it passes the point of this name. Tests only. */
export function armFailpoint(text: string | undefined): void {
  if (!text) {
    armed = undefined;
    return;
  }
  const [name = '', nth = '1'] = text.split(':');
  armed = { name, hits: Number(nth) };
}

/** A place between two steps where a test may want the process to die. */
export function failpoint(name: string): void {
  if (armed?.name !== name || --armed.hits > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered asynchronously; nothing after this point may run.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
