import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { WebSocket, WebSocketServer } from 'ws';
import { serveSockets } from '../../src/graphql/subscriptions/socket-server.js';
import type { Log } from '../../src/platform/logging/log.js';

let sockets: WebSocketServer;
let server: { dispose(): Promise<void> };
const logged: unknown[] = [];
const log = { debug: () => {}, error: (what: { err: Error }) => logged.push(what.err.message) } as unknown as Log;

beforeAll(async () => {
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 1_000 });
  const options = {
    schema: buildSchema('type Query { a: Int }'),
    onConnect: ({ connectionParams }: { connectionParams?: Record<string, unknown> }) => {
      if (!connectionParams?.isKnown) throw new Error('relation "secret" does not exist');
    },
    onSubscribe: () => new Promise<never>(() => {}),
  };
  server = serveSockets(options, sockets, log);
  await once(sockets, 'listening');
});
afterAll(() => server.dispose());
beforeEach(() => {
  logged.length = 0;
});

/** Waits for the answer to the first message before it sends the others. */
async function closeAfter(first: string, ...others: string[]): Promise<{ code: number; reason: string }> {
  const { port } = sockets.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, 'graphql-transport-ws');
  await once(socket, 'open');
  socket.send(first);
  if (others.length > 0) await once(socket, 'message');
  for (const message of others) socket.send(message);
  const [code, reason] = await once(socket, 'close');
  return { code, reason: String(reason) };
}

it('an internal error closes the socket without details, and is logged', async () => {
  expect(await closeAfter('{"type":"connection_init"}')).toEqual({ code: 4500, reason: 'Internal server error' });
  expect(logged).toEqual(['relation "secret" does not exist']);
});

it.each([
  ['of a server', '{"type":"next","id":"a","payload":{}}', 4400],
  ['that is not JSON', 'x', 4400],
  ['that is too long', ' '.repeat(1_001), 1009],
])('a message %s is not an internal error', async (_title, message, code) => {
  expect((await closeAfter(message)).code).toBe(code);
  expect(logged).toEqual([]);
});

it('an operation id that is used twice may be longer than a close reason', async () => {
  const subscribe = JSON.stringify({ type: 'subscribe', id: 'ü'.repeat(200), payload: { query: '{ a }' } });
  const init = '{"type":"connection_init","payload":{"isKnown":true}}';
  const { code, reason } = await closeAfter(init, subscribe, subscribe);
  expect(code).toBe(4409);
  expect(reason).toMatch(/^Subscriber for ü+$/);
  expect(logged).toEqual([]);
});
