import { PortError } from '../../../engine/ports.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ConnectionService } from '../connection.service.js';
import type { ConnectedService } from '../connection.type.js';
import { tokenIdentity } from '../connection-settings.js';
import type { ConnectionStore, OpenedConnection } from '../connection-store.js';
import { challengeOf, newVerifier, openState, STATE_MINUTES, sealState } from './authorization-state.js';
import type { ConnectionAuthorization } from './connection-authorization.type.js';
import type { IssuedTokens, TokenEndpoint } from './token-endpoint.js';

const MAX_CODE_CHARACTERS = 8_192;
const STALE = 'The authorization has expired, is of another user, or the settings have changed: start it again.';

/** Lets a user authorize an OAuth 2 connection (authorization code with PKCE). */
export class ConnectionAuthorizationService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly connections: ConnectionService,
    private readonly store: ConnectionStore,
    private readonly endpoint: TokenEndpoint,
  ) {}

  /** Returns the address at which the user authorizes. The server then redirects to `redirectUrl` with a code. */
  async start(viewer: Viewer, id: number, redirectUrl: string): Promise<ConnectionAuthorization> {
    const { projectId } = await this.connections.locate(viewer, id, 'connection.authorize');
    const faults = new Faults();
    faults.httpUrl('redirectUrl', redirectUrl);
    faults.throwIfAny();
    const { settings } = await this.#open(projectId, id);
    const verifier = newVerifier();
    const expiresAt = Date.now() + STATE_MINUTES * 60_000;
    const identity = tokenIdentity(settings);
    const state = { connectionId: id, userId: viewer.userId, redirectUrl, verifier, identity, expiresAt };
    const url = new URL(settings.authorizationUrl!);
    const parameters = {
      ...{ response_type: 'code', client_id: settings.clientId!, redirect_uri: redirectUrl },
      ...(settings.scopes ? { scope: settings.scopes } : {}),
      ...{ state: sealState(this.vault, state), code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { authorizationUrl: url.href, expiresAt: new Date(expiresAt) };
  }

  /** Exchanges the code for tokens and stores them. Only the user who started the authorization can complete it. */
  async complete(viewer: Viewer, sealed: string, code: string): Promise<ConnectedService> {
    const state = openState(this.vault, sealed);
    if (!state || state.userId !== viewer.userId) throw new InvalidInputError({ state: [STALE] });
    const { connectionId: id, identity, redirectUrl, verifier } = state;
    const { projectId } = await this.connections.locate(viewer, id, 'connection.authorize');
    if (code === '' || code.length > MAX_CODE_CHARACTERS)
      throw new InvalidInputError({ code: [`Enter the parameter code, 1-${MAX_CODE_CHARACTERS} characters.`] });
    const connection = await this.#open(projectId, id);
    if (tokenIdentity(connection.settings) !== identity) throw new InvalidInputError({ state: [STALE] });
    const issued = await this.#exchange(
      { ...connection, tokens: null },
      { grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: verifier },
    );
    await this.database.transaction(async sql => {
      const locked = await this.store.openLocked(sql, id);
      if (!locked) throw new NotFoundError();
      if (tokenIdentity(locked.settings) !== identity) throw new InvalidInputError({ state: [STALE] });
      await this.store.writeTokens(sql, id, issued.tokens, issued.seconds);
      const { name } = locked;
      await recordAuditEvent(sql, viewer, {
        ...{ action: 'connection.authorize', object: { type: 'connection', id }, projectId, detail: { name } },
      });
    });
    return this.connections.get(viewer, id);
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
    if (connection.kind !== 'oauth2_code')
      throw new ConflictError(`Only connections of the kind oauth2_code are authorized by a user.`);
    return connection;
  }
}
