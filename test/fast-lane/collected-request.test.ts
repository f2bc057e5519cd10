import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CollectedRequest } from '../../src/fast-lane/collected-request.js';

const head = (length: number) => `POST / HTTP/1.1\r\nHost: here\r\nContent-Length: ${length}\r\n\r\n`;

/** A server that returns each body: collected, or under `/stream` read as a stream. */
describe('CollectedRequest', () => {
  let server: http.Server<typeof CollectedRequest>;
  /** Number of responses whose client disconnected before their end. */
  let aborted = 0;
  /** Names of the requests whose streams have ended. */
  let ended: string[];
  /** Names of the requests that have arrived completely. */
  let arrived: string[];

  beforeEach(async () => {
    aborted = 0;
    ended = [];
    arrived = [];
    server = http.createServer({ IncomingMessage: CollectedRequest }, (request, response) => {
      response.on('close', () => {
        if (!response.writableFinished) aborted++;
        request.finish();
      });
      request.on('close', () => {
        if (request.readableEnded) ended.push(request.url ?? '');
      });
      request.onArrival({ handleArrival: () => arrived.push(request.url ?? '') });
      const body = request.url === '/stream' ? text(request) : request.collect().then(bytes => bytes.toString());
      void body.then(sent => response.end(`<${sent}>`));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });

  const connect = () => net.connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');

  /** The received text as soon as it contains `end`. */
  async function readUntil(socket: net.Socket, end: string): Promise<string> {
    let received = '';
    while (!received.includes(end)) received += (await once(socket, 'data'))[0];
    return received;
  }

  it('collects the whole body when it arrives in pieces', async () => {
    const socket = connect();
    socket.write(`${head(9)}one`);
    for (const piece of ['two', 'six']) {
      await new Promise(resolve => setTimeout(resolve, 20));
      socket.write(piece);
    }
    expect(await readUntil(socket, '<onetwosix>')).toContain('200 OK');
    socket.destroy();
  });

  it('collects an empty body when none was sent', async () => {
    const socket = connect();
    socket.write(head(0));
    expect(await readUntil(socket, '<>')).toContain('200 OK');
    socket.destroy();
  });

  it('leaves the connection to the next request, also to a pipelined one', async () => {
    const socket = connect();
    socket.write(`${head(3)}one${head(3)}two${head(3).replace('/', '/stream')}six`);
    const received = await readUntil(socket, '<six>');
    expect(received.match(/<\w+>/g)).toEqual(['<one>', '<two>', '<six>']);
    socket.write(`${head(4)}more`);
    expect(await readUntil(socket, '<more>')).toContain('200 OK');
    while (ended.length < 4) await new Promise(resolve => setTimeout(resolve, 5));
    expect(ended).toEqual(['/', '/', '/stream', '/']);
    socket.destroy();
  });

  it('reports once that a request has arrived, collected or as a stream', async () => {
    const socket = connect();
    socket.write(`${head(9).replace('/', '/stream')}one`);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(arrived).toEqual([]);
    socket.write(`twosix${head(3)}one`);
    await readUntil(socket, '<one>');
    expect(arrived).toEqual(['/stream', '/']);
    socket.destroy();
  });

  it('ends when its client has disconnected in the middle of the body', async () => {
    const socket = connect();
    socket.write(`${head(9)}one`);
    await new Promise(resolve => setTimeout(resolve, 20));
    socket.destroy();
    while (aborted === 0) await new Promise(resolve => setTimeout(resolve, 5));
    expect(aborted).toBe(1);
  });
});
