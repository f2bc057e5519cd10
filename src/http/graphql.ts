import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLSchema } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { restErrors } from '../../rest-compat/runtime/errors.js';
import { prefersStrict } from '../../rest-compat/runtime/preferences.js';
import type { RootFields } from '../graphql/root-fields.js';
import type { Safelist } from '../graphql/safelist.js';
import { type GraphQLService, startGraphQL } from '../graphql/server.js';
import { MAINTENANCE_FIELDS } from '../modules/maintenance/maintenance.resolver.js';
import { maintenanceRefusal } from '../modules/maintenance/maintenance.service.js';
import { UnavailableError } from '../platform/errors/errors.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import type { ClientAddress } from './client-address.js';
import type { LoadLimit } from './middleware/load-limit.js';
import { hasRepeatedHost, overloaded, phaseRefusal, releaseFromLimit } from './middleware/request-checks.js';
import { requestIdOf } from './middleware/request-id.js';
import type { HttpOptions, HttpServices } from './options.js';
import { badHandshake, sendRawError, tooManySockets, wrongSubprotocol } from './raw-error.js';
import { pathOf } from './url-path.js';

/** The characters of a response that it may have in addition to the contents of the largest run. */
const RESPONSE_MARGIN = 16 * 1024 * 1024;

interface GraphQLParts {
  server: Server;
  safelist: Safelist | null;
  load: LoadLimit;
  addressOf: ClientAddress;
}

/** Starts the GraphQL endpoint over HTTP and WebSocket. */
export function startGraphQLEndpoint(
  { schema, identity, maintenance, spool }: HttpServices,
  options: HttpOptions,
  { server, safelist, load, addressOf }: GraphQLParts,
): Promise<GraphQLService> {
  const { log, maxBodyBytes, socketLimits, credentialsRecheckMs } = options;
  const recordFields = fieldCounter(schema, options.telemetry.metrics);
  return startGraphQL({
    ...{ schema, server, log, maxBodyBytes, safelist, socketLimits, credentialsRecheckMs },
    isIntrospectable: options.graphqlIntrospection,
    refuseHandshake: (socket, request) => sendRawError(socket, badHandshake, requestIdOf(request)),
    onStream: releaseFromLimit,
    maxUploadBytes: spool.maxBytes,
    maxResponseCharacters: options.runMaxBytes + RESPONSE_MARGIN,
    contextFor: async (headers, { request, fields, response }) => {
      // Applies to operations over open sockets; HTTP requests have passed the limit in the middleware.
      if (!response && fields && load.isReached) throw new UnavailableError(overloaded.detail, overloaded.retryAfter);
      if (maintenance.current.isOn && !isAboutMaintenance(fields)) throw maintenanceRefusal(maintenance.current);
      if (fields) recordFields(fields);
      const credentials = { headers, address: addressOf(request), cost: fields?.count ?? 0, response };
      const context = await identity.contextFor(credentials);
      context.warnings.isStrict = prefersStrict(headers.prefer);
      return context;
    },
  });
}

interface UpgradeParts {
  options: HttpOptions;
  load: LoadLimit;
  /** Undefined until the product is open. */
  graphql: () => GraphQLService | undefined;
  forget: (socket: Duplex) => void;
}

/** Passes WebSocket handshakes to GraphQL, or rejects them. */
export function acceptUpgrades(server: Server, { options, load, graphql, forget }: UpgradeParts): void {
  server.on('upgrade', (request, socket, head) => {
    const service = graphql();
    const busy = load.isReached ? overloaded : null;
    const hostError = hasRepeatedHost(request) ? restErrors.PARSE_ERROR : null;
    const refusal =
      phaseRefusal(options.lifecycle) ?? hostError ?? (pathOf(request) === '/graphql' ? busy : restErrors.NOT_FOUND);
    if (refusal || !service) return sendRawError(socket, refusal ?? restErrors.UNAVAILABLE, requestIdOf(request));
    if (!offersSubprotocol(request)) return sendRawError(socket, wrongSubprotocol, requestIdOf(request));
    if (service.openSockets + service.openStreams >= options.socketLimits.sockets)
      return sendRawError(socket, tooManySockets, requestIdOf(request));
    forget(socket);
    service.upgrade(request, socket, head);
  });
}

/** Whether a WebSocket handshake offers the one subprotocol. Other handshakes are rejected later. */
function offersSubprotocol({ headers }: IncomingMessage): boolean {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return true;
  const offered = headers['sec-websocket-protocol']?.split(',').map(name => name.trim());
  return offered?.includes(GRAPHQL_TRANSPORT_WS_PROTOCOL) ?? false;
}

/** Counts root fields by name. Unknown names share the label `other`, so that callers cannot create metric series. */
function fieldCounter(schema: GraphQLSchema, metrics: Metrics): (fields: RootFields) => void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fieldNames = new Set(roots.flatMap(root => Object.keys(root?.getFields() ?? {})));
  return ({ names }) => metrics.recordFields([...names].map(name => (fieldNames.has(name) ? name : 'other')));
}

/** Null fields mean that a socket opens; its operations are checked individually. */
function isAboutMaintenance(fields: RootFields | null): boolean {
  if (fields === null) return true;
  return fields.names.size > 0 && [...fields.names].every(name => MAINTENANCE_FIELDS.has(name));
}
