import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  fetchToken,
  type OAuthClientProvider,
  selectResourceURL,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { type McpChallenge, type McpClientCredentials, type McpServer, PortError } from '../../engine/ports.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { excerpt } from './failure.js';
import type { AccessToken } from './token-cache.js';

/** A token is renewed this many milliseconds before it expires. */
const EXPIRY_MARGIN_MS = 10_000;

export interface TokenRequest {
  server: McpServer;
  credentials: McpClientCredentials;
  /** URL of the metadata of the protected resource, as in the challenge of the server. */
  resourceMetadataUrl: URL | undefined;
  /** Scopes to request; undefined: those that the server supports. */
  scope: string | undefined;
  fetch: Outbound['fetch'];
  /** Texts to mask in error messages. */
  secrets: readonly string[];
}

/**
 * Obtains an access token with client credentials. Sources: MCP 2025-11-25 (authorization), RFC 9728, RFC 8414, RFC 8707.
 * @throws PortError with the code `mcp_unauthorized`, or OutboundError.
 */
export async function requestAccessToken(request: TokenRequest): Promise<AccessToken> {
  try {
    return await obtain(request);
  } catch (error) {
    if (error instanceof PortError || error instanceof OutboundError) throw error;
    if (error instanceof OAuthError) {
      const detail = excerpt(`${error.errorCode} ${error.message}`, request.secrets);
      throw unauthorized(`the authorization server rejected the client: ${detail}`);
    }
    throw unauthorized('the authorization server or its metadata cannot be understood');
  }
}

async function obtain({ server, credentials, resourceMetadataUrl, fetch, ...request }: TokenRequest) {
  const url = server.endpointUrl;
  const resourceMetadata = await discoverOAuthProtectedResourceMetadata(url, { resourceMetadataUrl }, fetch).catch(
    () => undefined,
  );
  const issuer = chooseIssuer(url, credentials, resourceMetadata?.authorization_servers ?? []);
  const scope = request.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const provider = providerOf(credentials, scope, issuer);
  const resource = await selectResource(url, resourceMetadata);
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  if (metadata && !isSameIssuer(metadata.issuer, issuer))
    throw unauthorized(`the metadata of the authorization server ${issuer} names another issuer`);
  if (metadata?.grant_types_supported && !metadata.grant_types_supported.includes('client_credentials'))
    throw unauthorized(
      'the authorization server offers no client credentials; to sign in as a user, set connection_id to a connection of the kind oauth2_code',
    );
  credentials.assertDestination?.(metadata?.token_endpoint ?? new URL('/token', issuer).href);
  const tokens = await fetchToken(provider, issuer, { metadata, resource, fetchFn: fetch });
  const lifetimeMs = tokens.expires_in === undefined ? Number.POSITIVE_INFINITY : 1000 * tokens.expires_in;
  return { value: tokens.access_token, scope, expiresAt: Date.now() + lifetimeMs - EXPIRY_MARGIN_MS };
}

/** Without `issuer`, credentials are sent only to the host of the MCP server: otherwise the server could have them sent anywhere. */
function chooseIssuer(endpointUrl: string, { issuer }: McpClientCredentials, named: readonly string[]): string {
  const origin = new URL('/', endpointUrl);
  if (issuer !== undefined) {
    if (named.length === 0 || named.some(each => isSameIssuer(each, issuer))) return issuer;
    throw unauthorized('the MCP server does not name auth.issuer as its authorization server');
  }
  const [first = origin.href] = named;
  if (URL.parse(first)?.hostname === origin.hostname) return first;
  throw unauthorized(
    'the authorization server has another host than the MCP server: set auth.issuer to the URL of the authorization server',
  );
}

/** Compares the addresses of two issuers without a slash at the end. */
export function isSameIssuer(a: string, b: string): boolean {
  const bare = (issuer: string) => (URL.parse(issuer)?.href ?? issuer).replace(/\/$/, '');
  return bare(a) === bare(b);
}

function providerOf(credentials: McpClientCredentials, scope: string | undefined, expectedIssuer: string) {
  const { clientId, clientSecret, privateKey, algorithm = 'ES256' } = credentials;
  const common = { clientId, scope, expectedIssuer };
  if (privateKey !== undefined) return new PrivateKeyJwtProvider({ ...common, privateKey, algorithm });
  return new ClientCredentialsProvider({ ...common, clientSecret: clientSecret ?? '' });
}

type ResourceMetadata = Parameters<typeof selectResourceURL>[2];

/** Returns the resource indicator as the metadata writes it, because servers compare it literally. */
export async function selectResource(url: string, metadata: ResourceMetadata): Promise<string | undefined> {
  // The provider is used only for a check of its own, which an empty one does not have.
  const selected = await selectResourceURL(url, {} as OAuthClientProvider, metadata).catch(() => {
    throw unauthorized('the metadata of the MCP server describes another resource');
  });
  return selected && metadata ? metadata.resource : undefined;
}

export function unauthorized(message: string, challenge?: McpChallenge): PortError {
  return new PortError('mcp_unauthorized', `the MCP server cannot be used: ${message}`, { challenge });
}
