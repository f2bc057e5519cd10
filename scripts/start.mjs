// Starts the service: node scripts/start.mjs [api|worker] [--default-heap]. launch-options.json contains the Node flags
// and allocator settings; docs/performance.md explains the figures. `--default-heap` lets Node choose the heap size
// from the container's limit. On platforms with exec this process becomes the service; on Windows it is its parent.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const options = process.argv.slice(2);
if (options.includes('--help') || options.includes('-h')) {
  console.log(`npm start, npm run start:api, npm run start:worker [-- --default-heap]
Starts the service. Environment variables configure it; docs/configuration.md lists them.
  --default-heap  lets Node choose the heap size`);
  process.exit(0);
}
const role = options.find(option => !option.startsWith('--'));
const { flags, heap, environment } = JSON.parse(
  readFileSync(new URL('./launch-options.json', import.meta.url), 'utf8'),
);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const nodeArguments = [...flags, ...(options.includes('--default-heap') ? [] : [heap]), main];
const env = { ...environment, ...process.env, ...(role === undefined ? {} : { ROLE: role }) };

if (process.platform !== 'win32' && typeof process.execve === 'function') {
  process.execve(process.execPath, [process.execPath, ...nodeArguments], env);
} else {
  const child = spawn(process.execPath, nodeArguments, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}
