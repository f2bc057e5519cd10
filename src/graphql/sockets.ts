import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RequestContext } from '../modules/accounts/request-context.js';
import type { Viewer } from '../modules/accounts/viewer.js';
import { RateLimitedError, UnauthenticatedError } from '../platform/errors/errors.js';
import { asGraphQLError, createErrorFormatter } from './errors.js';
import type { OperationGuard } from './limits.js';
import { rootFieldsOf } from './root-fields.js';
import type { GraphQLServerOptions } from './server-options.js';
import { TRY_AGAIN_LATER } from './socket-flow.js';
import { type SocketExtra, serveSockets } from './socket-server.js';
import { SocketSlots } from './socket-slots.js';
import { type SubscriptionArgs, sharingSubscribe } from './subscribe.js';

export interface Sockets {
  /** Handles a WebSocket handshake. */
  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The number of open sockets. */
  readonly count: number;
  /** Closes all sockets with code 1001. */
  dispose(): Promise<void>;
}

/** `/graphql` over WebSocket (graphql-ws). */
export function openSockets(options: GraphQLServerOptions, guard: OperationGuard): Sockets {
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
      onConnect: connectionListener(options),
      onNext: (_context, _id, _payload, _args, result) =>
        result.errors ? { ...result, errors: result.errors.map(error => formatError(error, format)) } : undefined,
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

/** Authenticates a new socket. The result false closes it with 4403. */
function connectionListener(options: GraphQLServerOptions): NonNullable<SocketOptions['onConnect']> {
  const { contextFor, socketLimits } = options;
  const slots = new SocketSlots(socketLimits.perUser);
  return async ({ connectionParams, extra }) => {
    const contextRequest = { request: extra.request, fields: null, response: null };
    const callerOf = () => viewerOf(() => contextFor(toLowerCaseNames(connectionParams), contextRequest));
    const caller = await callerOf();
    if (!caller) return false;
    const { socket } = extra;
    const releaseSlot = slots.acquire(caller.userId);
    if (!releaseSlot) socket.close(TRY_AGAIN_LATER, 'Too many sockets of one user');
    else if (socket.readyState !== socket.OPEN) releaseSlot();
    else {
      // Released before other work of the close event, so that the client can reconnect immediately.
      socket.once('close', releaseSlot);
      const stopRechecks = startRechecks(async () => (await callerOf()) !== null, socket, options);
      socket.once('close', stopRechecks);
    }
    return true;
  };
}

/** The viewer, or null for missing or invalid credentials. Throws other errors, such as an unreachable database. */
async function viewerOf(contextFor: () => Promise<RequestContext>): Promise<Viewer | null> {
  try {
    return (await contextFor()).caller;
  } catch (error) {
    if (error instanceof UnauthenticatedError) return null;
    throw error;
  }
}

function tooManyOperations(operations: number): RateLimitedError {
  return new RateLimitedError(1, `A socket may have at most ${operations} operations at a time.`);
}

/** Checks the credentials of a socket periodically and closes it with 4403 when they are no longer valid. */
function startRechecks(
  isAuthenticated: () => Promise<boolean>,
  socket: WebSocket,
  { log, credentialsRecheckMs }: GraphQLServerOptions,
): () => void {
  const timer = setInterval(async () => {
    try {
      if (!(await isAuthenticated())) socket.close(4403, 'Forbidden');
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'socket credentials not checked');
    }
  }, credentialsRecheckMs);
  timer.unref();
  return () => clearInterval(timer);
}

function toLowerCaseNames(parameters: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

function formatError(
  error: GraphQLError | { message: string },
  format: ReturnType<typeof createErrorFormatter>,
): GraphQLError {
  const graphqlError = error instanceof GraphQLError ? error : new GraphQLError(error.message);
  const { message, extensions } = format(graphqlError.toJSON(), graphqlError);
  return new GraphQLError(message, { path: graphqlError.path, extensions });
}
