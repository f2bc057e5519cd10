import type { ConnectionDetailFragment } from './connections.generated';

export type ConnectionKind = ConnectionDetailFragment['kind'];
type Settings = Omit<ConnectionDetailFragment['settings'], '__typename'>;
export type SettingName = keyof Settings;

/** The address to which authorization servers send users back. */
export const REDIRECT_PATH = '/connections/authorized';

const HTTP_SETTINGS: SettingName[] = ['baseUrl', 'testPath'];
const OAUTH_SETTINGS: SettingName[] = ['tokenUrl', 'clientId', 'clientAuthentication', 'scopes', ...HTTP_SETTINGS];

/** Kinds that a user authorizes at an authorization server. */
export const USER_AUTHORIZED_KINDS: readonly ConnectionKind[] = ['OAUTH2_CODE', 'MCP_OAUTH'];

/** The settings of each kind in the order of the form. */
export const SETTINGS_OF_KIND: Record<ConnectionKind, SettingName[]> = {
  API_KEY: ['keyName', 'placement', 'keyPrefix', ...HTTP_SETTINGS],
  BEARER: HTTP_SETTINGS,
  BASIC: ['username', ...HTTP_SETTINGS],
  OAUTH2_CODE: ['authorizationUrl', ...OAUTH_SETTINGS],
  OAUTH2_CLIENT: OAUTH_SETTINGS,
  SMTP: ['host', 'port', 'username', 'tls'],
  POSTGRESQL: ['host', 'port', 'database', 'username', 'tls'],
  MCP_BEARER: ['baseUrl'],
  MCP_OAUTH: ['baseUrl', 'clientId', 'scopes'],
};

export const SETTING_LABELS: Record<SettingName, string> = {
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

/** The choices of a setting. Undefined: it is a text. */
export function choicesOf(kind: ConnectionKind, setting: SettingName): { value: string; label: string }[] | undefined {
  if (setting === 'tls') return kind === 'SMTP' ? TLS_OF_SMTP : TLS_OF_DATABASE;
  if (setting === 'placement')
    return [
      { value: 'HEADER', label: 'In a header' },
      { value: 'QUERY', label: 'In a parameter of the URL' },
    ];
  if (setting === 'clientAuthentication')
    return [
      { value: 'BASIC', label: 'HTTP basic' },
      { value: 'POST', label: 'In the body' },
    ];
  return undefined;
}

/** The settings as texts of a form. */
export function toTexts(settings: Partial<Settings> | undefined): Record<SettingName, string> {
  const entries = Object.keys(SETTING_LABELS).map(name => [name, String(settings?.[name as SettingName] ?? '')]);
  return Object.fromEntries(entries) as Record<SettingName, string>;
}

/** The settings for a mutation. An empty text removes a setting. */
export function toSettings(kind: ConnectionKind, texts: Record<SettingName, string>) {
  const entries = SETTINGS_OF_KIND[kind].map(name => {
    const text = texts[name].trim();
    return [name, text === '' ? null : name === 'port' ? Number(text) : text];
  });
  // `never` fits the input type of every setting. The service validates the values.
  return Object.fromEntries(entries) as Record<SettingName, never>;
}
