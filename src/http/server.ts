import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { GraphQLSchema } from 'graphql';
import openapi from '../../rest-compat/generated/openapi.json' with { type: 'json' };
import { restErrorOf, restErrors } from '../../rest-compat/runtime/errors.js';
import { createRestHandler } from '../../rest-compat/runtime/handler.js';
import { sendRestError } from '../../rest-compat/runtime/send-error.js';
import type { Log } from '../base/log.js';
import { domainErrorOf } from '../graphql/errors.js';
import { startGraphQL } from '../graphql/server.js';
import type { IdempotencyKeys } from '../resources/accounts/idempotency-keys.js';
import { healthRoutes, type Lifecycle } from './health.js';
import { addressOf, type Identity } from './identity.js';
import { defaultPublicDir, mountPages } from './pages.js';
import { securityHeaders } from './security-headers.js';

/** What there is to serve. */
export interface Product {
  schema: GraphQLSchema;
  identity: Identity;
  keys: IdempotencyKeys;
}

export interface HttpServer {
  port: number;
  /** Mounts the product once everything below it stands. */
  open(product: Product): Promise<void>;
  /** Answers what is under way, closes sockets with 1001, then stops listening. */
  close(): Promise<void>;
}

export interface HttpOptions {
  host: string;
  port: number;
  maxBodyBytes: number;
  credentialsRecheckMs: number;
  log: Log;
  lifecycle: Lifecycle;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

/** Listens at once, so that probes are answered while the rest starts; until then everything else is 503. */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { host, log, lifecycle, maxBodyBytes, credentialsRecheckMs } = options;
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    const given = request.get('x-request-id');
    response.set('X-Request-Id', given && REQUEST_ID.test(given) ? given : randomUUID());
    next();
  });
  app.use(securityHeaders);
  app.use(healthRoutes(lifecycle));
  app.use((_request, response, next) => {
    if (lifecycle.phase === 'ready') return next();
    sendRestError(response, { ...restErrors.UNAVAILABLE, detail: `The service is ${lifecycle.phase}.`, retryAfter: 1 });
  });

  const server = http.createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  let stopGraphQL: (() => Promise<void>) | undefined;

  return {
    port: (server.address() as AddressInfo).port,
    async open(product) {
      const { schema, identity } = product;
      const graphql = await startGraphQL({
        schema,
        server,
        log,
        maxBodyBytes,
        credentialsRecheckMs,
        contextFor: (headers, request) => identity.contextFor({ headers, address: addressOf(request) }),
      });
      stopGraphQL = graphql.stop;
      app.use('/graphql', graphql.router);
      mountPages(app, { publicDir: defaultPublicDir, openapi });
      mountRest(app, product, options);
      app.use((_request, response) => sendRestError(response, restErrors.NOT_FOUND));
      app.use(errorHandler(log));
    },
    async close() {
      if (stopGraphQL) await stopGraphQL();
      server.closeIdleConnections();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
    },
  };
}

function mountRest(app: Express, { schema, identity, keys }: Product, { log, maxBodyBytes }: HttpOptions): void {
  const handler = createRestHandler({
    schema,
    contextFor: (request, auth) =>
      identity.restContextFor({ headers: request.headers, address: addressOf(request) }, auth),
    callerOf: context => (context.caller?.via === 'jwt' ? 'jwt' : 'key'),
    idempotency: {
      once: (context, key, request, work) =>
        keys.once(context.viewer, key, request, reservedId => work(context.reserving(reservedId))),
    },
    refusalOf: domainErrorOf,
    onError: (error, request) =>
      log.error({ err: error, method: request.method, path: request.url?.split('?')[0] }, 'a REST operation failed'),
  });
  app.use(['/api', '/v1'], express.raw({ type: () => true, limit: maxBodyBytes }));
  app.use(handler);
}

/** The last net: body parser faults and whatever was thrown outside an operation. Never an HTML page, never a stack. */
function errorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = restErrorOf(domainErrorOf(error) ?? error);
    if (refusal) return sendRestError(response, refusal);
    const status = Number((error as { status?: unknown }).status);
    if (status === 413) return sendRestError(response, restErrors.PAYLOAD_TOO_LARGE);
    if (status === 415) return sendRestError(response, restErrors.UNSUPPORTED_MEDIA_TYPE);
    if (status >= 400 && status < 500) return sendRestError(response, { ...restErrors.PARSE_ERROR, status });
    log.error({ err: error }, 'a request failed');
    sendRestError(response, restErrors.INTERNAL_SERVER_ERROR);
  };
}
