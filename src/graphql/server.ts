import type http from 'node:http';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { UnauthenticatedError } from '../base/errors.js';
import type { Log } from '../base/log.js';
import type { RequestContext } from '../resources/accounts/request-context.js';
import { asGraphQLError, bodyErrorHandler, formatterOf, httpStatusOf } from './errors.js';
import { jsonDepthGuard, MAX_TOKENS, socketOperation } from './limits.js';
import { subscribeWithFreshLoaders } from './subscribe.js';
import { uploads } from './uploads.js';

export interface GraphQLServerOptions {
  schema: GraphQLSchema;
  server: http.Server;
  log: Log;
  maxBodyBytes: number;
  /** Of one file of a multipart request. */
  maxUploadBytes: number;
  /** Context of the caller that these headers (or connection parameters) name. */
  contextFor: (headers: Record<string, unknown>) => Promise<RequestContext>;
}

/** `/graphql` over HTTP (Apollo) and over WebSocket (graphql-ws), on the same server and path. */
export async function startGraphQL(options: GraphQLServerOptions) {
  const { schema, server, log, maxBodyBytes, contextFor } = options;
  const sockets = new WebSocketServer({ server, path: '/graphql', maxPayload: maxBodyBytes });
  const format = formatterOf(log);
  const subscriptions = useServer<Record<string, unknown>, { request: http.IncomingMessage; context?: RequestContext }>(
    {
      schema,
      connectionInitWaitTimeout: 3_000,
      subscribe: subscribeWithFreshLoaders,
      onSubscribe: (_context, _id, payload) => socketOperation(schema, payload),
      context: async ({ connectionParams, extra }) => {
        extra.context ??= await contextFor(lowerCased(connectionParams));
        return extra.context.renewed();
      },
      // False closes the socket with 4403 before any operation is looked at.
      onConnect: async ({ connectionParams, extra }) => {
        try {
          extra.context = await contextFor(lowerCased(connectionParams));
          return Boolean(extra.context.viewer);
        } catch (error) {
          if (error instanceof UnauthenticatedError) return false;
          throw error;
        }
      },
      onNext: (_context, _id, _payload, _args, result) =>
        result.errors ? { ...result, errors: result.errors.map(error => formatted(error, format)) } : undefined,
      onError: (_context, _id, _payload, errors) => errors.map(error => formatted(error, format)),
    },
    sockets,
  );

  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    formatError: format,
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer: server, stopGracePeriodMillis: 5_000 }),
      ApolloServerPluginLandingPageDisabled(),
      {
        requestDidStart: async () => ({
          didResolveOperation: async ({ operation }) => {
            if (operation?.operation === 'subscription') throw subscriptionOverHttp();
          },
          willSendResponse: async ({ errors, response }) => {
            const status = errors?.length ? httpStatusOf(errors[0]?.extensions?.code) : undefined;
            if (status && response.body.kind === 'single' && !response.body.singleResult.data)
              response.http.status = status;
          },
        }),
        serverWillStart: async () => ({
          drainServer: async () => {
            await subscriptions.dispose();
            sockets.close();
          },
        }),
      },
    ],
  });
  await apollo.start();
  const router = express.Router();
  const context = ({ req }: { req: express.Request }) =>
    contextFor(req.headers).catch(error => {
      throw asGraphQLError(error);
    });
  router.use(uploads(options));
  router.use(express.json({ limit: maxBodyBytes }), jsonDepthGuard, expressMiddleware(apollo, { context }));
  router.use(bodyErrorHandler(log));
  return { router, stop: () => apollo.stop() };
}

function subscriptionOverHttp(): GraphQLError {
  return new GraphQLError('Subscriptions are served over WebSocket, protocol graphql-transport-ws, on the same path.', {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}

function lowerCased(parameters: Record<string, unknown> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

function formatted(error: GraphQLError | { message: string }, format: ReturnType<typeof formatterOf>): GraphQLError {
  const graphqlError = error instanceof GraphQLError ? error : new GraphQLError(error.message);
  const { message, extensions } = format(graphqlError.toJSON(), graphqlError);
  return new GraphQLError(message, { path: graphqlError.path, extensions });
}
