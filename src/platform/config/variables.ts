import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isAllowEntry } from '../outbound/address-policy.js';
import { MODEL_PROVIDERS, variablesOf } from './model-providers.js';
import { parseStorageUrl } from './storage-url.js';

const text = z.string().min(1);
const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().int().min(min).max(max));
const amount = z
  .string()
  .regex(/^\d{1,10}(\.\d{1,12})?$/)
  .refine(value => Number(value) <= 1_000_000_000);
const isOrigin = (entry: string) =>
  URL.canParse(entry) && /^https?:$/.test(new URL(entry).protocol) && new URL(entry).origin === entry;
const isAddressOrBlock = (entry: string) => isIP(entry) !== 0 || ipaddr.isValidCIDR(entry);
const url = (protocols: RegExp) => z.url({ protocol: protocols });
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Over plain HTTP, others could read and change what an issuer says. */
const isIssuer = (text: string) => {
  const address = URL.parse(text);
  return address?.protocol === 'https:' || (address?.protocol === 'http:' && LOOPBACK.has(address.hostname));
};
const isDomain = (entry: string) => entry === '*' || z.hostname().safeParse(entry).success;
const MAIL_SERVER = /^(smtps:\/\/[^\s/?#]+|smtp:\/\/[^\s/?#]+(\?tls=none)?)$/;
/** The address of a sender: only the address, or a name with the address in angle brackets. */
const addressOfSender = (sender: string) => /^[^<>\p{Cc}]{0,100}<([^<>]{1,254})>$/u.exec(sender)?.[1] ?? sender;

interface Variable {
  schema: z.ZodType;
  /** The accepted format, as errors and docs/configuration.md describe it. */
  format: string;
  /** Errors show only the length of the value. */
  secret?: true;
}

export const variables = {
  PORT: { schema: integer(0, 65535), format: 'a port, 0-65535 (0 selects a free port)' },
  HOST: { schema: text, format: 'an address to listen on' },
  PUBLIC_URL: {
    // Links are this URL followed by a path.
    schema: url(/^https?$/).regex(/^https?:\/\/[^/?#@\\]+(\/[^?#]*)?$/i),
    format: 'the http(s) URL at which users reach the service, without a user, query or fragment',
  },
  DATABASE_URL: { schema: url(/^postgres(ql)?$/), format: 'a postgresql:// URL', secret: true },
  DATA_DIR: { schema: text, format: 'a folder' },
  ADMIN_EMAIL: { schema: z.email(), format: 'an email address' },
  ADMIN_PASSWORD: { schema: z.string().min(8), format: 'at least 8 characters', secret: true },
  ADMIN_API_KEY: {
    schema: z.string().regex(/^[\x21-\x7e]{16,256}$/),
    format: '16-256 printable characters without spaces',
    secret: true,
  },
  JWT_SECRET: { schema: z.string().min(32), format: 'at least 32 characters', secret: true },
  SERVICE_TOKEN: { schema: z.string().min(32), format: 'at least 32 characters', secret: true },
  ENCRYPTION_KEY: { schema: z.string().min(32), format: 'at least 32 characters', secret: true },
  JWT_JWKS_URL: { schema: url(/^https?$/), format: 'an http(s) URL' },
  JWT_ISSUER: { schema: text, format: 'the iss claim of the issuer' },
  JWT_AUDIENCE: { schema: text, format: 'the aud claim of tokens for this service' },
  OIDC_ISSUER: {
    schema: z.string().refine(isIssuer),
    format: 'the https URL of an issuer (http only on this machine)',
  },
  OIDC_CLIENT_ID: { schema: text, format: 'the id of this service at the issuer' },
  OIDC_CLIENT_SECRET: { schema: text, format: 'the secret of this service at the issuer', secret: true },
  OIDC_NAME: { schema: z.string().regex(/^[^\p{Cc}]{1,40}$/u), format: 'a name of at most 40 characters' },
  OIDC_DOMAINS: {
    schema: z.string().refine(value => entriesOf(value).every(isDomain)),
    format: '* or a comma-separated list of domains such as example.com',
  },
  OIDC_CREATE_USERS: { schema: z.enum(['on', 'off']), format: 'on or off' },
  SMTP_URL: {
    schema: z.string().refine(value => MAIL_SERVER.test(value) && URL.canParse(value)),
    format: 'smtps://user:password@host:port or smtp://…, which requires STARTTLS unless it ends in ?tls=none',
    secret: true,
  },
  MAIL_FROM: {
    schema: z.string().refine(value => z.email().safeParse(addressOfSender(value)).success),
    format: 'an email address, or a name with an address: Scenarium <scenarium@example.com>',
  },
  PROVIDER_CONCURRENCY: { schema: integer(1, 10_000), format: 'calls, 1-10000' },
  PROVIDER_PROJECT_CONCURRENCY: { schema: integer(1, 10_000), format: 'calls, 1-10000' },
  CHAT_FALLBACKS: { schema: z.string(), format: 'a comma-separated list of models' },
  CHAT_RETRIES: { schema: integer(0, 10), format: 'retries, 0-10' },
  OUTBOUND_ALLOW: {
    schema: z.string().refine(value => entriesOf(value).every(isAllowEntry)),
    format: 'a comma-separated list of host, host:port or CIDR',
  },
  RATE_LIMIT_PER_MINUTE: { schema: integer(0, 1_000_000), format: 'requests, 0-1000000 (0: unlimited)' },
  ANONYMOUS_LIMIT_PER_MINUTE: { schema: integer(0, 1_000_000), format: 'requests, 0-1000000 (0: unlimited)' },
  LOGIN_LIMIT_PER_MINUTE: { schema: integer(0, 1_000_000), format: 'attempts, 0-1000000 (0: unlimited)' },
  CORS_ORIGINS: {
    schema: z.string().refine(value => value.trim() === '*' || entriesOf(value).every(isOrigin)),
    format: '* or a comma-separated list of origins such as https://app.example',
  },
  TRUSTED_PROXIES: {
    schema: z.string().refine(value => entriesOf(value).every(isAddressOrBlock)),
    format: 'a comma-separated list of IP addresses and CIDR blocks',
  },
  GRAPHQL_INTROSPECTION: { schema: z.enum(['on', 'off']), format: 'on or off' },
  OPENAPI: { schema: z.enum(['on', 'off']), format: 'on or off' },
  GRAPHQL_SAFELIST: { schema: text, format: 'a JSON file of operations' },
  MAX_SOCKETS: { schema: integer(1, 1_000_000), format: 'sockets, 1-1000000' },
  MAX_SOCKETS_PER_USER: { schema: integer(1, 1_000_000), format: 'sockets, 1-1000000' },
  MAX_SOCKET_OPERATIONS: { schema: integer(1, 100_000), format: 'operations, 1-100000' },
  SR_PER_USD: { schema: z.string().regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,9})?$/), format: 'a positive decimal' },
  STORAGE_URL: {
    schema: z
      .string()
      .transform(parseStorageUrl)
      .refine(location => location !== null),
    format: 'file:<folder> or s3://bucket/prefix?endpoint=…&region=…',
  },
  AWS_ACCESS_KEY_ID: { schema: z.string().regex(/^[\x21-\x7e]{1,256}$/), format: 'a key id' },
  AWS_SECRET_ACCESS_KEY: { schema: text, format: 'a key', secret: true },
  MAX_UPLOAD_MB: { schema: integer(1, 4096), format: 'megabytes, 1-4096' },
  USER_LIMIT_USD: { schema: amount, format: 'US dollars, 0-1000000000' },
  PROJECT_LIMIT_USD: { schema: amount, format: 'US dollars, 0-1000000000' },
  PROJECT_STORAGE_MB: { schema: integer(0, 1_000_000_000), format: 'megabytes, 0-1000000000 (0: unlimited)' },
  MAX_BODY_MB: { schema: integer(1, 1024), format: 'megabytes, 1-1024' },
  PAGE_MAX_BYTES: { schema: integer(1024, 1_073_741_824), format: 'bytes, 1024-1073741824' },
  RUN_RESULT_TTL_DAYS: { schema: integer(1, 36500), format: 'days, 1-36500' },
  ARCHIVE_TTL_DAYS: { schema: integer(1, 36500), format: 'days, 1-36500' },
  WORKER_CONCURRENCY: { schema: integer(1, 1000), format: 'runs, 1-1000' },
  PROJECT_QUEUE_MAX: { schema: integer(1, 100_000_000), format: 'runs, 1-100000000' },
  CODE_MAX_SECONDS: { schema: integer(1, 3_600), format: 'seconds, 1-3600' },
  RUN_MAX_SECONDS: { schema: integer(1, 31_536_000), format: 'seconds, 1-31536000' },
  RUN_MAX_BYTES: { schema: integer(1024, 1_073_741_824), format: 'bytes, 1024-1073741824' },
  SHUTDOWN_DELAY_SECONDS: { schema: integer(0, 300), format: 'seconds, 0-300' },
  ROLE: { schema: z.enum(['all', 'api', 'worker']), format: 'one of all, api, worker' },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    format: 'one of fatal, error, warn, info, debug, trace, silent',
  },
  LOG_FORMAT: { schema: z.enum(['json', 'pretty']), format: 'json or pretty' },
  METRICS_TOKEN: {
    schema: z.string().regex(/^[\x21-\x7e]{16,256}$/),
    format: '16-256 printable characters',
    secret: true,
  },
  METRICS_PORT: { schema: integer(0, 65535), format: 'a port, 0-65535 (0 selects a free port)' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { schema: url(/^https?$/), format: 'the http(s) URL of an OTLP collector' },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
      .transform(Number),
    format: 'a ratio, 0-1',
  },
  NODE_ENV: { schema: text, format: 'a name such as production' },
  CRASH_AT: {
    schema: z.string().regex(/^[a-z-]+(\.[a-z-]+)*(:[1-9]\d*(:stop)?)?$/),
    format: 'the name of a failpoint, name:n or name:n:stop; refused in production',
  },
} satisfies Record<string, Variable>;

const providerVariables: Record<string, Variable> = Object.fromEntries(
  MODEL_PROVIDERS.map(variablesOf).flatMap(({ baseUrl, apiKey }): [string, Variable][] => [
    [baseUrl, { schema: url(/^https?$/), format: 'an http(s) URL' }],
    [apiKey, { schema: text, format: 'a key', secret: true }],
  ]),
);
export const allVariables: Record<string, Variable> = { ...variables, ...providerVariables };

/** Splits a comma-separated list into trimmed, non-empty entries. */
export function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean);
}
