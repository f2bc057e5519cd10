import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ResultStream } from '../../src/graphql/subscriptions/result-stream.js';
import { streamFormatOf } from '../../src/graphql/subscriptions/stream-formats.js';
import { whenWritable } from '../../src/platform/streams/response-flow.js';
import { eventually } from '../support/eventually.js';
import { untilUnchanged } from './until-unchanged.js';

const TEXT = 'x'.repeat(100_000);

let server: http.Server;
let client: net.Socket;
let heartbeatMs: number;
/** Number of results that the source has produced. */
let read: number;
let isReturned: boolean;
/** Results that the source produces without waiting for the client. */
let limit: number;

/** A source that is as fast as its reader. */
function sourceFor(response: http.ServerResponse): AsyncIterator<{ data: { text: string } }> {
  return {
    async next() {
      await whenWritable(response);
      await new Promise(resolve => setImmediate(resolve));
      if (read >= limit) await new Promise<void>(resolve => response.once('close', resolve));
      if (isReturned) return { done: true, value: undefined };
      return { done: false, value: { data: { text: `${++read} ${TEXT}` } } };
    },
    async return() {
      isReturned = true;
      return { done: true, value: undefined };
    },
  };
}

beforeEach(async () => {
  read = 0;
  isReturned = false;
  limit = Number.POSITIVE_INFINITY;
  heartbeatMs = 60_000;
  server = http.createServer((_request, response) => {
    void new ResultStream(response, streamFormatOf('text/event-stream')!, sourceFor(response), heartbeatMs).run();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

function connect(): void {
  client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
}

it('stops reading for a client that does not read, and continues without a gap when it does', async () => {
  connect();
  client.pause();
  const before = await untilUnchanged(() => read);
  let text = '';
  client.setEncoding('utf8').on('data', part => {
    text += part;
  });
  client.resume();
  await eventually(
    async () => read,
    now => now > before + 20,
  );
  const numbers = [...text.matchAll(/"text":"(\d+) /g)].map(([, number]) => Number(number));
  expect(numbers.length).toBeGreaterThan(before);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});

it('disconnects a client that reads nothing between two heartbeats, and stops the source', async () => {
  heartbeatMs = 50;
  connect();
  client.pause();
  await eventually(
    async () => isReturned,
    isDone => isDone,
  );
  await eventually(
    () => new Promise<number>(resolve => server.getConnections((_, count) => resolve(count))),
    open => open === 0,
  );
});

it('sends heartbeats to a client that reads', async () => {
  heartbeatMs = 20;
  limit = 1;
  connect();
  let text = '';
  client.setEncoding('utf8').on('data', part => {
    text += part;
  });
  await eventually(
    async () => text,
    now => now.split('\n:\n\n').length > 4,
  );
  expect(isReturned).toBe(false);
});
