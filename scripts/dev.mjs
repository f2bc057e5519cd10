// Compiles on every change and restarts the service, which takes one to two seconds. The console is served with instant
// reload on port 5173. Other browser pages are bundled only at startup. After changes in pages/ run: node
// scripts/build-pages.mjs. After changes of a .graphql file run: node console/generate.mjs
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'];

/** The service drains for at most 30 seconds after SIGTERM. Then it is killed. */
const STOP_WITHIN_MS = 35_000;

const running = new Map();
let exitCode = 0;
let isStopping = false;

// Separate process groups: the compiler and the watcher each run their work in a child, which a signal to the parent
// would not reach.
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
      // The process has already exited; its exit event follows.
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

// A type error is printed and does not stop the loop, because the compiler still writes its output.
spawnSync(process.execPath, compile, { cwd: root, stdio: 'inherit' });
const pages = spawnSync(process.execPath, ['scripts/build-pages.mjs'], { cwd: root, stdio: 'inherit' });
if (pages.status !== 0) process.exit(pages.status ?? 1);

const consoleBuild = spawnSync(process.execPath, ['console/build.mjs'], { cwd: root, stdio: 'inherit' });
if (consoleBuild.status !== 0) process.exit(consoleBuild.status ?? 1);

start('tsc', [...compile, '--watch', '--preserveWatchOutput']);
start('console', ['node_modules/vite/bin/vite.js', '--config', 'console/vite.config.mjs']);
start('service', ['--enable-source-maps', '--watch', '--watch-preserve-output', 'dist/src/main.js']);
