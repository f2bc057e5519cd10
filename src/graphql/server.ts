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
import { PREFLIGHT_HEADERS } from './preflight.js';
import { limitResult } from './response-size.js';
import { rootFieldsOf } from './root-fields.js';
import type { GraphQLServerOptions } from './server-options.js';
import { HttpStreams } from './subscriptions/http-streams.js';
import { openSockets } from './subscriptions/sockets.js';
import { SubscriberSlots } from './subscriptions/subscriber-slots.js';
import { uploads } from './uploads.js';

export interface GraphQLService {
  router: express.Router;
  /** Handles a WebSocket handshake at `/graphql`. */
  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly openSockets: number;
  /** The number of open HTTP responses that carry a subscription. */
  readonly openStreams: number;
  /** Closes all sockets with code 1001 and ends HTTP subscriptions. Other HTTP requests are still served. */
  closeSubscribers(): Promise<void>;
  stop(): Promise<void>;
}

/** `/graphql` over HTTP (Apollo, and streams of subscriptions) and over WebSocket (graphql-ws), on the same server and path. */
export async function startGraphQL(options: GraphQLServerOptions): Promise<GraphQLService> {
  const { schema, server, log, maxBodyBytes, contextFor } = options;
  const guard = new OperationGuard(schema, options.safelist, options.isIntrospectable);
  const slots = new SubscriberSlots(options.socketLimits.perUser);
  const sockets = openSockets(options, guard, slots);
  const compiled = new CompiledQueries(schema);
  const persisted = new PersistedQueries(options.safelist);
  const streams = new HttpStreams(options, { guard, persisted, slots, openSockets: () => sockets.count });
  const closeSubscribers = async () => {
    streams.dispose();
    await sockets.dispose();
  };
  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: options.isIntrospectable,
    csrfPrevention: { requestHeaders: [...PREFLIGHT_HEADERS] },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    persistedQueries: { cache: persisted },
    formatError: createErrorFormatter(log, options.isIntrospectable),
    stringifyResult: result => `${JSON.stringify(limitResult(result, options.maxResponseCharacters))}\n`,
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer: server, stopGracePeriodMillis: 5_000 }),
      ApolloServerPluginLandingPageDisabled(),
      // The plugin is enabled by default and would wrap every field of the schema.
      ApolloServerPluginCacheControlDisabled(),
      { requestDidStart: async () => requestListener(compiled) },
      { serverWillStart: async () => ({ drainServer: closeSubscribers }) },
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
  router.use(express.json({ limit: maxBodyBytes }), jsonDepthGuard, streams.handler);
  router.use(expressMiddleware(apollo, { context }));
  router.use(bodyErrorHandler(log));
  return {
    router,
    upgrade: sockets.upgrade,
    get openSockets() {
      return sockets.count;
    },
    get openStreams() {
      return streams.count;
    },
    closeSubscribers,
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
      if (!status || response.body.kind !== 'single' || hasValues(response.body.singleResult.data)) return;
      response.http.status = status;
      for (const [name, value] of httpHeadersOf(extensions)) response.http.headers.set(name, value);
    },
  };
}

/** Whether a response has data. Root fields with an error are null. */
function hasValues(data: Record<string, unknown> | null | undefined): boolean {
  return Object.values(data ?? {}).some(value => value !== null);
}

function subscriptionOverHttp(): GraphQLError {
  const ways =
    'over WebSocket with the subprotocol graphql-transport-ws, or with the header "Accept: text/event-stream" or "Accept: multipart/mixed;subscriptionSpec=1.0"';
  return new GraphQLError(`Subscriptions are served on this path ${ways}.`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}
