/**
 * Kinds of connections. The kind determines the settings, the secret and the test of a connection. `mcp_bearer` differs
 * from `bearer`: it requires the URL of an MCP server, and its test lists the tools of that server.
 */
export const CONNECTION_KINDS = [
  'api_key',
  'basic',
  'bearer',
  'oauth2_code',
  'oauth2_client',
  'smtp',
  'postgresql',
  'mcp_bearer',
  'mcp_oauth',
] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** Protocols for which nodes use connections. */
export type ConnectionProtocol = 'http' | 'mcp' | 'database' | 'email';

const HTTP_KINDS: readonly ConnectionKind[] = ['api_key', 'basic', 'bearer', 'oauth2_code', 'oauth2_client'];

/** The kinds that a protocol accepts. */
export const KINDS_OF_PROTOCOL: Readonly<Record<ConnectionProtocol, readonly ConnectionKind[]>> = {
  http: HTTP_KINDS,
  mcp: ['mcp_bearer', 'mcp_oauth', ...HTTP_KINDS],
  database: ['postgresql'],
  email: ['smtp'],
};

/** The members of a connection that workflow validation uses. */
export interface ConnectionSummary {
  name: string;
  kind: ConnectionKind;
}

/** Returns why nodes of a protocol cannot use a connection, or undefined. */
export function connectionKindFault(
  { name, kind }: ConnectionSummary,
  protocol: ConnectionProtocol,
): string | undefined {
  const kinds = KINDS_OF_PROTOCOL[protocol];
  if (kinds.includes(kind)) return undefined;
  return `the connection ${JSON.stringify(name)} is of the kind ${kind}: select one of the kind ${kinds.join(', ')}`;
}
