import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import {
  type McpAuthorization,
  type McpAuthorizationRequest,
  type McpCaller,
  type McpChallenge,
  PortError,
} from '../../engine/ports.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { isSameIssuer, selectResource, unauthorized } from './access-token.js';
import { excerpt } from './failure.js';
import { GuardedFetch } from './guarded-fetch.js';
import { unionOfScopes } from './scopes.js';

/** Maximum characters of the addresses and credentials that servers name. They are kept with the connection. */
const MAX_CHARACTERS = 4_096;
const PROBE_MS = 10_000;
/** The scope with which authorization servers issue refresh tokens. */
const OFFLINE = 'offline_access';

/**
 * Begins the authorization of a user at the authorization server of an MCP server, of which only the URL is known. Sources: MCP
 * 2025-11-25 (authorization), RFC 9728, RFC 8414, RFC 7591, RFC 8707.
 * @throws PortError
 */
export async function beginMcpAuthorization(
  mcp: Pick<McpCaller, 'listTools'>,
  outbound: Outbound,
  request: McpAuthorizationRequest,
  signal: AbortSignal,
): Promise<McpAuthorization> {
  const { callOnce: fetch } = new GuardedFetch(outbound, { signal, fail: () => {} });
  const secrets = request.client?.secret ? [request.client.secret] : [];
  try {
    const challenge = await challengeOf(mcp, request, signal);
    return assertBounded(await begin(request, challenge, fetch));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PortError) throw error;
    if (error instanceof OutboundError) throw unauthorized(`its authorization server: ${error.message}`);
    if (error instanceof OAuthError) {
      const detail = excerpt(`${error.errorCode} ${error.message}`, secrets);
      throw unauthorized(`the authorization server registered no client: ${detail}`);
    }
    throw unauthorized('the authorization server or its metadata cannot be understood');
  }
}

/**
 * Asks the server for its tools without credentials. Undefined: it demands none. Any other failure counts as a demand without
 * details, because the discovery then decides.
 */
async function challengeOf(
  mcp: Pick<McpCaller, 'listTools'>,
  { url }: McpAuthorizationRequest,
  signal: AbortSignal,
): Promise<McpChallenge | undefined> {
  const server = { endpointUrl: url, transport: 'streamable_http', headers: {}, timeoutMs: PROBE_MS } as const;
  try {
    await mcp.listTools(server, { signal });
    return undefined;
  } catch (error) {
    if (error instanceof PortError && error.code !== 'address_refused') return error.challenge ?? {};
    throw error;
  }
}

async function begin(
  request: McpAuthorizationRequest,
  challenge: McpChallenge | undefined,
  fetch: Outbound['fetch'],
): Promise<McpAuthorization> {
  const { redirectUrl } = request;
  const found = await discover(request.url, challenge, fetch);
  const { issuer, metadata, resource } = found;
  const tokenUrl = metadata?.token_endpoint ?? new URL('/token', issuer).href;
  if (request.client?.secret) request.client.assertDestination(tokenUrl);
  const scope = scopesOf(request, challenge?.scope ?? found.scopes, metadata);
  const registered = await registration(request, { issuer, metadata, scope, fetch });
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    ...{ metadata, clientInformation: registered, redirectUrl },
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  });
  // A browser opens it.
  if (!/^https?:$/.test(authorizationUrl.protocol)) throw unauthorized('its authorization server has no web address');
  const client = {
    tokenUrl,
    resource: resource ?? null,
    scopes: scope ?? null,
    ...identification(registered, metadata),
  };
  return { authorizationUrl: authorizationUrl.href, verifier: codeVerifier, client };
}

type Metadata = Awaited<ReturnType<typeof discoverAuthorizationServerMetadata>>;

/** Finds the authorization server of an MCP server. */
async function discover(url: string, challenge: McpChallenge | undefined, fetch: Outbound['fetch']) {
  const { resourceMetadataUrl } = challenge ?? {};
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  const described = await discoverOAuthProtectedResourceMetadata(url, options, fetch).catch(() => undefined);
  if (!challenge && !described) throw unauthorized('it demands no authorization: use it without a connection');
  const resource = await selectResource(url, described);
  const [named] = described?.authorization_servers ?? [];
  const issuer = named ?? new URL('/', url).href;
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  if (named !== undefined && metadata && !isSameIssuer(metadata.issuer, issuer))
    throw unauthorized(`the metadata of the authorization server ${issuer} names another issuer`);
  return { issuer, metadata, resource, scopes: described?.scopes_supported?.join(' ') };
}

function scopesOf(
  { scopes, furtherScopes }: McpAuthorizationRequest,
  named: string | undefined,
  metadata: Metadata,
): string | undefined {
  const demanded = scopes ?? named;
  // A refresh token is issued only for this scope where the server supports it.
  const offline = demanded && metadata?.scopes_supported?.includes(OFFLINE) ? OFFLINE : undefined;
  return unionOfScopes(demanded, furtherScopes, offline);
}

/** How the client identifies itself when it requests tokens. */
function identification(client: { client_id: string; client_secret?: string | undefined }, metadata: Metadata) {
  const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  return {
    clientId: client.client_id,
    clientSecret: method === 'none' ? null : (client.client_secret ?? null),
    clientAuthentication: method === 'client_secret_post' ? ('post' as const) : ('basic' as const),
  };
}

interface RegistrationContext {
  issuer: string;
  metadata: Metadata;
  scope: string | undefined;
  fetch: Outbound['fetch'];
}

/** Returns the client: that of the request, one whose id is the URL of its description, or a newly registered one. */
async function registration(request: McpAuthorizationRequest, { issuer, metadata, scope, fetch }: RegistrationContext) {
  const { client, clientMetadataUrl, redirectUrl } = request;
  if (client) return { client_id: client.id, ...(client.secret === null ? {} : { client_secret: client.secret }) };
  if (clientMetadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true)
    return { client_id: clientMetadataUrl };
  if (metadata && metadata.registration_endpoint === undefined)
    throw unauthorized('its authorization server registers no clients: register one there and enter its client id');
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  const method = ['client_secret_basic', 'client_secret_post', 'none'].find(each => supported.includes(each));
  return registerClient(issuer, {
    ...{ metadata, fetchFn: fetch, ...(scope === undefined ? {} : { scope }) },
    clientMetadata: {
      ...{ client_name: 'Scenarium', redirect_uris: [redirectUrl], response_types: ['code'] },
      grant_types: ['authorization_code', 'refresh_token'],
      ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
    },
  });
}

function assertBounded(authorization: McpAuthorization): McpAuthorization {
  if (JSON.stringify(authorization).length <= MAX_CHARACTERS) return authorization;
  throw unauthorized('its authorization server names addresses or credentials that are too long');
}
