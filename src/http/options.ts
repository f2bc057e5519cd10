import type { GraphQLSchema } from 'graphql';
import type { SocketLimits } from '../graphql/server-options.js';
import type { IdempotencyKeys } from '../modules/accounts/api-keys/idempotency-keys.js';
import type { DocumentFiles } from '../modules/documents/document-files.js';
import type { FileLinks } from '../modules/documents/file-links.js';
import type { MaintenanceWatch } from '../modules/maintenance/maintenance-watch.js';
import type { Log } from '../platform/logging/log.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import type { Spool } from '../providers/storage/spool.js';
import type { FastLane } from './fast-lane.js';
import type { Lifecycle } from './health.js';
import type { MetricsReaders } from './metrics.js';
import type { Identity } from './middleware/identity.js';

/** The services behind the HTTP API. */
export interface Product {
  schema: GraphQLSchema;
  identity: Identity;
  keys: IdempotencyKeys;
  maintenance: MaintenanceWatch;
  spool: Spool;
  files: DocumentFiles;
  links: FileLinks;
}

export interface HttpOptions {
  host: string;
  port: number;
  maxBodyBytes: number;
  /** Concurrent requests; more get 503. */
  maxRequestsInFlight: number;
  graphqlIntrospection: boolean;
  /** Whether /openapi.json and /docs are served. */
  openapi: boolean;
  /** Path of the safelist file; undefined: every operation is allowed. */
  graphqlSafelist: string | undefined;
  corsOrigins: readonly string[];
  socketLimits: SocketLimits;
  /** IP addresses and CIDR blocks of proxies whose `X-Forwarded-For` is used. */
  trustedProxies: readonly string[];
  credentialsRecheckMs: number;
  metricsReaders: MetricsReaders;
  log: Log;
  telemetry: Telemetry;
  lifecycle: Lifecycle;
  fastLane: FastLane;
}
