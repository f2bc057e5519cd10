import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import { restErrors } from '../../rest-compat/runtime/errors.js';
import { createRestHandler, isBelowRest } from '../../rest-compat/runtime/handler.js';
import { isMultipart, readContentType } from '../../rest-compat/runtime/input/content-type.js';
import { sendRestError } from '../../rest-compat/runtime/send-error.js';
import { domainErrorOf } from '../graphql/errors.js';
import type { RootFields } from '../graphql/root-fields.js';
import { Safelist } from '../graphql/safelist.js';
import { type GraphQLService, startGraphQL } from '../graphql/server.js';
import type { SocketLimits } from '../graphql/server-options.js';
import type { IdempotencyKeys } from '../modules/accounts/api-keys/idempotency-keys.js';
import type { DocumentFiles } from '../modules/documents/document-files.js';
import type { FileLinks } from '../modules/documents/file-links.js';
import { MAINTENANCE_FIELDS } from '../modules/maintenance/maintenance.resolver.js';
import { maintenanceRefusal } from '../modules/maintenance/maintenance.service.js';
import type { MaintenanceWatch } from '../modules/maintenance/maintenance-watch.js';
import { UnavailableError } from '../platform/errors/errors.js';
import { WrittenJson } from '../platform/json/written-json.js';
import { shortenedIn } from '../platform/lists/page-bytes.js';
import type { Log } from '../platform/logging/log.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { presentRequestId } from '../platform/requests/request-id.js';
import { note } from '../platform/tracing/scope.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import type { Spool } from '../providers/storage/spool.js';
import { Answer } from './answer.js';
import { type ClientAddress, clientAddress } from './client-address.js';
import { Connections } from './connections.js';
import { fileRoutes } from './files.js';
import { healthRoutes, type Lifecycle } from './health.js';
import { listenOn } from './listen-on.js';
import { type MetricsReaders, metricsRoutes } from './metrics.js';
import { cors } from './middleware/cors.js';
import {
  crowdGate,
  hasTwoHosts,
  hostGate,
  maintenanceGate,
  overloaded,
  phaseGate,
  phaseRefusal,
} from './middleware/gates.js';
import type { Identity } from './middleware/identity.js';
import { lastNet } from './middleware/last-net.js';
import { LoadLimit } from './middleware/load-limit.js';
import { requestIdOf } from './middleware/request-id.js';
import { securityHeaders } from './middleware/security-headers.js';
import { chain, type Step } from './middleware/step.js';
import { watchRequests } from './middleware/watch-requests.js';
import { defaultPublicDir, mountPages } from './pages.js';
import { answerParserErrors, answerRaw, badHandshake, tooManySockets } from './raw-answer.js';
import { Request } from './request.js';
import { wholeBody } from './whole-body.js';

/** What there is to serve. */
export interface Product {
  schema: GraphQLSchema;
  identity: Identity;
  keys: IdempotencyKeys;
  maintenance: MaintenanceWatch;
  spool: Spool;
  files: DocumentFiles;
  links: FileLinks;
}

export interface HttpServer {
  port: number;
  /** How many WebSockets are open. */
  readonly sockets: number;
  /** Mounts the product once everything below it stands. */
  open(product: Product): Promise<void>;
  /** Closes sockets with 1001 and goes on answering: probes, and every other request with 503. */
  drain(): Promise<void>;
  /** Answers what is under way, then stops listening. */
  close(): Promise<void>;
}

export interface HttpOptions {
  host: string;
  port: number;
  maxBodyBytes: number;
  maxRequestsInFlight: number;
  graphqlIntrospection: boolean;
  /** Whether /openapi.json and /docs are served. */
  openapi: boolean;
  /** A file. */
  graphqlSafelist: string | undefined;
  corsOrigins: readonly string[];
  socketLimits: SocketLimits;
  /** IP addresses and CIDR blocks. */
  trustedProxies: readonly string[];
  credentialsRecheckMs: number;
  metricsReaders: MetricsReaders;
  log: Log;
  telemetry: Telemetry;
  lifecycle: Lifecycle;
}

/** Load balancers keep idle connections for a minute; who closes first must be who sends, or a request meets a closed one. */
const KEEP_ALIVE_MS = 65_000;
const SWEEP_MS = 50;
/** Connections that may wait to be accepted: past it the system drops them without a word. */
const BACKLOG = 4_096;

const API = ['/api', '/v1', '/graphql'];
/** Requests that are taken whatever is short. */
const LEAST_REQUESTS_IN_FLIGHT = 256;

const openapi = async () =>
  (await import('../../rest-compat/generated/openapi.json', { with: { type: 'json' } })).default;

const notFound: Step = (_request, response) => sendRestError(response, restErrors.NOT_FOUND);

/** Listens at once, so that probes are answered while the rest starts; until then everything else is 503. */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { host, log, lifecycle, maxBodyBytes } = options;
  const safelist = options.graphqlSafelist === undefined ? null : await Safelist.read(options.graphqlSafelist);
  const addressOf = clientAddress(options.trustedProxies);
  const load = new LoadLimit({
    most: options.maxRequestsInFlight,
    least: LEAST_REQUESTS_IN_FLIGHT,
    statementsWaiting: () => lifecycle.database?.connections.waiting ?? 0,
  });
  const net = lastNet(log);
  const watch = watchRequests(options.telemetry, request => {
    connections.release(request.socket);
    if (request instanceof Request) request.settle();
  });
  const before = [watch.step, securityHeaders, hostGate];
  const crossOrigin = cors(options.corsOrigins);
  const gates = [phaseGate(lifecycle), crowdGate(load)];
  const app = express();
  app.disable('x-powered-by');
  app.use(healthRoutes(lifecycle));
  app.use(metricsRoutes(options.telemetry.metrics, options.metricsReaders));
  app.use(API, crossOrigin);
  app.use(gates);
  const others = chain([...before, toExpress(app)], net);
  let rest = chain([...before, crossOrigin, ...gates], net);

  const answer: http.RequestListener<typeof Request, typeof Answer> = (request, response) => {
    request.url = originForm(request.url ?? '/');
    connections.use(request.socket, response);
    // Past Express.
    if (isBelowRest(request.url)) rest(request, response);
    else others(request, response);
  };
  // Node would refuse a request without a host by an answer of its own.
  const server = http.createServer(
    { requireHostHeader: false, IncomingMessage: Request, ServerResponse: Answer },
    answer,
  );
  answerParserErrors(server);
  const connections = new Connections(server, KEEP_ALIVE_MS);
  // An expectation that is not known may be ignored; Node would refuse it past everything here.
  server.on('checkExpectation', answer);
  await listenOn(server, { port: options.port, host, backlog: BACKLOG }, 'PORT');
  load.start();
  let graphql: GraphQLService | undefined;
  options.telemetry.metrics.add({
    name: 'scenarium_websockets_open',
    help: 'WebSockets that are open in this process.',
    read: () => [{ value: graphql?.openSockets ?? 0 }],
  });
  server.on('upgrade', (request, socket, head) => {
    const busy = load.isReached ? overloaded : null;
    const repeated = hasTwoHosts(request) ? restErrors.PARSE_ERROR : null;
    const refusal =
      phaseRefusal(lifecycle) ?? repeated ?? (pathOf(request) === '/graphql' ? busy : restErrors.NOT_FOUND);
    if (refusal || !graphql) return answerRaw(socket, refusal ?? restErrors.UNAVAILABLE, requestIdOf(request));
    if (graphql.openSockets >= options.socketLimits.sockets)
      return answerRaw(socket, tooManySockets, requestIdOf(request));
    connections.leave(socket as Socket);
    graphql.upgrade(request, socket as Duplex, head);
  });

  return {
    port: (server.address() as AddressInfo).port,
    get sockets() {
      return graphql?.openSockets ?? 0;
    },
    async open(product) {
      const { schema, identity, maintenance } = product;
      const countFields = fieldCounter(schema, options.telemetry.metrics);
      graphql = await startGraphQL({
        schema,
        server,
        log,
        maxBodyBytes,
        isIntrospectable: options.graphqlIntrospection,
        safelist,
        refuseHandshake: (socket, request) => answerRaw(socket, badHandshake, requestIdOf(request)),
        maxUploadBytes: product.spool.maxBytes,
        socketLimits: options.socketLimits,
        credentialsRecheckMs: options.credentialsRecheckMs,
        contextFor: async (headers, { request, fields, response }) => {
          // Operations of open sockets: others are behind the gate.
          if (!response && fields && load.isReached)
            throw new UnavailableError(overloaded.detail, overloaded.retryAfter);
          if (maintenance.current.isOn && !isAboutMaintenance(fields)) throw maintenanceRefusal(maintenance.current);
          if (fields) countFields(fields);
          return identity.contextFor({ headers, address: addressOf(request), cost: fields?.count ?? 0, response });
        },
      });
      app.use('/graphql', graphql.router);
      mountPages(app, { publicDir: defaultPublicDir, openapi: options.openapi ? openapi : undefined });
      app.use(fileRoutes(product.links, product.files, log));
      rest = chain([...before, crossOrigin, ...gates, ...restSteps(product, addressOf, options), notFound], net);
      app.use(notFound);
      app.use((error: unknown, request: http.IncomingMessage, response: http.ServerResponse, _next: unknown) =>
        net(error, request, response),
      );
    },
    async drain() {
      await graphql?.closeSockets();
    },
    async close() {
      load.stop();
      await graphql?.stop();
      // A connection whose answer is still under way becomes idle later.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
      clearInterval(sweep);
      connections.stop();
      watch.settle();
    },
  };
}

/** Callers may write any name: what is no field is not told apart. */
function fieldCounter(schema: GraphQLSchema, metrics: Metrics): (asked: RootFields) => void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const known = new Set(roots.flatMap(root => Object.keys(root?.getFields() ?? {})));
  return ({ names }) => metrics.fieldsAsked([...names].map(name => (known.has(name) ? name : 'other')));
}

/** Whoever sends through a proxy may name the whole address (RFC 9112, section 3.2.2): what counts is its path. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const origin = /^https?:\/\/[^/?]*/i.exec(url)?.[0];
  if (origin === undefined) return url;
  const path = url.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Null: a socket opens, whose operations are looked at one by one. */
function isAboutMaintenance(fields: RootFields | null): boolean {
  if (fields === null) return true;
  return fields.names.size > 0 && [...fields.names].every(name => MAINTENANCE_FIELDS.has(name));
}

function restSteps(product: Product, addressOf: ClientAddress, options: HttpOptions): Step[] {
  const { log, maxBodyBytes } = options;
  const { schema, identity, keys, maintenance, spool } = product;
  const handler = createRestHandler({
    schema,
    contextFor: (request, auth, response) => {
      const { headers } = request;
      return identity.restContextFor({ headers, address: addressOf(request), cost: 1, response }, auth);
    },
    callerOf: context => (context.caller?.via === 'jwt' ? 'jwt' : 'key'),
    idempotency: {
      once: (context, key, request, work) =>
        keys.once(context.viewer, key, request, reservedId => work(context.reserving(reservedId))),
    },
    written: (text, value, utf8) => new WrittenJson(text, value, utf8),
    receiveFile: (content, filename) => spool.receive(content, filename),
    refusalOf: domainErrorOf,
    shortenedIn,
    onRoute: ({ path }) => note({ route: path }),
    onInnerStatus: status => note({ inner: String(status) }),
    onError: (error, request) => {
      const path = pathOf(request);
      log.error({ err: error, requestId: presentRequestId(), method: request.method, path }, 'a REST operation failed');
    },
  });
  // Forms with files are read by the routes that take them, as they come.
  const isOneBody = (request: http.IncomingMessage) =>
    !isMultipart(readContentType(request.headers['content-type']).type);
  return [maintenanceGate(maintenance), wholeBody({ type: isOneBody, limit: maxBodyBytes }), handler];
}

/** Express gives an answer another class. */
function toExpress(app: express.Express): Step {
  return (request, response) => {
    if (response instanceof Answer) response.settle();
    app(request as express.Request, response as express.Response);
  };
}

function pathOf({ url }: http.IncomingMessage): string | undefined {
  return url?.split('?')[0];
}
