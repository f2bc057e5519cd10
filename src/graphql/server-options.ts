import type http from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Log } from '../base/log.js';
import type { RequestContext } from '../resources/accounts/request-context.js';

export interface GraphQLServerOptions {
  schema: GraphQLSchema;
  server: http.Server;
  log: Log;
  maxBodyBytes: number;
  /** How often an open socket is asked anew whether its credentials still hold. */
  credentialsRecheckMs: number;
  /** Context of the caller that these headers (or connection parameters) name. */
  contextFor: (headers: Record<string, unknown>, request: http.IncomingMessage) => Promise<RequestContext>;
}
