import type { ConnectionDetailFragment } from './connections.generated';

export type ConnectionKind = ConnectionDetailFragment['kind'];
type Settings = Omit<ConnectionDetailFragment['settings'], '__typename'>;
export type Member = keyof Settings;

/** The address to which authorization servers send users back. */
export const REDIRECT_PATH = '/connections/authorized';

const OF_HTTP: Member[] = ['baseUrl', 'testPath'];
const OF_CLIENT: Member[] = ['tokenUrl', 'clientId', 'clientAuthentication', 'scopes', ...OF_HTTP];

/** Kinds that a user authorizes. */
export const AUTHORIZED: readonly ConnectionKind[] = ['OAUTH2_CODE', 'MCP_OAUTH'];

/** The members of each kind in the order of the form. */
export const MEMBERS: Record<ConnectionKind, Member[]> = {
  API_KEY: ['keyName', 'placement', 'keyPrefix', ...OF_HTTP],
  BEARER: OF_HTTP,
  BASIC: ['username', ...OF_HTTP],
  OAUTH2_CODE: ['authorizationUrl', ...OF_CLIENT],
  OAUTH2_CLIENT: OF_CLIENT,
  SMTP: ['host', 'port', 'username', 'tls'],
  POSTGRESQL: ['host', 'port', 'database', 'username', 'tls'],
  MCP_BEARER: ['baseUrl'],
  MCP_OAUTH: ['baseUrl', 'clientId', 'scopes'],
};

export const LABELS: Record<Member, string> = {
  baseUrl: 'Base URL',
  testPath: 'Path for the test',
  placement: 'Where the key is sent',
  keyName: 'Name of the header or parameter',
  keyPrefix: 'Text in front of the key',
  username: 'User name',
  host: 'Host',
  port: 'Port',
  database: 'Database',
  tls: 'Encryption',
  authorizationUrl: 'Authorization URL',
  tokenUrl: 'Token URL',
  clientId: 'Client id',
  clientAuthentication: 'How the client identifies itself',
  scopes: 'Scopes, separated by spaces',
};

const TLS_OF_SMTP = [
  { value: 'IMPLICIT', label: 'TLS from the start' },
  { value: 'STARTTLS', label: 'STARTTLS' },
  { value: 'NONE', label: 'None' },
];
const TLS_OF_DATABASE = [
  { value: 'VERIFY_FULL', label: 'TLS with a check of the certificate' },
  { value: 'REQUIRE', label: 'TLS without a check' },
  { value: 'NONE', label: 'None' },
];

/** The choices of a member. Undefined: it is a text. */
export function choicesOf(kind: ConnectionKind, member: Member): { value: string; label: string }[] | undefined {
  if (member === 'tls') return kind === 'SMTP' ? TLS_OF_SMTP : TLS_OF_DATABASE;
  if (member === 'placement')
    return [
      { value: 'HEADER', label: 'In a header' },
      { value: 'QUERY', label: 'In a parameter of the URL' },
    ];
  if (member === 'clientAuthentication')
    return [
      { value: 'BASIC', label: 'HTTP basic' },
      { value: 'POST', label: 'In the body' },
    ];
  return undefined;
}

/** The settings as texts of a form. */
export function toTexts(settings: Partial<Settings> | undefined): Record<Member, string> {
  const entries = Object.keys(LABELS).map(name => [name, String(settings?.[name as Member] ?? '')]);
  return Object.fromEntries(entries) as Record<Member, string>;
}

/** The settings of a mutation. Empty texts remove a member. */
export function toSettings(kind: ConnectionKind, texts: Record<Member, string>) {
  const entries = MEMBERS[kind].map(name => {
    const text = texts[name].trim();
    return [name, text === '' ? null : name === 'port' ? Number(text) : text];
  });
  return Object.fromEntries(entries) as Record<Member, never>;
}
