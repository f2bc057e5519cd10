import type { ConnectionKind } from '../../engine/connections/kinds.js';
import { parseDatabaseUrl } from '../../engine/database/url.js';
import { parseMailUrl } from '../../engine/email/url.js';
import { MIN_MASKED_BY_VALUE } from '../../engine/secrets.js';
import { allowedHostsFault } from '../../engine/workflow/graph/secrets/secret-hosts.js';
import { Faults } from '../../platform/errors/fields.js';

/** How the connection to a server is encrypted. */
export const CONNECTION_TLS = ['implicit', 'starttls', 'none', 'verify_full', 'require'] as const;
export type ConnectionTls = (typeof CONNECTION_TLS)[number];
export const KEY_PLACEMENTS = ['header', 'query'] as const;
/** How the client identifies itself at the token endpoint (RFC 6749, section 2.3.1). */
export const CLIENT_AUTHENTICATIONS = ['basic', 'post'] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];
export type KeyPlacement = (typeof KEY_PLACEMENTS)[number];

/** The public part of a connection. Members of other kinds are absent. */
export interface StoredSettings {
  baseUrl?: string;
  testPath?: string;
  placement?: KeyPlacement;
  keyName?: string;
  keyPrefix?: string;
  username?: string;
  host?: string;
  port?: number;
  database?: string;
  tls?: ConnectionTls;
  authorizationUrl?: string;
  tokenUrl?: string;
  clientId?: string;
  clientAuthentication?: ClientAuthentication;
  /** Separated by spaces. */
  scopes?: string;
}
type Member = keyof StoredSettings;

interface Rules {
  required: readonly Member[];
  optional: readonly Member[];
  secret: 'required' | 'optional';
  /** Minimum number of characters of the secret. Shorter ones occur by chance and are not masked. */
  minSecret: number;
}

const OF_HTTP = ['baseUrl', 'testPath'] as const;
const KEY = { secret: 'required', minSecret: MIN_MASKED_BY_VALUE } as const;
const OPTIONAL_KEY = { secret: 'optional', minSecret: MIN_MASKED_BY_VALUE } as const;
const OF_OAUTH = [...OF_HTTP, 'clientAuthentication', 'scopes'] as const;
/** The password of a server may be shorter: its client masks it in messages at any length. */
const PASSWORD = { secret: 'optional', minSecret: 1 } as const;

/** The members of each kind. */
export const KIND_RULES: Readonly<Record<ConnectionKind, Rules>> = {
  api_key: { required: ['keyName'], optional: [...OF_HTTP, 'placement', 'keyPrefix'], ...KEY },
  basic: { required: ['username'], optional: OF_HTTP, ...OPTIONAL_KEY },
  bearer: { required: [], optional: OF_HTTP, ...KEY },
  oauth2_code: {
    ...{ required: ['authorizationUrl', 'tokenUrl', 'clientId'], optional: OF_OAUTH },
    ...OPTIONAL_KEY,
  },
  oauth2_client: { required: ['tokenUrl', 'clientId'], optional: OF_OAUTH, ...KEY },
  smtp: { required: ['host'], optional: ['port', 'username', 'tls'], ...PASSWORD },
  postgresql: { required: ['host', 'database', 'username'], optional: ['port', 'tls'], ...PASSWORD },
  mcp_bearer: { required: ['baseUrl'], optional: [], ...KEY },
  mcp_oauth: { required: ['baseUrl'], optional: ['clientId', 'scopes'], ...OPTIONAL_KEY },
};

const TLS_OF_KIND: Partial<Record<ConnectionKind, readonly ConnectionTls[]>> = {
  smtp: ['implicit', 'starttls', 'none'],
  postgresql: ['verify_full', 'require', 'none'],
};
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/** Returns the faults of the settings of a connection, by the name of the member. */
export function settingsFaults(kind: ConnectionKind, settings: StoredSettings): Faults {
  const faults = new Faults();
  const { required, optional } = KIND_RULES[kind];
  const allowed = new Set<string>([...required, ...optional]);
  for (const name of required) if (isAbsent(settings[name])) faults.add(name, `Required for the kind ${kind}.`);
  for (const [name, value] of Object.entries(settings))
    if (!isAbsent(value) && !allowed.has(name))
      faults.add(name, `Not for the kind ${kind}. It has ${[...allowed].join(', ')}.`);
  for (const name of ['baseUrl', 'authorizationUrl', 'tokenUrl'] as const) faults.httpUrl(name, settings[name]);
  faults.text('scopes', settings.scopes, { max: 2_048 });
  for (const name of ['keyPrefix', 'username', 'database', 'clientId'] as const)
    faults.text(name, settings[name], { max: 255 });
  checkKey(settings, faults);
  if (allowed.has('host')) checkServer(kind, settings, faults);
  return faults;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function checkKey({ keyName, keyPrefix, testPath }: StoredSettings, faults: Faults): void {
  if (keyName && !HEADER_NAME.test(keyName))
    faults.add('keyName', "Enter 1-128 letters, digits and characters of !#$%&'*+-.^_`|~.");
  if (keyPrefix && /[^\x20-\x7e]/.test(keyPrefix)) faults.add('keyPrefix', 'Enter printable ASCII characters.');
  if (testPath && (!/^\/(?![/\\])/.test(testPath) || testPath.length > 2048))
    faults.add('testPath', 'Enter a path that begins with one slash, of at most 2048 characters.');
}

function checkServer(kind: ConnectionKind, settings: StoredSettings, faults: Faults): void {
  const { host, port, tls } = settings;
  faults.integer('port', port, { min: 1, max: 65_535 });
  const modes = TLS_OF_KIND[kind];
  if (tls && modes && !modes.includes(tls)) faults.add('tls', `Enter one of ${modes.join(', ')}.`);
  if (host && !/^[A-Za-z0-9.:-]{1,253}$/.test(host))
    faults.add('host', 'Enter a host name or an IP address without a port.');
  else if (!faults.areAny && serverUrl(kind, settings, 'any password') === undefined)
    faults.add('host', 'The address of the server is not valid.');
}

/** Checks the hosts to which credentials may be sent. */
export function hostFaults(kind: ConnectionKind, hosts: readonly string[], faults: Faults): void {
  if (KIND_RULES[kind].required.includes('host')) {
    if (hosts.length > 0) faults.add('allowedHosts', `Not for the kind ${kind}: the host is in the settings.`);
  } else if (hosts.length === 0)
    faults.add('allowedHosts', 'Enter the hosts to which the credentials may be sent, or settings.baseUrl.');
  else if (allowedHostsFault({ is_secret: true, allowed_hosts: [...hosts] }))
    faults.add(
      'allowedHosts',
      'Enter at most 50 lower-case host names, such as "api.example.com", "*.example.com" or "api.example.com:8443".',
    );
}

/** Returns the host of the base URL, as the default of the allowed hosts. */
export function defaultHosts({ baseUrl }: StoredSettings): string[] {
  const host = baseUrl ? URL.parse(baseUrl)?.host : undefined;
  return host ? [host] : [];
}

/** Returns the URL of a mail server or database with its password; undefined: the settings are invalid. */
export function serverUrl(kind: ConnectionKind, settings: StoredSettings, password: string): string | undefined {
  const { host = '', port, username = '' } = settings;
  const bare = host.includes(':') ? `[${host}]` : host;
  const credentials = username === '' ? '' : `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  const authority = `${credentials}${bare}${port === undefined ? '' : `:${port}`}`;
  return kind === 'postgresql' ? databaseUrl(settings, authority) : mailUrl(settings, authority);
}

function databaseUrl({ database = '', tls }: StoredSettings, authority: string): string | undefined {
  const mode = tls === 'none' ? 'disable' : tls === 'require' ? 'require' : 'verify-full';
  const url = `postgres://${authority}/${encodeURIComponent(database)}?sslmode=${mode}`;
  return parseDatabaseUrl(url) ? url : undefined;
}

function mailUrl({ port = 465, tls }: StoredSettings, authority: string): string | undefined {
  const isImplicit = tls === 'implicit' || (tls === undefined && port === 465);
  const url = `${isImplicit ? 'smtps' : 'smtp'}://${authority}${tls === 'none' ? '?tls=none' : ''}`;
  return parseMailUrl(url) ? url : undefined;
}

/** The server to which the secret is sent, if it is not one of the allowed hosts. It must not change while the secret is kept. */
export function serverIdentity({ host, port, tls, tokenUrl }: StoredSettings): string {
  return JSON.stringify([host, port, tls, tokenUrl]);
}

/** The settings for which tokens were issued. Tokens are deleted when they change. */
export function tokenIdentity(kind: ConnectionKind, settings: StoredSettings): string {
  const { authorizationUrl, tokenUrl, clientId, scopes, baseUrl } = settings;
  return JSON.stringify([authorizationUrl, tokenUrl, clientId, scopes, ...(kind === 'mcp_oauth' ? [baseUrl] : [])]);
}
