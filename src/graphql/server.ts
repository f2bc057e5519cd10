import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../resources/accounts/request-context.js';
import { asGraphQLError, bodyErrorHandler, formatterOf, httpStatusOf } from './errors.js';
import { jsonDepthGuard, MAX_TOKENS } from './limits.js';
import type { GraphQLServerOptions } from './server-options.js';
import { openSockets } from './sockets.js';

/** `/graphql` over HTTP (Apollo) and over WebSocket (graphql-ws), on the same server and path. */
export async function startGraphQL(options: GraphQLServerOptions) {
  const { schema, server, log, maxBodyBytes, contextFor } = options;
  const sockets = openSockets(options);
  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    formatError: formatterOf(log),
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
          drainServer: () => sockets.dispose(),
        }),
      },
    ],
  });
  await apollo.start();
  const router = express.Router();
  const context = ({ req }: { req: express.Request }) =>
    contextFor(req.headers, req).catch(error => {
      throw asGraphQLError(error);
    });
  router.use(express.json({ limit: maxBodyBytes }), jsonDepthGuard, expressMiddleware(apollo, { context }));
  router.use(bodyErrorHandler(log));
  return { router, stop: () => apollo.stop() };
}

function subscriptionOverHttp(): GraphQLError {
  return new GraphQLError('Subscriptions are served over WebSocket, protocol graphql-transport-ws, on the same path.', {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}
