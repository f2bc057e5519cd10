import { spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../processes/free-port.js';
import { type StartedProcess, stopperOf } from '../processes/processes.js';
import { installPeer } from './peers.js';

const VERSION = '1.15.2';
const TIMEOUT_MS = 60_000;

/** `@portkey-ai/gateway`, installed by npm at its first use. Throws if it is not available. */
export async function startPortkey(): Promise<StartedProcess> {
  const folder = await installPeer({ name: '@portkey-ai/gateway', version: VERSION });
  const script = path.join(folder, 'build', 'start-server.js');
  const port = await freePort();
  const child = spawn(process.execPath, [script, `--port=${port}`, '--headless'], {
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

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
