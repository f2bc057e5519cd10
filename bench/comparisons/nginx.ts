import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../processes/free-port.js';
import { type StartedProcess, stopperOf } from '../processes/processes.js';

const TIMEOUT_MS = 10_000;

/** nginx of the system as a proxy of `upstream`: one worker, without buffering. Throws if it is not installed. */
export async function startNginx(upstream: string): Promise<StartedProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-nginx-'));
  const port = await freePort();
  await writeFile(path.join(folder, 'nginx.conf'), configuration(port, new URL(upstream).host));
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  // A process that could not be spawned has no pid and never exits.
  const stopChild = child.pid === undefined ? async () => {} : stopperOf(child);
  const stop = async () => {
    await stopChild();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.race([failed, waitUntilListening(url)]);
  } catch (error) {
    await stop();
    throw new Error(`nginx did not start: ${(error as Error).message}`);
  }
  return { url, pid: child.pid, stop };
}

async function waitUntilListening(url: string): Promise<void> {
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await delay(50)) {
    const response = await fetch(`${url}/alive`).catch(() => undefined);
    if (response?.status === 204) return;
  }
  throw new Error(`no response within ${TIMEOUT_MS} ms`);
}

function configuration(port: number, upstream: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `  ${name}_temp_path ${name};`);
  return `daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
${paths.join('\n')}
  keepalive_requests 1000000;
  upstream models { server ${upstream}; keepalive 512; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port} backlog=2048;
    location = /alive { return 204; }
    location / {
      proxy_pass http://models;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;
}
