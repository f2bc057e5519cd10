import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IdleConnections } from '../../src/fast-lane/idle-connections.js';
import { eventually } from '../support/eventually.js';

const IDLE_MS = 300;

describe('IdleConnections', () => {
  let server: http.Server;
  let connections: IdleConnections;
  /** A request under `/slow` is answered after this. */
  let finish = Promise.withResolvers<void>();

  beforeEach(async () => {
    finish = Promise.withResolvers<void>();
    server = http.createServer(async (request, response) => {
      connections.use(request.socket, response);
      response.on('close', () => connections.release(request.socket));
      if (request.url === '/slow') await finish.promise;
      response.end('done');
    });
    connections = new IdleConnections(server, IDLE_MS);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    connections.stop();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });

  /** A connection with a request for `path`; `closed` resolves when the server has closed it. */
  async function ask(path: string, version = '1.1') {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    const closed = once(socket, 'close').then(() => true);
    await once(socket, 'connect');
    const answer = once(socket, 'data').then(([text]) => text as string);
    socket.write(`GET ${path} HTTP/${version}\r\nHost: here\r\n\r\n`);
    return { socket, closed, answer };
  }

  const within = (ms: number, closed: Promise<boolean>) => Promise.race([closed, delay(ms, false)]);

  /** Stops the clock that measures idle times. Returns a function that advances it. */
  function stopClock(): (ms: number) => void {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    return ms => {
      now += ms;
    };
  }

  it('closes an idle connection, not before the timeout that it announces', async () => {
    const advance = stopClock();
    const { answer, closed } = await ask('/');
    expect(await answer).toMatch(/\r\nkeep-alive: timeout=0\r\n/i);
    advance(IDLE_MS - 1);
    expect(await within(IDLE_MS / 2, closed)).toBe(false);
    advance(2 * IDLE_MS);
    expect(await closed).toBe(true);
  });

  it('keeps a connection open whose answer takes longer', async () => {
    const { answer, closed } = await ask('/slow');
    expect(await within(3 * IDLE_MS, closed)).toBe(false);
    finish.resolve();
    expect(await answer).toContain('done');
    expect(await closed).toBe(true);
  });

  it('closes a connection without any request', async () => {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    await once(socket, 'close');
  });

  it('restarts the timeout with each answer, and waits for requests in progress', async () => {
    const advance = stopClock();
    const connected = once(server, 'connection');
    const { socket, answer, closed } = await ask('/');
    const [serverSocket] = (await connected) as [net.Socket];
    await answer;
    for (let nth = 0; nth < 4; nth++) {
      advance(IDLE_MS - 1);
      await delay(IDLE_MS / 5);
      socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
      expect(await Promise.race([once(socket, 'data').then(String), closed])).toContain('done');
    }
    const { bytesRead } = serverSocket;
    socket.write('GET / HTTP/1.1\r\nHo');
    await eventually(
      async () => serverSocket.bytesRead,
      bytes => bytes > bytesRead,
    );
    advance(3 * IDLE_MS);
    expect(await within(IDLE_MS, closed)).toBe(false);
    socket.destroy();
  });

  it('announces no timeout to a client that sends no further request', async () => {
    const { answer } = await ask('/', '1.0');
    expect(await answer).not.toMatch(/keep-alive/i);
  });
});
