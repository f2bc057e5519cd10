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

/** The names of all environment variables that the service reads. docs/configuration.md has a row for each. */
export const variableNames: readonly string[] = Object.keys(allVariables);

/** The accepted format of each variable, used in error messages and docs/configuration.md. */
export const variableFormats: ReadonlyMap<string, string> = new Map(
  Object.entries(allVariables).map(([name, { format }]) => [name, format]),
);

/** Secrets that all processes on one database must share. */
const SHARED_SECRETS = ['JWT_SECRET', 'SERVICE_TOKEN', 'ENCRYPTION_KEY'] as const;
/** The variables of an external issuer. Either all of them are set or none. */
const ISSUER = ['JWT_JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE'] as const;

/** The variables of emails of the service. Links in emails need the address at which users reach it. */
const MAIL = ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL'] as const;

/** The variables of the sign-in at an issuer, which redirects to the address at which users reach the service. */
const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

const S3_KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

/** An external issuer of session tokens. */
export interface Issuer {
  jwksUrl: string;
  issuer: string;
  audience: string;
}

/** The mail server of the operator, for emails of the service itself. */
export interface MailSettings {
  /** Address of the server, as `parseMailUrl` accepts it. */
  server: string;
  from: string;
}

/** The OpenID Connect issuer at which users sign in to the console. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Its name on the sign-in page. */
  name: string;
  /** The domains of emails that may sign in, in lower case. Empty, or with `*`: all. */
  domains: string[];
  /** Whether a sign-in creates a user for an unknown email. */
  createsUsers: boolean;
}

export type Role = 'all' | 'api' | 'worker';
export type LogFormat = 'json' | 'pretty';

export interface Config extends Record<ModelProvider, ProviderSettings> {
  port: number;
  host: string;
  /** Base URL of links in results, without a trailing slash. Empty while the port is unknown; links are then paths. */
  publicUrl: string;
  databaseUrl: string | undefined;
  dataDir: string;
  admin: { email: string | undefined; password: string | undefined; apiKey: string | undefined };
  jwtSecret: string | undefined;
  serviceToken: string | undefined;
  encryptionKey: string | undefined;
  issuer: Issuer | undefined;
  /** Undefined: users sign in without an issuer. */
  oidc: OidcSettings | undefined;
  /** Undefined: the service sends no emails of its own. */
  mail: MailSettings | undefined;
  /** Maximum concurrent calls of one process to one provider, for nodes and messages. */
  providerConcurrency: number;
  /** The part of `providerConcurrency` that one project may use. Undefined: about 7/8. */
  providerProjectConcurrency: number | undefined;
  /** Attempts of nodes and messages when a provider rejects a call temporarily, and the first delay in milliseconds. */
  providerRetry: { tries: number; baseMs: number };
  /** Models that the chat proxy tries, in this order, when the requested model fails. */
  chatFallbacks: string[];
  /** Additional attempts of the chat proxy with the same model. */
  chatRetries: number;
  /** Timeout for the response to a chat completion. For a stream: timeout for its first byte. */
  chatTimeoutMs: number;
  /** Maximum time between two bytes of a streamed chat completion. */
  chatIdleMs: number;
  outboundAllow: string[];
  /** Requests per minute for an API key without its own limit. 0: unlimited. */
  rateLimitPerMinute: number;
  /** Requests per minute without valid credentials that one process accepts from one client network. 0: unlimited. */
  anonymousLimitPerMinute: number;
  /** Login attempts per minute that one process accepts from one client network. 0: unlimited. */
  loginLimitPerMinute: number;
  /** Origins whose pages may call the API from a browser. A single `*` allows every origin. */
  corsOrigins: string[];
  /** Proxies whose `X-Forwarded-For` is trusted: IP addresses and CIDR blocks. */
  trustedProxies: string[];
  /** Whether GraphQL introspection is enabled. */
  graphqlIntrospection: boolean;
  openapi: boolean;
  /** JSON file with the only GraphQL operations that the service executes. */
  graphqlSafelist: string | undefined;
  /** Limits of one process: open sockets, sockets per user, and concurrent operations per socket. */
  socketLimits: { sockets: number; perUser: number; operations: number };
  /** Maximum concurrent requests of one process. Further requests receive 503. */
  maxRequestsInFlight: number;
  srPerUsd: string;
  /** Null: a folder inside `dataDir`. */
  storage: StorageLocation | null;
  aws: { accessKeyId: string | undefined; secretAccessKey: string | undefined };
  maxUploadBytes: number;
  /**
   * The operator's spending limits for service-owned provider keys. They apply to users and projects without their own
   * limit. Null: no limit.
   */
  defaultLimits: { userUsd: string | null; projectUsd: string | null };
  /** Limit for the stored files of a project, unless an administrator sets another one. 0: unlimited. */
  projectStorageBytes: number;
  maxBodyBytes: number;
  /** Maximum size of the payloads in one list response. */
  pageMaxBytes: number;
  runResultTtlDays: number;
  /** Days until a deleted workflow and its runs are removed from the database. */
  archiveTtlDays: number;
  workerConcurrency: number;
  /** Approximate number of runs of one project that may wait for a worker. Further runs receive 429. */
  projectQueueMax: number;
  /** Maximum execution time of the script of a code node. */
  codeMaxSeconds: number;
  runMaxSeconds: number;
  runMaxBytes: number;
  /** Time for which a stopping process still accepts requests, so that load balancers stop routing to it first. */
  shutdownDelayMs: number;
  /** Time that active runs get to finish during shutdown. Then they return to the queue. */
  shutdownGraceMs: number;
  /** A connection pool without a response for this time makes `/healthz` fail while the database is reachable. */
  wedgedAfterMs: number;
  /** Interval at which the credentials of an open socket are checked again. */
  credentialsRecheckMs: number;
  /** Seconds from each failed webhook attempt to the next, before jitter. The delivery fails after the last attempt. */
  webhookRetrySeconds: number[];
  role: Role;
  logLevel: string;
  /** Undefined: `pretty` if standard output is a terminal, otherwise `json`. */
  logFormat: LogFormat | undefined;
  /** Token required for `/metrics`. Unset: open to local processes, and closed in production. */
  metricsToken: string | undefined;
  /** Additional port for metrics and health checks. Also used by processes without an API. */
  metricsPort: number | undefined;
  traces: {
    endpoint: string | undefined;
    /** Share of the traces started by this process that are exported, 0-1. */
    share: number;
  };
  production: boolean;
  /** The failpoint at which the process kills or suspends itself. Only for tests. */
  crashAt: string | undefined;
}

/** Ten attempts over 24 hours. */
const WEBHOOK_RETRY_SECONDS = [5, 60, 300, 1_200, 3_600, 7_200, 14_400, 25_200, 34_200];

/** The environment contains invalid variables. */
export class ConfigError extends Error {
  /** `faults` has one line for each invalid variable. */
  constructor(readonly faults: string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Parses the environment. An empty variable counts as unset. Throws one ConfigError that lists all invalid variables.
 */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const read: ReadVariable = (name, fallback) => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const { schema, format, secret } = allVariables[name]!;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data as typeof fallback;
    // The user of a URL may include a password.
    const isHidden = secret || /:\/\/[^/]*@/.test(text);
    faults.push(`${name}: got ${isHidden ? `${text.length} characters` : JSON.stringify(text)}, expected ${format}`);
    return fallback;
  };
  const production = read<string>('NODE_ENV', '') === 'production';
  const config: Config = {
    ...readServer(read),
    ...readSecrets(read, env),
    oidc: env.OIDC_ISSUER ? readOidc(read) : undefined,
    mail: env.SMTP_URL ? { server: read('SMTP_URL', ''), from: read('MAIL_FROM', '') } : undefined,
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
type ReadVariable = <T>(name: keyof typeof variables | ProviderVariable, fallback: T) => T;

/** Network addresses and the location of the state. */
function readServer(read: ReadVariable) {
  return {
    port: read('PORT', 4000),
    host: read('HOST', '127.0.0.1'),
    publicUrl: withoutTrailingSlashes(read('PUBLIC_URL', '')),
    databaseUrl: read<string | undefined>('DATABASE_URL', undefined),
    dataDir: read('DATA_DIR', '.data'),
    role: read<Role>('ROLE', 'all'),
  };
}

/** Credentials and the secrets that sign or encrypt them. */
function readSecrets(read: ReadVariable, env: Environment) {
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

/** The sign-in at an issuer. */
function readOidc(read: ReadVariable): OidcSettings {
  const issuer = read('OIDC_ISSUER', '');
  return {
    ...{ issuer, clientId: read('OIDC_CLIENT_ID', ''), clientSecret: read('OIDC_CLIENT_SECRET', '') },
    name: read('OIDC_NAME', URL.parse(issuer)?.hostname ?? issuer),
    domains: entriesOf(read('OIDC_DOMAINS', '')).map(domain => domain.toLowerCase()),
    createsUsers: read<'on' | 'off'>('OIDC_CREATE_USERS', 'off') === 'on',
  };
}

/** Model providers and the chat proxy. */
function readProviders(read: ReadVariable) {
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

/** Access control and request limits. */
function readAccess(read: ReadVariable) {
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

/** File storage and spending limits. */
function readStorage(read: ReadVariable) {
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

/** Execution and retention of runs. */
function readRuns(read: ReadVariable) {
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
function readOperation(read: ReadVariable) {
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

/** Checks that depend on several variables: required ones that are unset, and ones that are not allowed. */
function missingVariables(env: Environment, { production, databaseUrl, crashAt, storage }: Config): string[] {
  const faults: string[] = [];
  const requireAll = (
    names: readonly (keyof typeof variables)[],
    format: (name: keyof typeof variables) => string,
  ): void => {
    faults.push(...names.filter(name => !env[name]).map(name => `${name}: unset, expected ${format(name)}`));
  };
  if (production && crashAt) faults.push('CRASH_AT: set, but not allowed when NODE_ENV is production');
  if (production && databaseUrl)
    requireAll(SHARED_SECRETS, name => `${variables[name].format} when DATABASE_URL is set in production`);
  const issuerVariable = ISSUER.find(part => env[part]);
  if (issuerVariable) requireAll(ISSUER, name => `${variables[name].format} when ${issuerVariable} is set`);
  const mailVariable = (['SMTP_URL', 'MAIL_FROM'] as const).find(part => env[part]);
  if (mailVariable) requireAll(MAIL, name => `${variables[name].format} when ${mailVariable} is set`);
  const oidcVariable = OIDC.find(part => env[part]);
  if (oidcVariable)
    requireAll([...OIDC, 'PUBLIC_URL'], name => `${variables[name].format} when ${oidcVariable} is set`);
  if (env.OIDC_CREATE_USERS === 'on')
    requireAll(['OIDC_DOMAINS'], name => `${variables[name].format} when OIDC_CREATE_USERS is on`);
  if (storage?.kind === 's3') requireAll(S3_KEYS, () => 'a key when STORAGE_URL names S3 storage');
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
