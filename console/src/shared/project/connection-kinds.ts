import type { ConnectionChoicesQuery } from './choices.generated';

type ConnectionKind = ConnectionChoicesQuery['projectConnections']['items'][number]['kind'];

/** The kinds of connections with their labels, in the order of selections. */
export const KINDS: { value: ConnectionKind; label: string }[] = [
  { value: 'API_KEY', label: 'API key' },
  { value: 'BEARER', label: 'Token (bearer)' },
  { value: 'BASIC', label: 'User and password (HTTP basic)' },
  { value: 'OAUTH2_CODE', label: 'OAuth 2, account of a user' },
  { value: 'OAUTH2_CLIENT', label: 'OAuth 2, account of the client' },
  { value: 'SMTP', label: 'Mail server (SMTP)' },
  { value: 'POSTGRESQL', label: 'PostgreSQL database' },
  { value: 'MCP_BEARER', label: 'MCP server, token' },
  { value: 'MCP_OAUTH', label: 'MCP server, account of a user' },
];

/** For example "API key". */
export function kindLabelOf(kind: ConnectionKind): string {
  return KINDS.find(({ value }) => value === kind)?.label ?? kind;
}
