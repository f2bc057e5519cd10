import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { CloseCode, type ServerOptions } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { RateLimitedError, UnauthenticatedError } from '../../platform/errors/errors.js';
import { asGraphQLError, createErrorFormatter } from '../errors.js';
import type { OperationGuard } from '../limits.js';
import { rootFieldsOf } from '../root-fields.js';
import type { GraphQLServerOptions } from '../server-options.js';
import { formatError, formatResult } from './format-result.js';
import { TRY_AGAIN_LATER } from './socket-flow.js';
import { type SocketExtra, serveSockets, truncateReason } from './socket-server.js';
import { type SubscriptionArgs, sharingSubscribe } from './subscribe.js';
import { callerOf, startRechecks } from './subscriber-credentials.js';
import type { SubscriberSlots } from './subscriber-slots.js';

export interface Sockets {
  /** Handles a WebSocket handshake. */
  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The number of open sockets. */
  readonly count: number;
  /** Closes all sockets with code 1001. */
  dispose(): Promise<void>;
}

/** `/graphql` over WebSocket (graphql-ws). */
export function openSockets(options: GraphQLServerOptions, guard: OperationGuard, slots: SubscriberSlots): Sockets {
  const { schema, log, maxBodyBytes, refuseHandshake, isIntrospectable } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, autoPong: false });
  sockets.on('headers', headers => headers.push(`X-Request-Id: ${randomUUID()}`));
  sockets.on('wsClientError', (_error, socket, request) => refuseHandshake(socket, request));
  const format = createErrorFormatter(log, isIntrospectable);
  const subscriptions = serveSockets(
    {
      schema,
      connectionInitWaitTimeout: 3_000,
      subscribe: sharingSubscribe(),
      onSubscribe: operationPreparer(options, guard),
      onConnect: connectionListener(options, slots),
      onNext: (_context, _id, _payload, _args, result) => formatResult(result, format, options.maxResponseCharacters),
      onError: (_context, _id, _payload, errors) => errors.map(error => formatError(error, format)),
    },
    sockets,
    log,
  );
  let disposed: Promise<void> | undefined;
  return {
    upgrade: (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, opened => sockets.emit('connection', opened, request)),
    get count() {
      return sockets.clients.size;
    },
    async dispose() {
      disposed ??= subscriptions.dispose();
      await disposed;
    },
  };
}

type SocketOptions = ServerOptions<Record<string, unknown>, SocketExtra>;

/** Checks the credentials and counts each operation, because a key may be deleted or reach its rate limit while the socket is open. */
function operationPreparer(
  { contextFor, socketLimits }: GraphQLServerOptions,
  guard: OperationGuard,
): NonNullable<SocketOptions['onSubscribe']> {
  return async ({ connectionParams, extra, subscriptions }, _id, payload) => {
    try {
      if (Object.keys(subscriptions).length > socketLimits.operations) throw tooManyOperations(socketLimits.operations);
      const { query, operationName } = payload;
      const operation = guard.prepare(payload);
      const contextRequest = { request: extra.request, fields: rootFieldsOf({ query, operationName }), response: null };
      const contextValue = await contextFor(toLowerCaseNames(connectionParams), contextRequest);
      if (!('document' in operation)) return operation;
      return { ...operation, contextValue, whenWritable: () => extra.flow.whenWritable() } satisfies SubscriptionArgs;
    } catch (error) {
      const refusal = asGraphQLError(error);
      if (refusal instanceof GraphQLError) return [refusal];
      throw error;
    }
  };
}

/** Authenticates a new socket. Closes it with 4403 and the reason if the credentials are missing or invalid. */
function connectionListener(
  options: GraphQLServerOptions,
  slots: SubscriberSlots,
): NonNullable<SocketOptions['onConnect']> {
  const { contextFor } = options;
  return async ({ connectionParams, extra }) => {
    const contextRequest = { request: extra.request, fields: null, response: null };
    const check = () => callerOf(() => contextFor(toLowerCaseNames(connectionParams), contextRequest));
    const { socket } = extra;
    const refuse = ({ message }: UnauthenticatedError) =>
      socket.close(CloseCode.Forbidden, truncateReason(`Forbidden: ${message}`));
    const caller = await check();
    if (caller instanceof UnauthenticatedError) {
      refuse(caller);
      return false;
    }
    const releaseSlot = slots.acquire(caller.userId);
    if (!releaseSlot) socket.close(TRY_AGAIN_LATER, 'Too many sockets of one user');
    else if (socket.readyState !== socket.OPEN) releaseSlot();
    else {
      // Released before other work of the close event, so that the client can reconnect immediately.
      socket.once('close', releaseSlot);
      socket.once('close', startRechecks(check, refuse, options));
    }
    return true;
  };
}

function tooManyOperations(operations: number): RateLimitedError {
  return new RateLimitedError(1, `A socket may have at most ${operations} operations at a time.`);
}

function toLowerCaseNames(parameters: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
