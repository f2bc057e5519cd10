import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { restErrors } from '../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../rest-compat/runtime/send-error.js';
import { Safelist } from '../graphql/safelist.js';
import type { GraphQLService } from '../graphql/server.js';
import { ChatRoutes } from './chats/chat-routes.js';
import { clientAddress } from './client-address.js';
import { consoleRoutes } from './console/console-routes.js';
import { disconnectSignalGetter } from './disconnect-signal.js';
import type { FastLane } from './fast-lane.js';
import { fileRoutes } from './files.js';
import { formRoutes } from './forms/form-routes.js';
import { acceptUpgrades, startGraphQLEndpoint } from './graphql.js';
import { healthRoutes } from './health.js';
import { listenOn } from './listen-on.js';
import { McpRoutes } from './mcp/mcp-routes.js';
import { metricsRoutes } from './metrics.js';
import { ArrivingRequests } from './middleware/arriving-requests.js';
import { cors } from './middleware/cors.js';
import { createErrorHandler, type ErrorHandler } from './middleware/error-handler.js';
import { LoadLimit } from './middleware/load-limit.js';
import type { Middleware } from './middleware/middleware.js';
import { observeRequests, type RequestObserver } from './middleware/observe-requests.js';
import {
  concurrencyLimit,
  hostCheck,
  maintenanceCheck,
  phaseCheck,
  type RequestLimits,
} from './middleware/request-checks.js';
import { securityHeaders } from './middleware/security-headers.js';
import type { HttpOptions, HttpServices } from './options.js';
import { consoleScreens, defaultPublicDir, mountPages } from './pages.js';
import { handleParserErrors } from './raw-error.js';
import { restOperations, restRouter } from './rest.js';
import { RunEventRoutes } from './run-events/run-event-routes.js';
import { originForm } from './url-path.js';
import { webhookRoutes } from './webhooks.js';

export interface HttpServer {
  port: number;
  /** The number of open WebSockets. */
  readonly sockets: number;
  /** The number of open HTTP responses that carry a subscription. */
  readonly streams: number;
  /** Mounts the API and the pages. Call it when the services have started. */
  open(services: HttpServices): Promise<void>;
  /** Closes sockets with code 1001 and ends HTTP subscriptions. Other HTTP requests are still answered. */
  drain(): Promise<void>;
  /** Waits for requests in progress and stops listening. */
  close(): Promise<void>;
}

/** Longer than the 60 s of common load balancers: if the server closed a connection first, a request could arrive on it. */
const KEEP_ALIVE_MS = 65_000;
/** Interval in which connections that became idle during `close` are closed. */
const SWEEP_MS = 50;
/** Maximum of connections that wait to be accepted. The operating system silently drops further ones. */
const BACKLOG = 4_096;

const API_PATHS = ['/api', '/v1', '/graphql', '/mcp'];
/** Concurrent requests that are accepted under any load. */
const MIN_REQUESTS_IN_FLIGHT = 256;

const openapi = async () =>
  (await import('../../rest-compat/generated/openapi.json', { with: { type: 'json' } })).default;

const notFound: Middleware = (_request, response) => sendRestError(response, restErrors.NOT_FOUND);

/** Starts listening before the services have started, so that probes are answered. All other requests get 503 until `open`. */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { host, port, lifecycle, fastLane } = options;
  const safelist = options.graphqlSafelist === undefined ? null : await Safelist.read(options.graphqlSafelist);
  const load = new LoadLimit({
    maxRequests: options.maxRequestsInFlight,
    minRequests: MIN_REQUESTS_IN_FLIGHT,
    statementsWaiting: () => lifecycle.database?.connections.waiting ?? 0,
  });
  const observer = observeRequests(options.telemetry, request => fastLane.release(request));
  const addressOf = clientAddress(options.trustedProxies);
  const base = createBase(options, observer, { load, addressOf });
  const server = createServer(base.app, fastLane);
  let graphql: GraphQLService | undefined;
  const streams: { close(): void }[] = [];
  acceptUpgrades(server, { options, load, graphql: () => graphql, forget: socket => fastLane.forget(socket) });
  await listenOn(server, { port, host, backlog: BACKLOG }, 'PORT');
  load.start();
  countSubscribers(options.telemetry, () => graphql);
  return {
    port: (server.address() as AddressInfo).port,
    get sockets() {
      return graphql?.openSockets ?? 0;
    },
    get streams() {
      return graphql?.openStreams ?? 0;
    },
    async open(services) {
      graphql = await startGraphQLEndpoint(services, options, { server, safelist, load, addressOf });
      const operations = restOperations.bind(null, services, addressOf, options);
      const runEvents = new RunEventRoutes(services, options, addressOf);
      base.app.use(runEvents.router, restRouter(services, operations(disconnectSignalGetter), options.maxBodyBytes));
      base.app.use('/graphql', graphql.router);
      const chats = new ChatRoutes(services, options, addressOf, defaultPublicDir);
      const mcp = new McpRoutes(services, options, addressOf);
      streams.push(mcp, runEvents, chats);
      base.app.use(webhookRoutes(services, addressOf), formRoutes(services, addressOf), chats.router, mcp.router);
      base.app.use(consoleRoutes({ ...services, addressOf }));
      mountPages(base.app, { publicDir: defaultPublicDir, openapi: options.openapi ? openapi : undefined });
      base.app.use(fileRoutes(services.links, services.files, options.log), consoleScreens(defaultPublicDir), notFound);
      base.app.use(asExpress(base.onError));
      fastLane.open({
        middleware: [...base.middleware, maintenanceCheck(services.maintenance)],
        onError: base.onError,
        rest: operations,
        maxBodyBytes: options.maxBodyBytes,
      });
    },
    async drain() {
      for (const each of streams) each.close();
      await graphql?.closeSubscribers();
    },
    async close() {
      load.stop();
      await graphql?.stop();
      await closeServer(server);
      fastLane.stop();
      observer.flush();
    },
  };
}

function countSubscribers({ metrics }: HttpOptions['telemetry'], graphql: () => GraphQLService | undefined): void {
  metrics.add({
    name: 'scenarium_websockets_open',
    help: 'WebSockets that are open in this process.',
    read: () => [{ value: graphql()?.openSockets ?? 0 }],
  });
  metrics.add({
    name: 'scenarium_http_subscriptions_open',
    help: 'HTTP responses that carry a subscription and are open in this process.',
    read: () => [{ value: graphql()?.openStreams ?? 0 }],
  });
}

interface Base {
  app: express.Express;
  /** The middleware that runs before REST operations. */
  middleware: readonly Middleware[];
  onError: ErrorHandler;
}

/** Express with the middleware that does not depend on the product. */
function createBase(
  options: HttpOptions,
  observer: RequestObserver,
  limits: Pick<RequestLimits, 'load' | 'addressOf'>,
): Base {
  const crossOrigin = cors(options.corsOrigins);
  const first = [observer.middleware, securityHeaders, hostCheck];
  const limit = concurrencyLimit({
    ...limits,
    arriving: new ArrivingRequests(options.maxRequestsInFlight),
    onArrival: (request, listener) => options.fastLane.onArrival(request, listener),
  });
  const checks = [phaseCheck(options.lifecycle), limit];
  const app = express();
  app.disable('x-powered-by');
  app.use(first);
  app.use(healthRoutes(options.lifecycle));
  app.use(metricsRoutes(options.telemetry.metrics, options.metricsReaders));
  app.use(API_PATHS, crossOrigin);
  app.use(checks);
  return { app, middleware: [...first, crossOrigin, ...checks], onError: createErrorHandler(options.log) };
}

function createServer(app: express.Express, fastLane: FastLane): http.Server {
  const answer = fastLane.wrap(app as http.RequestListener);
  const listener: http.RequestListener = (request, response) => {
    request.url = originForm(request.url ?? '/');
    answer(request, response);
  };
  // Node's own response to a request without a Host header is not in the JSON error format.
  const server = http.createServer({ requireHostHeader: false, ...fastLane.classes }, listener);
  fastLane.attach(server, KEEP_ALIVE_MS);
  handleParserErrors(server, socket => fastLane.hasBegunResponse(socket));
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would reject it before any middleware.
  server.on('checkExpectation', listener);
  return server;
}

function asExpress(onError: ErrorHandler): express.ErrorRequestHandler {
  return (error, request, response, _next) => onError(error, request, response);
}

async function closeServer(server: http.Server): Promise<void> {
  // Repeated, because connections with a response in progress become idle later.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await new Promise<void>(resolve => {
    server.close(() => resolve());
  });
  clearInterval(sweep);
}
