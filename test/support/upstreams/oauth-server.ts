import type http from 'node:http';

export interface OAuthBehaviour {
  /** Authentication methods of the token endpoint. */
  methods?: string[];
  /** Seconds; absent: tokens do not expire. */
  expiresIn?: number;
  grantTypes?: string[];
  /** Replaces the authorization servers in the metadata of the resource. */
  authorizationServers?: string[];
  /** Replaces the resource in its metadata. */
  resource?: string;
  /** Scope that every request requires. */
  callScope?: string;
  /** Registers clients and authorizes users, who consent at once. */
  hasUsers?: boolean;
  /** Error of the token endpoint. */
  refusal?: { error: string; error_description?: string };
}

export interface TokenRequestRecord {
  authorization: string | undefined;
  body: URLSearchParams;
}

/** Responds like an MCP server that requires OAuth, together with its authorization server on the same origin. */
export class OAuthUpstream {
  readonly tokenRequests: TokenRequestRecord[] = [];
  /** Scopes of the valid tokens. */
  readonly tokens = new Map<string, string>();
  /** Requests to register clients. */
  readonly registrations: Record<string, unknown>[] = [];

  constructor(private readonly behaviour: OAuthBehaviour = {}) {}

  /** Handles a request instead of the MCP server; returns false for requests with a valid token. */
  readonly intercept = (request: http.IncomingMessage, response: http.ServerResponse): boolean => {
    const origin = `http://${request.headers.host}`;
    const path = request.url ?? '/';
    const {
      authorizationServers = [origin],
      resource = `${origin}/mcp`,
      methods,
      grantTypes,
      hasUsers,
    } = this.behaviour;
    if (path === '/resource-metadata') {
      json(response, 200, { resource, authorization_servers: authorizationServers, scopes_supported: ['read'] });
    } else if (path === '/.well-known/oauth-authorization-server') {
      json(response, 200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        response_types_supported: ['code'],
        ...(hasUsers ? { registration_endpoint: `${origin}/register` } : {}),
        ...(methods ? { token_endpoint_auth_methods_supported: methods } : {}),
        ...(grantTypes ? { grant_types_supported: grantTypes } : {}),
      });
    } else if (path === '/register') void this.#register(request, response);
    else if (path.startsWith('/authorize?')) consent(new URL(path, origin).searchParams, response);
    else if (path === '/oauth/token') void this.#grant(request, response);
    else return this.#challenge(request, response, origin);
    return true;
  };

  async #grant(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = new URLSearchParams(await text(request));
    this.tokenRequests.push({ authorization: request.headers.authorization, body });
    const { refusal, expiresIn } = this.behaviour;
    if (refusal) return json(response, 401, refusal);
    const token = `access-token-${this.tokenRequests.length}`;
    // A code and a refresh token contain the scope.
    const scope = body.get('scope') ?? body.get('code') ?? body.get('refresh_token') ?? '';
    this.tokens.set(token, scope);
    const renewable = body.has('code') ? { refresh_token: scope } : {};
    json(response, 200, { access_token: token, token_type: 'Bearer', expires_in: expiresIn, ...renewable });
  }

  async #register(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const metadata = JSON.parse(await text(request));
    this.registrations.push(metadata);
    const client = { client_id: `client-${this.registrations.length}`, client_secret: 'registered-secret' };
    json(response, 201, { ...metadata, ...client });
  }

  #challenge(request: http.IncomingMessage, response: http.ServerResponse, origin: string): boolean {
    const scope = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    const metadata = `resource_metadata="${origin}/resource-metadata"`;
    const { callScope } = this.behaviour;
    if (scope === undefined) {
      response.writeHead(401, { 'www-authenticate': `Bearer ${metadata}` }).end();
      return true;
    }
    if (callScope === undefined || scope.split(' ').includes(callScope)) return false;
    const challenge = `Bearer error="insufficient_scope", scope="${callScope}", ${metadata}`;
    response.writeHead(403, { 'www-authenticate': challenge }).end();
    return true;
  }
}

function consent(parameters: URLSearchParams, response: http.ServerResponse): void {
  const location = new URL(parameters.get('redirect_uri') ?? '');
  location.searchParams.set('code', parameters.get('scope') ?? '');
  location.searchParams.set('state', parameters.get('state') ?? '');
  response.writeHead(302, { location: location.href }).end();
}

function json(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function text(request: http.IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}
