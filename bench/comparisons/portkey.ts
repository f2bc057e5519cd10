import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../processes/free-port.js';
import { repository, type StartedProcess, stopperOf } from '../processes/processes.js';

const VERSION = '1.15.2';
const FOLDER = path.join(repository(), 'bench', 'peers');
const SERVER = path.join(FOLDER, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');
const TIMEOUT_MS = 60_000;

/** `@portkey-ai/gateway`, installed by npm at its first use. Throws if it is not available. */
export async function startPortkey(): Promise<StartedProcess> {
  if (!existsSync(SERVER)) await install();
  const port = await freePort();
  const child = spawn(process.execPath, [SERVER, `--port=${port}`, '--headless'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  const stop = stopperOf(child);
  const until = Date.now() + TIMEOUT_MS;
  while (!(await isOpen(port))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop();
      throw new Error('the gateway did not start');
    }
    await delay(100);
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop };
}

async function install(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, 'package.json'), '{"private":true}\n');
  const child = spawn(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', `@portkey-ai/gateway@${VERSION}`],
    {
      cwd: FOLDER,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    },
  );
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0 || !existsSync(SERVER)) throw new Error(`npm could not install @portkey-ai/gateway (exit ${code})`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
