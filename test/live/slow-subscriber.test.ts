import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type ExecutionArgs, GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { WebSocket, WebSocketServer } from 'ws';
import { type SocketExtra, serveSockets } from '../../src/graphql/subscriptions/socket-server.js';
import { sharingSubscribe } from '../../src/graphql/subscriptions/subscribe.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createContext } from '../../src/platform/requests/context.js';
import { eventually } from '../support/eventually.js';
import { RawSocket } from './raw-socket.js';
import { untilUnchanged } from './until-unchanged.js';

const TEXT = 'x'.repeat(100_000);
const MEGABYTE = 1_048_576;

let sockets: WebSocketServer;
let server: { dispose(): Promise<void> };
/** How far each subscription was read. */
let read: number[];
let client: RawSocket;

const Item = new GraphQLObjectType({
  name: 'Item',
  fields: { sequence: { type: GraphQLInt }, text: { type: GraphQLString } },
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { text: { type: GraphQLString, resolve: () => TEXT } } }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: {
      // Produces as fast as it is read.
      item: {
        type: Item,
        async *subscribe() {
          const place = read.push(0) - 1;
          for (let sequence = 1; ; sequence++) {
            await new Promise(resolve => setImmediate(resolve));
            read[place] = sequence;
            yield { item: { sequence, text: TEXT } };
          }
        },
      },
    },
  }),
});

beforeEach(async () => {
  read = [];
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  const options = {
    subscribe: sharingSubscribe(),
    onSubscribe: ({ extra }: { extra: SocketExtra }, _id: string, { query }: { query: string }) => {
      const contextValue = createContext(null);
      return {
        schema,
        document: parse(query),
        contextValue,
        whenWritable: () => extra.flow.whenWritable(),
      } as ExecutionArgs;
    },
  };
  server = serveSockets(options, sockets, createLog('silent'));
  await once(sockets, 'listening');
  client = await RawSocket.open(`http://127.0.0.1:${(sockets.address() as AddressInfo).port}`, '');
  client.socket.pause();
});
afterEach(async () => {
  client.socket.terminate();
  await server.dispose();
});

const serverSocket = (): WebSocket => [...sockets.clients][0]!;

const totalRead = () => read.reduce((sum, one) => sum + one, 0);

it('stops reading for a client that does not read, and continues without a gap when it does', async () => {
  for (let id = 0; id < 10; id++) client.subscribe(String(id), 'subscription { item { sequence text } }');
  await untilUnchanged(totalRead);
  // One message per subscription was in progress when the socket was full. The kernel holds the rest, with a bound of
  // its own.
  expect(serverSocket().bufferedAmount).toBeLessThan(MEGABYTE + 11 * TEXT.length);
  const before = [...read];
  client.socket.resume();
  await eventually(
    async () => read,
    now => now.length === 10 && now.every((sequence, place) => sequence > before[place]! + 20),
  );
  client.socket.terminate();
  for (let id = 0; id < 10; id++) {
    const sequences = client.of(String(id)).map(({ payload }) => payload.data.item.sequence);
    expect(sequences.length).toBeGreaterThan(before[id]!);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  }
});

it('closes the socket of a client that sends requests and does not read, with a reason', async () => {
  for (let id = 0; id < 600; id++) client.subscribe(String(id), '{ text }');
  const socket = await eventually(
    async () => serverSocket(),
    ({ readyState }) => readyState === WebSocket.CLOSING,
  );
  expect(socket.bufferedAmount).toBeLessThan(17 * MEGABYTE);
  client.socket.resume();
  expect(await client.closed).toEqual({
    code: 1013,
    reason: 'Too much is unread. Resume after the last sequence or cursor.',
  });
});

it('does not queue answers to pings', async () => {
  client.subscribe('a', 'subscription { item { sequence text } }');
  await untilUnchanged(totalRead);
  for (let ping = 0; ping < 30_000; ping++) client.socket.ping(TEXT.slice(0, 100));
  let pings = 0;
  serverSocket().on('ping', () => pings++);
  await eventually(
    async () => pings,
    count => count === 30_000,
  );
  expect(serverSocket().bufferedAmount).toBeLessThan(MEGABYTE + 2 * TEXT.length);
});
