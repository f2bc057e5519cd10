import type http from 'node:http';
import { GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { UnauthenticatedError } from '../base/errors.js';
import type { RequestContext } from '../resources/accounts/request-context.js';
import { asGraphQLError, formatterOf } from './errors.js';
import { socketOperation } from './limits.js';
import type { GraphQLServerOptions } from './server-options.js';
import { subscribeWithFreshLoaders } from './subscribe.js';

type SocketExtra = { request: http.IncomingMessage; socket: WebSocket; stopRecheck?: () => void };

/** `/graphql` over WebSocket (graphql-ws). `dispose` closes every socket with 1001. */
export function openSockets(options: GraphQLServerOptions): { dispose(): Promise<void> } {
  const { schema, server, log, maxBodyBytes, contextFor } = options;
  const sockets = new WebSocketServer({ server, path: '/graphql', maxPayload: maxBodyBytes });
  const format = formatterOf(log);
  const subscriptions = useServer<Record<string, unknown>, SocketExtra>(
    {
      schema,
      connectionInitWaitTimeout: 3_000,
      subscribe: subscribeWithFreshLoaders,
      // Each operation is asked for its credentials anew: a key may be deleted, a session over.
      onSubscribe: async ({ connectionParams, extra }, _id, payload) => {
        const operation = socketOperation(schema, payload);
        if (!('document' in operation)) return operation;
        try {
          return { ...operation, contextValue: await contextFor(lowerCased(connectionParams), extra.request) };
        } catch (error) {
          const refusal = asGraphQLError(error);
          if (refusal instanceof GraphQLError) return [refusal];
          throw error;
        }
      },
      // False closes the socket with 4403 before any operation is looked at.
      onConnect: async ({ connectionParams, extra }) => {
        const isKnown = () => isViewer(() => contextFor(lowerCased(connectionParams), extra.request));
        extra.stopRecheck = recheck(isKnown, extra.socket, options);
        return isKnown();
      },
      onClose: ({ extra }) => extra.stopRecheck?.(),
      onNext: (_context, _id, _payload, _args, result) =>
        result.errors ? { ...result, errors: result.errors.map(error => formatted(error, format)) } : undefined,
      onError: (_context, _id, _payload, errors) => errors.map(error => formatted(error, format)),
    },
    sockets,
  );
  return {
    async dispose() {
      await subscriptions.dispose();
      sockets.close();
    },
  };
}

/** Whether somebody is logged in. What is no matter of credentials, such as an absent database, is thrown. */
async function isViewer(contextFor: () => Promise<RequestContext>): Promise<boolean> {
  try {
    return (await contextFor()).caller !== null;
  } catch (error) {
    if (error instanceof UnauthenticatedError) return false;
    throw error;
  }
}

/** Subscriptions end with the credentials that opened them: the socket is closed with 4403 at the next look. */
function recheck(
  isKnown: () => Promise<boolean>,
  socket: WebSocket,
  { log, credentialsRecheckMs }: GraphQLServerOptions,
): () => void {
  const timer = setInterval(async () => {
    try {
      if (!(await isKnown())) socket.close(4403, 'Forbidden');
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the credentials of a socket could not be looked at');
    }
  }, credentialsRecheckMs);
  timer.unref();
  return () => clearInterval(timer);
}

function lowerCased(parameters: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

function formatted(error: GraphQLError | { message: string }, format: ReturnType<typeof formatterOf>): GraphQLError {
  const graphqlError = error instanceof GraphQLError ? error : new GraphQLError(error.message);
  const { message, extensions } = format(graphqlError.toJSON(), graphqlError);
  return new GraphQLError(message, { path: graphqlError.path, extensions });
}
