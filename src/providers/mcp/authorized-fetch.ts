import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { McpChallenge, McpServer } from '../../engine/ports.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { requestAccessToken, unauthorized } from './access-token.js';
import { unionOfScopes } from './scopes.js';
import { type AccessToken, type TokenCache, tokenKey } from './token-cache.js';

interface Fetches {
  /** Calls the MCP server. */
  server: Outbound['fetch'];
  /** Calls the authorization server; respects `redirect`. */
  authorization: Outbound['fetch'];
}

/**
 * Returns a `fetch` that authorizes requests to the server. A rejected request is repeated at most once with a new token
 * (401) and once with more scopes (403). A rejected request has had no effect, so no tool is called twice.
 */
export function authorizedFetch(
  server: McpServer,
  tokens: TokenCache,
  fetches: Fetches,
  secrets: string[],
): Outbound['fetch'] {
  const { auth: credentials, accessToken } = server;
  if (accessToken) return connectedFetch(fetches.server, accessToken, secrets);
  if (!credentials) return unauthenticatedFetch(fetches.server);
  const key = tokenKey(server, credentials);
  const renew = (rejected: AccessToken | undefined, response: Response, scope: string | undefined) => {
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    const request = { server, credentials, resourceMetadataUrl, scope, fetch: fetches.authorization, secrets };
    return tokens.renew(key, rejected, () => requestAccessToken(request));
  };
  return async (input, init) => {
    const send = (token: AccessToken | undefined) => {
      if (token && !secrets.includes(token.value)) secrets.push(token.value);
      const headers = new Headers(init?.headers);
      if (token) headers.set('authorization', `Bearer ${token.value}`);
      return fetches.server(input, { ...init, headers });
    };
    let token = await tokens.current(key);
    let response = await send(token);
    // The request that closes a session is not worth a new token.
    if (init?.method === 'DELETE') return response;
    if (response.status === 401) {
      await response.body?.cancel();
      const { scope } = extractWWWAuthenticateParams(response);
      token = await renew(token, response, credentials.scope ?? scope);
      response = await send(token);
    }
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (response.status === 403 && error === 'insufficient_scope') {
      await response.body?.cancel();
      token = await renew(token, response, unionOfScopes(token?.scope, scope));
      response = await send(token);
    }
    return response;
  };
}

/** Reports a server that demands OAuth when the node has no credentials for it. */
function unauthenticatedFetch(serverFetch: Outbound['fetch']): Outbound['fetch'] {
  return async (input, init) => {
    const response = await serverFetch(input, init);
    if (response.status !== 401 || !extractWWWAuthenticateParams(response).resourceMetadataUrl) return response;
    await response.body?.cancel();
    throw unauthorized(
      'it requires OAuth: set auth to the credentials of a client, or send a token in headers; to sign in as a user, set connection_id to a connection of the kind mcp_oauth or oauth2_code',
      challengeOf(response),
    );
  };
}

/** Sends the token of a connection. A refused request has had no effect, so it is repeated once with a new token. */
function connectedFetch(
  serverFetch: Outbound['fetch'],
  accessToken: NonNullable<McpServer['accessToken']>,
  secrets: string[],
): Outbound['fetch'] {
  let token: string | undefined;
  return async (input, init) => {
    const send = (current: string) => {
      if (!secrets.includes(current)) secrets.push(current);
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${current}`);
      return serverFetch(input, { ...init, headers });
    };
    token ??= await accessToken();
    let response = await send(token);
    if (init?.method === 'DELETE') return response;
    if (response.status === 401) {
      await response.body?.cancel();
      token = await accessToken(token);
      response = await send(token);
    }
    const isScope = response.status === 403 && extractWWWAuthenticateParams(response).error === 'insufficient_scope';
    if (response.status !== 401 && !isScope) return response;
    await response.body?.cancel();
    const challenge = challengeOf(response);
    throw isScope
      ? unauthorized(
          `it demands further scopes (${challenge.scope ?? 'not named'}): authorize the connection again`,
          challenge,
        )
      : unauthorized('it refuses the token of the connection: authorize the connection again', challenge);
  };
}

function challengeOf(response: Response): McpChallenge {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return {
    ...(resourceMetadataUrl ? { resourceMetadataUrl: resourceMetadataUrl.href } : {}),
    ...(scope === undefined ? {} : { scope }),
  };
}
