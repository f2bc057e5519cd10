import {
  type McpAuthorization,
  type McpAuthorizationRequest,
  type McpOAuthClient,
  PortError,
} from '../../../engine/ports.js';
import { matchesHost } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { unionOfScopes } from '../../../providers/mcp/scopes.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ConnectionService } from '../connection.service.js';
import type { ConnectedService } from '../connection.type.js';
import { type StoredSettings, tokenIdentity } from '../connection-settings.js';
import type { ConnectionStore, OpenedConnection } from '../connection-store.js';
import { challengeOf, createVerifier, openState, STATE_MINUTES, sealState } from './authorization-state.js';
import type { ConnectionAuthorization } from './connection-authorization.type.js';
import type { IssuedTokens, TokenEndpoint } from './token-endpoint.js';

const MAX_CODE_CHARACTERS = 8_192;
const STALE = 'The authorization has expired, is of another user, or the settings have changed: start it again.';

/** How long the discovery of an authorization server and the registration may take. */
const DISCOVERY_MS = 20_000;

/** An authorization that a user has not completed yet. */
interface StartedAuthorization {
  /** The address that the user opens, without the state. */
  url: URL;
  verifier: string;
  client?: McpOAuthClient;
}

/** Begins the authorization for an MCP server. Throws a PortError, or the reason of the signal. */
export type McpAuthorizer = (request: McpAuthorizationRequest, signal: AbortSignal) => Promise<McpAuthorization>;

/** Lets a user authorize an OAuth 2 connection (authorization code with PKCE). */
export class ConnectionAuthorizationService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly connections: ConnectionService,
    private readonly store: ConnectionStore,
    private readonly endpoint: TokenEndpoint,
    private readonly beginMcp: McpAuthorizer,
  ) {}

  /** Returns the address at which the user authorizes. The server then redirects to `redirectUrl` with a code. */
  async start(viewer: Viewer, id: number, redirectUrl: string): Promise<ConnectionAuthorization> {
    const { projectId } = await this.connections.locate(viewer, id, 'connection.authorize');
    const faults = new Faults();
    faults.httpUrl('redirectUrl', redirectUrl);
    faults.throwIfAny();
    const connection = await this.#open(projectId, id);
    const { kind, settings } = connection;
    const { url, ...started } =
      kind === 'mcp_oauth' ? await this.#beginMcp(connection, redirectUrl) : beginAtSettings(settings, redirectUrl);
    const expiresAt = Date.now() + STATE_MINUTES * 60_000;
    const identity = tokenIdentity(kind, settings);
    const state = { connectionId: id, userId: viewer.userId, redirectUrl, identity, expiresAt, ...started };
    url.searchParams.set('state', sealState(this.vault, state));
    return { authorizationUrl: url.href, expiresAt: new Date(expiresAt) };
  }

  /** Exchanges the code for tokens and stores them. Only the user who started the authorization can complete it. */
  async complete(viewer: Viewer, sealed: string, code: string): Promise<ConnectedService> {
    const state = openState(this.vault, sealed);
    if (!state || state.userId !== viewer.userId) throw new InvalidInputError({ state: [STALE] });
    const { connectionId: id, identity, redirectUrl, verifier, client } = state;
    const { projectId } = await this.connections.locate(viewer, id, 'connection.authorize');
    if (code === '' || code.length > MAX_CODE_CHARACTERS)
      throw new InvalidInputError({ code: [`Enter the parameter code, 1-${MAX_CODE_CHARACTERS} characters.`] });
    const connection = await this.#open(projectId, id);
    if (tokenIdentity(connection.kind, connection.settings) !== identity)
      throw new InvalidInputError({ state: [STALE] });
    // The client of an MCP server is stored with its tokens. There are none yet, so it is passed with empty ones.
    const issued = await this.#exchange(
      { ...connection, tokens: client ? { accessToken: '', refreshToken: null, client } : null },
      { grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: verifier },
    );
    await this.database.transaction(async sql => {
      const locked = await this.store.openLocked(sql, id);
      if (!locked) throw new NotFoundError();
      if (tokenIdentity(locked.kind, locked.settings) !== identity) throw new InvalidInputError({ state: [STALE] });
      await this.store.writeTokens(sql, id, issued.tokens, issued.seconds);
      const { name } = locked;
      const object = { type: 'connection', id };
      await recordAuditEvent(sql, viewer, { action: 'connection.authorize', object, projectId, detail: { name } });
    });
    return this.connections.get(viewer, id);
  }

  /** Begins an authorization for an MCP server: finds its authorization server and the client. */
  async #beginMcp(connection: OpenedConnection, redirectUrl: string): Promise<StartedAuthorization> {
    const { settings, secret, tokens, allowedHosts } = connection;
    const { baseUrl = '', clientId, scopes } = settings;
    const assertDestination = (address: string) => {
      if (allowedHosts.some(host => matchesHost(host, address))) return;
      const { host } = new URL(address);
      throw new PortError('host_not_allowed', `add ${host}, which issues the tokens, to allowedHosts`);
    };
    const scopesSoFar = unionOfScopes(tokens?.client?.scopes ?? undefined, tokens?.demandedScopes);
    const request: McpAuthorizationRequest = {
      ...{ url: baseUrl, redirectUrl },
      ...(clientId ? { client: { id: clientId, secret, assertDestination } } : {}),
      ...(scopes ? { scopes } : {}),
      ...(tokens?.demandedScopes && scopesSoFar ? { furtherScopes: scopesSoFar } : {}),
    };
    try {
      const { authorizationUrl, ...started } = await this.beginMcp(request, AbortSignal.timeout(DISCOVERY_MS));
      return { url: new URL(authorizationUrl), ...started };
    } catch (error) {
      if (error instanceof PortError) throw new InvalidInputError({ id: [`Not begun: ${error.message}.`] });
      if (error instanceof Error && error.name === 'TimeoutError')
        throw new InvalidInputError({ id: [`Not begun: no answer within ${DISCOVERY_MS / 1000} seconds.`] });
      throw error;
    }
  }

  async #exchange(connection: OpenedConnection, grant: Record<string, string>): Promise<IssuedTokens> {
    try {
      return await this.endpoint.request(connection, grant);
    } catch (error) {
      if (error instanceof PortError) throw new InvalidInputError({ code: [`Not exchanged: ${error.message}.`] });
      throw error;
    }
  }

  async #open(projectId: number, id: number): Promise<OpenedConnection> {
    const connection = await this.store.open(projectId, id);
    if (!connection) throw new NotFoundError();
    if (connection.kind !== 'oauth2_code' && connection.kind !== 'mcp_oauth')
      throw new ConflictError(`Only connections of the kinds oauth2_code and mcp_oauth are authorized by a user.`);
    return connection;
  }
}

/** Begins an authorization whose addresses and client are in the settings. */
function beginAtSettings(
  { authorizationUrl, clientId, scopes }: StoredSettings,
  redirectUrl: string,
): StartedAuthorization {
  const verifier = createVerifier();
  const url = new URL(authorizationUrl!);
  const parameters = {
    ...{ response_type: 'code', client_id: clientId!, redirect_uri: redirectUrl },
    ...(scopes ? { scope: scopes } : {}),
    ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url, verifier };
}
