import { withoutTrailingSlashes } from '../requests/trailing-slashes.js';
import {
  MODEL_PROVIDERS,
  type ModelProvider,
  type ProviderSettings,
  type ProviderVariable,
  variablesOf,
} from './model-providers.js';
import type { StorageLocation } from './storage-url.js';
import { allVariables, entriesOf, variables } from './variables.js';

/** Every variable that is read; docs/configuration.md has a row for each. */
export const variableNames: readonly string[] = Object.keys(allVariables);

/** The accepted format of each variable, as errors and docs/configuration.md show it. */
export const variableFormats: ReadonlyMap<string, string> = new Map(
  Object.entries(allVariables).map(([name, { takes }]) => [name, takes]),
);

/** Secrets that every process on one database must share. */
const SHARED_SECRETS = ['JWT_SECRET', 'SERVICE_TOKEN', 'ENCRYPTION_KEY'] as const;
/** An external issuer is described by all of them or not at all. */
const ISSUER = ['JWT_JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE'] as const;

const S3_KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

/** An issuer of sessions other than this service. */
export interface Issuer {
  jwksUrl: string;
  issuer: string;
  audience: string;
}

export type Role = 'all' | 'api' | 'worker';
export type LogFormat = 'json' | 'pretty';

export interface Config extends Record<ModelProvider, ProviderSettings> {
  port: number;
  host: string;
  /** Of links in results, without a slash at its end; empty while the port is not known: links are paths then. */
  publicUrl: string;
  databaseUrl: string | undefined;
  dataDir: string;
  admin: { email: string | undefined; password: string | undefined; apiKey: string | undefined };
  jwtSecret: string | undefined;
  serviceToken: string | undefined;
  encryptionKey: string | undefined;
  issuer: Issuer | undefined;
  /** Calls of nodes and messages that one process makes to one provider at the same time. */
  providerConcurrency: number;
  /** Of these, the calls of one project. Undefined: seven of eight. */
  providerProjectConcurrency: number | undefined;
  /** How often nodes and messages ask a provider that refuses for the moment, and how long they wait at first. */
  providerRetry: { tries: number; baseMs: number };
  /** Models that the chat proxy asks when the one that was asked for fails, in their order. */
  chatFallbacks: string[];
  /** Further tries of the chat proxy with one model. */
  chatRetries: number;
  /** For the answer to a chat completion; of a stream for its first byte. */
  chatTimeoutMs: number;
  /** Between two bytes of a streamed chat completion. */
  chatIdleMs: number;
  outboundAllow: string[];
  /** Requests that an API key without a limit of its own may make in a minute; 0: unlimited. */
  rateLimitPerMinute: number;
  /** Requests without valid credentials that one process takes from a client address in a minute; 0: unlimited. */
  anonymousLimitPerMinute: number;
  /** The same of attempts to log in. */
  loginLimitPerMinute: number;
  /** Origins whose pages may call the API from a browser; `*` alone: every one. */
  corsOrigins: string[];
  /** Proxies whose `X-Forwarded-For` is believed: IP addresses and CIDR blocks. */
  trustedProxies: string[];
  /** Whether GraphQL callers may ask for the schema. */
  graphqlIntrospection: boolean;
  openapi: boolean;
  /** A file of the only GraphQL operations that are run. */
  graphqlSafelist: string | undefined;
  /** Of one process: sockets at the same time, those of one user, and operations over one of them. */
  socketLimits: { sockets: number; perUser: number; operations: number };
  /** Requests that one process works on at the same time; more are answered 503. */
  maxRequestsInFlight: number;
  srPerUsd: string;
  /** Null: below the data folder. */
  storage: StorageLocation | null;
  aws: { accessKeyId: string | undefined; secretAccessKey: string | undefined };
  maxUploadBytes: number;
  /** The operator's limits on spending with provider keys of the service, for users and projects without one of their own; null: none. */
  defaultLimits: { userUsd: string | null; projectUsd: string | null };
  /** Of the stored files of a project, unless an administrator sets another limit; 0: unlimited. */
  projectStorageBytes: number;
  maxBodyBytes: number;
  /** Of the payloads that a list shows in one response. */
  pageMaxBytes: number;
  runResultTtlDays: number;
  /** How long a deleted workflow and its runs stay before they are removed from the database. */
  archiveTtlDays: number;
  workerConcurrency: number;
  /** Runs of workflows of one project that may wait for a worker, by and large; more are answered 429. */
  projectQueueMax: number;
  /** Longest time that the script of a code node runs. */
  codeMaxSeconds: number;
  runMaxSeconds: number;
  runMaxBytes: number;
  /** How long a process that was told to stop goes on taking requests, so that load balancers look away first. */
  shutdownDelayMs: number;
  /** How long runs under way may take to finish when the process stops; then they go back to the queue. */
  shutdownGraceMs: number;
  /** After so long without an answer from a connection pool, `/healthz` fails while the database can be reached. */
  wedgedAfterMs: number;
  /** How often an open socket is asked anew whether its credentials still hold. */
  credentialsRecheckMs: number;
  /** Seconds from each failed attempt of a webhook to the next one, before jitter; after the last one it has failed. */
  webhookRetrySeconds: number[];
  role: Role;
  logLevel: string;
  /** Undefined: pretty when the standard output is a terminal, else JSON. */
  logFormat: LogFormat | undefined;
  /** What opens `/metrics`. Unset: processes of this machine may read it, and in production nobody. */
  metricsToken: string | undefined;
  /** Where metrics and probes are served beside the API, or without one. */
  metricsPort: number | undefined;
  traces: { endpoint: string | undefined /** Share of the traces begun here that are kept, 0-1. */; share: number };
  production: boolean;
  crashAt: string | undefined;
}

/** Ten attempts over 24 hours. */
const WEBHOOK_RETRY_SECONDS = [5, 60, 300, 1_200, 3_600, 7_200, 14_400, 25_200, 34_200];

export class ConfigError extends Error {
  /** One line for each fault. */
  constructor(readonly faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Reads the environment; an empty variable counts as unset. Throws one ConfigError that names every fault. */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const read: Read = (name, fallback) => {
    const given = env[name];
    if (given === undefined || given === '') return fallback;
    const { schema, takes, secret } = allVariables[name]!;
    const parsed = schema.safeParse(given);
    if (parsed.success) return parsed.data as typeof fallback;
    faults.push(`${name}: got ${secret ? `${given.length} characters` : JSON.stringify(given)}, takes ${takes}`);
    return fallback;
  };
  const production = read<string>('NODE_ENV', '') === 'production';
  const config: Config = {
    ...readServer(read),
    ...readSecrets(read, env),
    ...readProviders(read),
    ...readAccess(read),
    ...readStorage(read),
    ...readRuns(read),
    ...readOperation(read),
    production,
  };
  if (config.publicUrl === '' && config.port !== 0) config.publicUrl = `http://localhost:${config.port}`;
  faults.push(...missingVariables(env, config));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Read = <T>(name: keyof typeof variables | ProviderVariable, fallback: T) => T;

/** Where the service listens and what it stores its state in. */
function readServer(read: Read) {
  return {
    port: read('PORT', 4000),
    host: read('HOST', '127.0.0.1'),
    publicUrl: withoutTrailingSlashes(read('PUBLIC_URL', '')),
    databaseUrl: read<string | undefined>('DATABASE_URL', undefined),
    dataDir: read('DATA_DIR', '.data'),
    role: read<Role>('ROLE', 'all'),
  };
}

/** Credentials, and the secrets that credentials are made with. */
function readSecrets(read: Read, env: Environment) {
  return {
    admin: {
      email: read<string | undefined>('ADMIN_EMAIL', undefined),
      password: read<string | undefined>('ADMIN_PASSWORD', undefined),
      apiKey: read<string | undefined>('ADMIN_API_KEY', undefined),
    },
    jwtSecret: read<string | undefined>('JWT_SECRET', undefined),
    serviceToken: read<string | undefined>('SERVICE_TOKEN', undefined),
    encryptionKey: read<string | undefined>('ENCRYPTION_KEY', undefined),
    issuer: env.JWT_JWKS_URL
      ? { jwksUrl: read('JWT_JWKS_URL', ''), issuer: read('JWT_ISSUER', ''), audience: read('JWT_AUDIENCE', '') }
      : undefined,
  };
}

/** The model providers and the chat proxy. */
function readProviders(read: Read) {
  return {
    ...providerSettings(name => read<string | undefined>(name, undefined)),
    providerConcurrency: read('PROVIDER_CONCURRENCY', 64),
    providerProjectConcurrency: read<number | undefined>('PROVIDER_PROJECT_CONCURRENCY', undefined),
    providerRetry: { tries: 3, baseMs: 500 },
    chatFallbacks: entriesOf(read('CHAT_FALLBACKS', '')),
    chatRetries: read('CHAT_RETRIES', 0),
    chatTimeoutMs: 60_000,
    chatIdleMs: 300_000,
    outboundAllow: entriesOf(read('OUTBOUND_ALLOW', '')),
  };
}

/** Who may call, how often and with how much. */
function readAccess(read: Read) {
  return {
    rateLimitPerMinute: read('RATE_LIMIT_PER_MINUTE', 60),
    anonymousLimitPerMinute: read('ANONYMOUS_LIMIT_PER_MINUTE', 300),
    loginLimitPerMinute: read('LOGIN_LIMIT_PER_MINUTE', 30),
    corsOrigins: entriesOf(read('CORS_ORIGINS', '')),
    trustedProxies: entriesOf(read('TRUSTED_PROXIES', '')),
    graphqlIntrospection: read<'on' | 'off'>('GRAPHQL_INTROSPECTION', 'on') === 'on',
    openapi: read<'on' | 'off'>('OPENAPI', 'on') === 'on',
    graphqlSafelist: read<string | undefined>('GRAPHQL_SAFELIST', undefined),
    socketLimits: {
      sockets: read('MAX_SOCKETS', 20_000),
      perUser: read('MAX_SOCKETS_PER_USER', 1_000),
      operations: read('MAX_SOCKET_OPERATIONS', 200),
    },
    maxRequestsInFlight: 2_000,
    maxBodyBytes: read('MAX_BODY_MB', 5) * 1024 * 1024,
    pageMaxBytes: read('PAGE_MAX_BYTES', 4 * 1024 * 1024),
    credentialsRecheckMs: 60_000,
  };
}

/** Files and money. */
function readStorage(read: Read) {
  return {
    srPerUsd: read('SR_PER_USD', '100'),
    storage: read<StorageLocation | null>('STORAGE_URL', null),
    aws: {
      accessKeyId: read<string | undefined>('AWS_ACCESS_KEY_ID', undefined),
      secretAccessKey: read<string | undefined>('AWS_SECRET_ACCESS_KEY', undefined),
    },
    maxUploadBytes: read('MAX_UPLOAD_MB', 50) * 1024 * 1024,
    defaultLimits: {
      userUsd: read<string | null>('USER_LIMIT_USD', null),
      projectUsd: read<string | null>('PROJECT_LIMIT_USD', null),
    },
    projectStorageBytes: read('PROJECT_STORAGE_MB', 10_240) * 1024 * 1024,
  };
}

/** Runs and what remains of them. */
function readRuns(read: Read) {
  return {
    runResultTtlDays: read('RUN_RESULT_TTL_DAYS', 30),
    archiveTtlDays: read('ARCHIVE_TTL_DAYS', 90),
    workerConcurrency: read('WORKER_CONCURRENCY', 50),
    projectQueueMax: read('PROJECT_QUEUE_MAX', 100_000),
    codeMaxSeconds: read('CODE_MAX_SECONDS', 30),
    runMaxSeconds: read('RUN_MAX_SECONDS', 86_400),
    runMaxBytes: read('RUN_MAX_BYTES', 64 * 1024 * 1024),
    webhookRetrySeconds: WEBHOOK_RETRY_SECONDS,
  };
}

/** Shutdown, logs, metrics and traces. */
function readOperation(read: Read) {
  return {
    shutdownDelayMs: read('SHUTDOWN_DELAY_SECONDS', 0) * 1000,
    shutdownGraceMs: 30_000,
    wedgedAfterMs: 60_000,
    logLevel: read('LOG_LEVEL', 'info'),
    logFormat: read<LogFormat | undefined>('LOG_FORMAT', undefined),
    metricsToken: read<string | undefined>('METRICS_TOKEN', undefined),
    metricsPort: read<number | undefined>('METRICS_PORT', undefined),
    traces: {
      endpoint: optionalAddress(read('OTEL_EXPORTER_OTLP_ENDPOINT', undefined)),
      share: read('OTEL_TRACES_SAMPLER_ARG', 1),
    },
    crashAt: read<string | undefined>('CRASH_AT', undefined),
  };
}

/** What is required beside other variables, or refused there. */
function missingVariables(env: Environment, { production, databaseUrl, crashAt, storage }: Config): string[] {
  const faults: string[] = [];
  const demand = (
    names: readonly (keyof typeof variables)[],
    takes: (name: keyof typeof variables) => string,
  ): void => {
    faults.push(...names.filter(name => !env[name]).map(name => `${name}: unset, takes ${takes(name)}`));
  };
  if (production && crashAt) faults.push('CRASH_AT: set, takes no value when NODE_ENV is production');
  if (production && databaseUrl)
    demand(SHARED_SECRETS, name => `${variables[name].takes} when DATABASE_URL is set in production`);
  const given = ISSUER.find(part => env[part]);
  if (given) demand(ISSUER, name => `${variables[name].takes} when ${given} is set`);
  if (storage?.kind === 's3') demand(S3_KEYS, () => 'a key when STORAGE_URL names S3 storage');
  return faults;
}

function providerSettings(read: (name: ProviderVariable) => string | undefined) {
  const entries = MODEL_PROVIDERS.map(provider => {
    const names = variablesOf(provider);
    return [provider, { baseUrl: optionalAddress(read(names.baseUrl)), apiKey: read(names.apiKey) }] as const;
  });
  return Object.fromEntries(entries) as Record<ModelProvider, ProviderSettings>;
}

function optionalAddress(address: string | undefined): string | undefined {
  return address === undefined ? undefined : withoutTrailingSlashes(address);
}
