import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { startProcess } from '../support/processes/process.js';
import { createDatabase } from '../support/service.js';

const CLIENTS = 20;
const MIB = 1024 * 1024;
/** `UPLOAD_MIB=49` tests the full guarantee: 20 clients with 50 MB each. */
const SIZE = Number(process.env.UPLOAD_MIB ?? 16) * MIB;
const MOST_RESIDENT_MIB = 400;

const residentMib = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Sends a form of one file in pieces, as fast as they are accepted. */
function upload(url: string, project: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const headers = { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'multipart/form-data; boundary=b' };
  const piece = Buffer.alloc(64 * 1024, 'a line of a long file\n');
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, path: '/api/v1/documents/', method: 'POST', headers },
      response => void response.resume().once('end', () => resolve(response.statusCode ?? 0)),
    );
    request.once('error', reject);
    request.write(`--b\r\nContent-Disposition: form-data; name="project"\r\n\r\n${project}\r\n`);
    request.write('--b\r\nContent-Disposition: form-data; name="file1"; filename="long.txt"\r\n\r\n');
    let sent = 0;
    const send = () => {
      for (; sent < SIZE; ) {
        sent += piece.length;
        if (!request.write(piece)) return void request.once('drain', send);
      }
      request.end('\r\n--b--\r\n');
    };
    send();
  });
}

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('twenty large files at a time are never held in memory', async () => {
  const storage = path.join(process.env.TEST_DATA_DIR as string, 'uploads-memory');
  const environment = { ...testEnvironment(await createDatabase()), STORAGE_URL: `file:${storage}`, ROLE: 'api' };
  const service = await startProcess(environment);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMib(service.child.pid!));
  }, 20);
  try {
    const made = await fetch(`${service.url}/api/v1/projects/`, {
      method: 'POST',
      headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'large files' }),
    });
    const { id } = (await made.json()) as { id: number };
    const statuses = await Promise.all(Array.from({ length: CLIENTS }, () => upload(service.url, id)));
    expect(statuses).toEqual(statuses.map(() => 201));
  } finally {
    clearInterval(watch);
    await service.end();
  }
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(MOST_RESIDENT_MIB);
});
