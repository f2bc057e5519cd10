import type { GraphQLSchema } from 'graphql';
import type { SocketLimits } from '../graphql/server-options.js';
import type { IdempotencyKeys } from '../modules/accounts/api-keys/idempotency-keys.js';
import type { OidcSignInService } from '../modules/accounts/oidc/oidc-sign-in.service.js';
import type { SessionService } from '../modules/accounts/sessions/session.service.js';
import type { AddressLimit } from '../modules/accounts/users/address-limit.js';
import type { ClientMetadata } from '../modules/connections/oauth/client-metadata.js';
import type { DocumentFiles } from '../modules/documents/document-files.js';
import type { FileLinks } from '../modules/documents/file-links.js';
import type { MaintenanceState } from '../modules/maintenance/maintenance-state.js';
import type { McpEndpoint } from '../modules/mcp-server/protocol/mcp-endpoint.js';
import type { ChatReceiver } from '../modules/triggers/chat/chat-receiver.js';
import type { FormReceiver } from '../modules/triggers/form/form-receiver.js';
import type { WebhookReceiver } from '../modules/triggers/webhook/webhook-receiver.js';
import type { RunChangeStreams } from '../modules/workflow-runs/api/run-change-streams.js';
import type { WorkflowRunService } from '../modules/workflow-runs/history/workflow-run.service.js';
import type { Issuer } from '../platform/config/config.js';
import type { Log } from '../platform/logging/log.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import type { Spool } from '../providers/storage/spool.js';
import type { FastLane } from './fast-lane.js';
import type { Lifecycle } from './health.js';
import type { MetricsReaders } from './metrics.js';
import type { Identity } from './middleware/identity.js';

/** The services that the HTTP API calls. */
export interface HttpServices {
  schema: GraphQLSchema;
  identity: Identity;
  sessions: SessionService;
  /** Null: no issuer is configured. */
  oidc: OidcSignInService | null;
  /** This service as an OAuth client. Null: it has no public address with https. */
  clientMetadata: ClientMetadata | null;
  keys: IdempotencyKeys;
  maintenance: MaintenanceState;
  spool: Spool;
  files: DocumentFiles;
  links: FileLinks;
  webhooks: WebhookReceiver;
  forms: FormReceiver;
  chats: ChatReceiver;
  mcp: McpEndpoint;
  runs: Pick<WorkflowRunService, 'get'>;
  runStreams: Pick<RunChangeStreams, 'open'>;
  /** Limits rejected requests without credentials, such as those to unknown webhooks, forms and chats, by client address. */
  anonymousLimit: AddressLimit;
}

export interface HttpOptions {
  host: string;
  port: number;
  maxBodyBytes: number;
  /** Bytes of all contents of one run. */
  runMaxBytes: number;
  /** Concurrent requests; more get 503. */
  maxRequestsInFlight: number;
  graphqlIntrospection: boolean;
  /** Whether /openapi.json and /docs are served. */
  openapi: boolean;
  /** Path of the safelist file; undefined: every operation is allowed. */
  graphqlSafelist: string | undefined;
  corsOrigins: readonly string[];
  /** The external issuer of session tokens; undefined: none. */
  issuer: Issuer | undefined;
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
