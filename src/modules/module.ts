import type { EntityClass, EntitySchema } from '@mikro-orm/core';
import type { Queue, QueueOptions } from '../durable/queue.js';
import type { ScheduledTask } from '../durable/scheduled-tasks.js';
import type { Job } from '../durable/worker.js';
import type { DatabaseCaller } from '../engine/database/port.js';
import type { HttpCaller, McpCaller } from '../engine/ports.js';
import type { AbortControllerLike } from '../platform/async/abort-signal.js';
import type { Config } from '../platform/config/config.js';
import type { Vault } from '../platform/crypto/crypto.js';
import type { Database } from '../platform/database/database.js';
import type { PageBytes } from '../platform/lists/page-bytes.js';
import type { Bus } from '../platform/messaging/bus.js';
import type { PolledMetric } from '../platform/metrics/polled-metric.js';
import type { Currencies } from '../platform/money/money.js';
import type { Outbound } from '../platform/outbound/outbound.js';
import type { LineSpool } from '../platform/spool/line-spool.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import type { MailServers } from '../providers/email.js';
import type { LanguageModels } from '../providers/llm/registry.js';
import type { OpenIdConnect } from '../providers/open-id-connect.js';
import type { ThreadSandbox } from '../providers/sandbox.js';
import type { Spool } from '../providers/storage/spool.js';
import type { Storage } from '../providers/storage/storage.js';
import type { Viewer } from './accounts/viewer.js';

/** The layers under the modules. The container creates them before the first module. */
export interface Infrastructure {
  config: Config;
  telemetry: Telemetry;
  database: Database;
  bus: Bus;
  queue: Queue;
  vault: Vault;
  /** Signs the tokens of sessions. */
  jwtSecret: string;
  storage: Storage;
  spool: Spool;
  /** Buffers ledger rows on disk while the database cannot store them. */
  ledgerSpool: LineSpool;
  currencies: Currencies;
  pageBytes: PageBytes;
  /** Sends requests to addresses from user input. Private networks are refused unless OUTBOUND_ALLOW permits them. */
  outbound: Outbound;
  /** Sends requests to addresses from the operator's configuration, private networks included. */
  trusted: Outbound;
  http: HttpCaller;
  databases: DatabaseCaller;
  email: MailServers;
  /** Sends emails through the mail server of the operator's configuration, private networks included. */
  trustedEmail: MailServers;
  /** The issuer at which users sign in. Null: not configured. */
  openIdConnect: OpenIdConnect | null;
  mcp: McpCaller;
  models: LanguageModels;
  sandbox: ThreadSandbox;
  /** Creates the abort controller of one chat completion. */
  createAbortController: () => AbortControllerLike;
}

/** Opens the stream behind a subscription field. */
export type Stream = (viewer: Viewer, args: Record<string, unknown>) => Promise<AsyncIterable<unknown>>;

export type ResolverClass = new (...args: never[]) => object;
/** A table: a class with decorators, or the result of `defineEntity`. */
export type Entity = EntityClass | EntitySchema;

/** The objects that one module adds to the running process. */
export interface ModuleParts<Services> {
  /** The objects that dependent modules may use. */
  services: Services;
  /** One instance of each class in `ModuleDefinition.resolvers`. */
  resolvers?: readonly object[];
  /** Workers for the queues of the module. */
  jobs?: readonly Job[];
  /** Scheduled tasks of the module. */
  scheduledTasks?: readonly ScheduledTask[];
  metrics?: readonly PolledMetric[];
  /** Subscription fields by name. */
  streams?: Readonly<Record<string, Stream>>;
}

/** Modules that a module uses, by the names under which `create` receives their services. */
// biome-ignore lint/suspicious/noExplicitAny: a list of definitions holds services of every type.
export type ModuleNeeds = Readonly<Record<string, ModuleDefinition<any, any>>>;

export type ServicesOf<Definition> =
  Definition extends ModuleDefinition<infer Services, infer _Needs> ? Services : never;

/** One resource of the product. Its folder contains the entities, resolvers, services and jobs of the resource. */
export interface ModuleDefinition<Services, Needs extends ModuleNeeds> {
  /** The name of its folder. */
  readonly name: string;
  /** Every module that files of this one import. */
  readonly needs: Needs;
  /** Every table that the module owns. */
  readonly entities?: readonly Entity[];
  readonly resolvers?: readonly ResolverClass[];
  /** pg-boss queues by name. */
  readonly queues?: Readonly<Record<string, QueueOptions>>;
  create(
    infrastructure: Infrastructure,
    needs: { [Name in keyof Needs]: ServicesOf<Needs[Name]> },
  ): ModuleParts<Services>;
}

/**
 * Declares a module. The container, the schema, the entities, the queues and the creation order are derived
 * from all declarations.
 */
export function defineModule<Services, Needs extends ModuleNeeds>(
  definition: ModuleDefinition<Services, Needs>,
): ModuleDefinition<Services, Needs> {
  return definition;
}
