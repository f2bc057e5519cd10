// Client for `@modelcontextprotocol/conformance`, which passes the URL of its server as last argument. It lists the tools
// and calls each one, with the number 1 or the text "x" for each argument. It exits with 1 if the server cannot be used.
import type { McpServer, PortError } from '../../src/engine/ports.js';
import type { OpenedConnection, StoredTokens } from '../../src/modules/connections/connection-store.js';
import { TokenEndpoint } from '../../src/modules/connections/oauth/token-endpoint.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { beginMcpAuthorization } from '../../src/providers/mcp/authorization.js';
import { unionOfScopes } from '../../src/providers/mcp/scopes.js';
import { createMcpCaller } from '../../src/providers/mcp.js';

/** The credentials that the suite passes as JSON in `MCP_CONFORMANCE_CONTEXT`. */
interface Context {
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
}

const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const REDIRECT = 'http://127.0.0.1/connections/authorized';
/** How many times the user authorizes the client: at first, and when a call demands further scopes. */
const MAX_AUTHORIZATIONS = 2;
/** The address at which the suite expects the description of the client. */
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';
const CONNECTION: Omit<OpenedConnection, 'tokens'> = {
  ...{ id: 1, projectId: 1, name: 'conformance', kind: 'mcp_oauth', settings: {}, secret: null },
  ...{ allowedHosts: [], isTokenDue: false, readAt: 0 },
};
const auth = {
  clientId: context.client_id ?? 'conformance',
  ...(context.private_key_pem
    ? { privateKey: context.private_key_pem, algorithm: context.signing_algorithm ?? 'ES256' }
    : { clientSecret: context.client_secret ?? 'conformance-secret' }),
};
const server: McpServer = {
  endpointUrl: process.argv.at(-1) ?? '',
  transport: 'streamable_http',
  headers: {},
  timeoutMs: 120_000,
  elicitation: 'accept_defaults',
  ...(scenario.startsWith('auth/client-credentials') ? { auth } : {}),
};
const outbound = createOutbound({ allow: ['127.0.0.1', '::1', 'localhost'] });
const mcp = createMcpCaller(outbound);
const endpoint = new TokenEndpoint(outbound);
const call = { signal: new AbortController().signal };

/** Authorizes as a user does: opens the address and returns with the code. The authorization server consents. */
async function authorize(furtherScopes: string | undefined): Promise<StoredTokens> {
  const { client_id: id, client_secret: secret = null } = context;
  const begun = await beginMcpAuthorization(
    mcp,
    outbound,
    {
      ...{ url: server.endpointUrl, redirectUrl: REDIRECT },
      ...(id === undefined ? {} : { client: { id, secret, assertDestination() {} } }),
      ...(scenario === 'auth/basic-cimd' ? { clientMetadataUrl: CLIENT_METADATA } : {}),
      ...(furtherScopes === undefined ? {} : { furtherScopes }),
    },
    call.signal,
  );
  const { headers } = await fetch(begun.authorizationUrl, { redirect: 'manual' });
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: begun.verifier };
  const tokens = { accessToken: '', refreshToken: null, client: begun.client };
  const connection = { ...CONNECTION, tokens };
  return (await endpoint.request(connection, grant)).tokens;
}

/** Calls the tools with an access token. If the server demands further scopes, the user authorizes once more. */
async function callToolsWithAuthorization(): Promise<void> {
  let scopes: string | undefined;
  for (let count = 1; ; count++) {
    const { accessToken, client } = await authorize(scopes);
    try {
      return await callTools({ ...server, accessToken: async () => accessToken });
    } catch (error) {
      const { challenge } = error as PortError;
      if (challenge?.scope === undefined || count === MAX_AUTHORIZATIONS) throw error;
      scopes = unionOfScopes(client?.scopes ?? undefined, challenge.scope);
    }
  }
}

async function callTools(server: McpServer): Promise<void> {
  for (const { name, inputSchema } of await mcp.listTools(server, call)) {
    const { properties = {} } = inputSchema as { properties?: Record<string, { type?: string }> };
    const args = Object.fromEntries(
      Object.entries(properties).map(([key, { type }]) => [key, type === 'number' ? 1 : 'x']),
    );
    await mcp.callTool(server, { name }, args, call);
  }
}

try {
  await (scenario.startsWith('auth/') && !server.auth ? callToolsWithAuthorization() : callTools(server));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
