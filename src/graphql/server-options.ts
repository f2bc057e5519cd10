import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../modules/accounts/request-context.js';
import type { Log } from '../platform/logging/log.js';
import type { RootFields } from './root-fields.js';
import type { Safelist } from './safelist.js';

export interface GraphQLServerOptions {
  schema: GraphQLSchema;
  server: http.Server;
  log: Log;
  maxBodyBytes: number;
  /** Whether introspection is allowed. */
  isIntrospectable: boolean;
  /** The allowed operations; null: all. */
  safelist: Safelist | null;
  /** Characters of the response to one operation, or of one event of a subscription. */
  maxResponseCharacters: number;
  /** Bytes of one file of a multipart request. */
  maxUploadBytes: number;
  socketLimits: SocketLimits;
  /** Interval at which the credentials of an open socket are checked again. */
  credentialsRecheckMs: number;
  /** Called when a response becomes a stream, which stays open: it does not count as a request in progress. */
  onStream: (response: http.ServerResponse) => void;
  /** Responds to an invalid WebSocket handshake. */
  refuseHandshake: (socket: Duplex, request: http.IncomingMessage) => void;
  /** Creates the context of the caller that these headers (or connection parameters) identify. */
  contextFor: (headers: Record<string, unknown>, contextRequest: ContextRequest) => Promise<RequestContext>;
}

/** Limits on the subscribers of one process. */
export interface SocketLimits {
  /** Open sockets and HTTP subscriptions. */
  sockets: number;
  /** Open sockets and HTTP subscriptions of one user. */
  perUser: number;
  /** Concurrent operations of one socket, including subscriptions. */
  operations: number;
}

/** The request for which a context is created. */
export interface ContextRequest {
  /** The HTTP request, or the handshake of the socket. */
  request: http.IncomingMessage;
  /** Null when a socket opens or an upload starts, before an operation is known. */
  fields: RootFields | null;
  /** The HTTP response; null over a socket. */
  response: http.ServerResponse | null;
}
