import { spawn } from 'node:child_process';

/** Runs a command with this terminal; resolves with its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/** Runs jest on the compiled tests under this Node. */
export function jest(args) {
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--enable-source-maps'];
  return run(process.execPath, [...node, 'node_modules/jest/bin/jest.js', ...args]);
}

/** Compiles sources and tests into build/. */
export async function compileTests({ fresh }) {
  if (fresh) {
    const { rmSync } = await import('node:fs');
    rmSync('build', { recursive: true, force: true });
  }
  return run('tsc', ['-p', 'tsconfig.test.json']);
}
