import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { ApolloServer, type GraphQLRequestListener } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../modules/accounts/request-context.js';
import { CompiledQueries } from './compiled-queries.js';
import { MAX_TOKENS } from './documents.js';
import { asGraphQLError, bodyErrorHandler, createErrorFormatter, httpHeadersOf, httpStatusOf } from './errors.js';
import { jsonDepthGuard, OperationGuard } from './limits.js';
import { PersistedQueries, readOperationRequest } from './operation-request.js';
import { rootFieldsOf } from './root-fields.js';
import type { GraphQLServerOptions } from './server-options.js';
import { openSockets } from './sockets.js';
import { uploads } from './uploads.js';

export interface GraphQLService {
  router: express.Router;
  /** Handles a WebSocket handshake at `/graphql`. */
  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly openSockets: number;
  /** Closes all sockets with code 1001. HTTP requests are still served. */
  closeSockets(): Promise<void>;
  stop(): Promise<void>;
}

/** `/graphql` over HTTP (Apollo) and over WebSocket (graphql-ws), on the same server and path. */
export async function startGraphQL(options: GraphQLServerOptions): Promise<GraphQLService> {
  const { schema, server, log, maxBodyBytes, contextFor } = options;
  const guard = new OperationGuard(schema, options.safelist, options.isIntrospectable);
  const sockets = openSockets(options, guard);
  const compiled = new CompiledQueries(schema);
  const persisted = new PersistedQueries(options.safelist);
  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: options.isIntrospectable,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    persistedQueries: { cache: persisted },
    formatError: createErrorFormatter(log, options.isIntrospectable),
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer: server, stopGracePeriodMillis: 5_000 }),
      ApolloServerPluginLandingPageDisabled(),
      // The plugin would wrap every field of the schema.
      ApolloServerPluginCacheControlDisabled(),
      { requestDidStart: async () => requestListener(compiled) },
      { serverWillStart: async () => ({ drainServer: () => sockets.dispose() }) },
    ],
  });
  await apollo.start();
  const router = express.Router();
  const context = async ({ req, res }: { req: express.Request; res: express.Response }) => {
    try {
      const operation = await readOperationRequest(req, persisted);
      guard.check(operation);
      return await contextFor(req.headers, { request: req, fields: rootFieldsOf(operation), response: res });
    } catch (error) {
      throw asGraphQLError(error);
    }
  };
  router.use(uploads(options));
  router.use(express.json({ limit: maxBodyBytes }), jsonDepthGuard, expressMiddleware(apollo, { context }));
  router.use(bodyErrorHandler(log));
  return {
    router,
    upgrade: sockets.upgrade,
    get openSockets() {
      return sockets.count;
    },
    closeSockets: () => sockets.dispose(),
    stop: () => apollo.stop(),
  };
}

/** Runs compiled queries, rejects subscriptions and sets the HTTP status of a response without data. */
function requestListener(compiled: CompiledQueries): GraphQLRequestListener<RequestContext> {
  return {
    didResolveOperation: async ({ operation }) => {
      if (operation?.operation === 'subscription') throw subscriptionOverHttp();
    },
    responseForOperation: async ({ document, operation, contextValue, request, response }) => {
      // `operation` is undefined if the document has several operations and the request names none.
      if (operation?.operation !== 'query') return null;
      const singleResult = await compiled.run(document, contextValue, request.variables ?? {});
      return singleResult && { http: response.http, body: { kind: 'single', singleResult } };
    },
    willSendResponse: async ({ errors, response }) => {
      const extensions = errors?.[0]?.extensions;
      const status = httpStatusOf(extensions?.code);
      if (!status || response.body.kind !== 'single' || response.body.singleResult.data) return;
      response.http.status = status;
      for (const [name, value] of httpHeadersOf(extensions)) response.http.headers.set(name, value);
    },
  };
}

function subscriptionOverHttp(): GraphQLError {
  return new GraphQLError('Subscriptions are served over WebSocket, protocol graphql-transport-ws, on the same path.', {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}
