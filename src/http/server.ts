import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { GraphQLSchema } from 'graphql';
import openapi from '../../rest-compat/generated/openapi.json' with { type: 'json' };
import { isMultipart, readContentType } from '../../rest-compat/runtime/content-type.js';
import { restErrorOf, restErrors } from '../../rest-compat/runtime/errors.js';
import { createRestHandler } from '../../rest-compat/runtime/handler.js';
import { sendRestError } from '../../rest-compat/runtime/send-error.js';
import { UnauthenticatedError } from '../base/errors.js';
import type { Log } from '../base/log.js';
import { domainErrorOf } from '../graphql/errors.js';
import { startGraphQL } from '../graphql/server.js';
import type { Spool } from '../providers/storage/spool.js';
import type { IdempotencyKeys } from '../resources/accounts/idempotency-keys.js';
import type { DocumentFiles } from '../resources/documents/document-files.js';
import type { FileLinks } from '../resources/documents/file-links.js';
import { fileRoutes } from './files.js';
import { healthRoutes, type Lifecycle } from './health.js';
import type { Identity } from './identity.js';
import { defaultPublicDir, mountPages } from './pages.js';

/** What there is to serve. */
export interface Product {
  schema: GraphQLSchema;
  identity: Identity;
  keys: IdempotencyKeys;
  spool: Spool;
  files: DocumentFiles;
  links: FileLinks;
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
  log: Log;
  lifecycle: Lifecycle;
}

const REQUEST_ID = /^[\w.-]{1,128}$/;

/** Listens at once, so that probes are answered while the rest starts; until then everything else is 503. */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { host, log, lifecycle, maxBodyBytes } = options;
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    const given = request.get('x-request-id');
    response.set('X-Request-Id', given && REQUEST_ID.test(given) ? given : randomUUID());
    next();
  });
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
        maxUploadBytes: product.spool.maxBytes,
        contextFor: headers => identity.contextFor(headers),
      });
      stopGraphQL = graphql.stop;
      app.use('/graphql', graphql.router);
      mountPages(app, { publicDir: defaultPublicDir, openapi });
      app.use(fileRoutes(product.links, product.files, log));
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

function mountRest(app: Express, { schema, identity, keys, spool }: Product, { log, maxBodyBytes }: HttpOptions): void {
  const handler = createRestHandler({
    schema,
    contextFor: async (request, auth) => {
      const context = await identity.contextFor(request.headers);
      if (auth !== 'NONE' && !context.viewer) throw new UnauthenticatedError();
      return context;
    },
    callerOf: context => (context.viewer.via === 'jwt' ? 'jwt' : 'key'),
    idempotency: {
      once: (context, key, request, work) =>
        keys.once(context.viewer, key, request, reservedId => work(context.reserving(reservedId))),
    },
    receiveFile: (content, filename) => spool.receive(content, filename),
    refusalOf: domainErrorOf,
    onError: (error, request) =>
      log.error({ err: error, method: request.method, path: request.url?.split('?')[0] }, 'a REST operation failed'),
  });
  // Forms with files are read by the routes that take them, as they come.
  const isOneBody = (request: IncomingMessage) => !isMultipart(readContentType(request.headers['content-type']).type);
  app.use(['/api', '/v1'], express.raw({ type: isOneBody, limit: maxBodyBytes }));
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
