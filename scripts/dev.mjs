// Compiles on every change and restarts the service on what was compiled: an edit is live in one to two seconds.
// The browser pages are bundled once, at the start; after changing pages/ run: node scripts/build-pages.mjs
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'];

/** The service drains for at most 30 seconds on SIGTERM; what is left after this is ended. */
const STOP_WITHIN_MS = 35_000;

const running = new Map();
let exitCode = 0;
let isStopping = false;

// Each in a process group of its own: the compiler and the watcher both run their work in a child, which a signal to
// the parent alone would leave behind.
function start(name, args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true });
  running.set(name, child);
  child.on('exit', (code, signal) => {
    running.delete(name);
    if (!isStopping) {
      console.error(`${name} ended (${signal ?? code})`);
      stop(code ?? 1);
    }
    if (running.size === 0) process.exit(exitCode);
  });
}

function signalAll(signal) {
  for (const child of running.values()) {
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      // Already gone: its exit event is on the way.
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

function stop(code) {
  if (isStopping) return;
  isStopping = true;
  exitCode = code;
  signalAll('SIGTERM');
  setTimeout(() => signalAll('SIGKILL'), STOP_WITHIN_MS).unref();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
process.on('exit', () => signalAll('SIGKILL'));

// A type error is shown and does not stop the loop: the compiler writes its output all the same.
spawnSync(process.execPath, compile, { cwd: root, stdio: 'inherit' });
const pages = spawnSync(process.execPath, ['scripts/build-pages.mjs'], { cwd: root, stdio: 'inherit' });
if (pages.status !== 0) process.exit(pages.status ?? 1);

start('tsc', [...compile, '--watch', '--preserveWatchOutput']);
start('service', ['--enable-source-maps', '--watch', '--watch-preserve-output', 'dist/src/main.js']);
