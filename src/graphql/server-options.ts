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
  /** Whether callers may ask for the schema. */
  isIntrospectable: boolean;
  /** The only operations that are run; null: all. */
  safelist: Safelist | null;
  /** Of one file of a multipart request. */
  maxUploadBytes: number;
  socketLimits: SocketLimits;
  /** How often an open socket is asked anew whether its credentials still hold. */
  credentialsRecheckMs: number;
  /** Answers a request that would become a WebSocket and is not one. */
  refuseHandshake: (socket: Duplex, request: http.IncomingMessage) => void;
  /** Context of the caller that these headers (or connection parameters) name. */
  contextFor: (headers: Record<string, unknown>, asked: Asked) => Promise<RequestContext>;
}

/** Of the sockets of one process. */
export interface SocketLimits {
  /** Open at the same time. */
  sockets: number;
  /** Of those, one user's. */
  perUser: number;
  /** Under way over one socket at the same time, subscriptions included. */
  operations: number;
}

/** What a caller is let in for. */
export interface Asked {
  /** Where it came from. */
  request: http.IncomingMessage;
  /** Null: nothing yet, a socket opens. */
  fields: RootFields | null;
  /** The HTTP answer; null over a socket. */
  response: http.ServerResponse | null;
}
