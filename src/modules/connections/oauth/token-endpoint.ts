import { isObject } from '../../../engine/json-value.js';
import { PortError } from '../../../engine/ports.js';
import { MASK, valueMasker } from '../../../engine/secrets.js';
import { LabeledCounter } from '../../../platform/metrics/labeled-counter.js';
import { OutboundError } from '../../../platform/outbound/errors.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import type { OpenedConnection, StoredTokens } from '../connection-store.js';

/** Tokens and the seconds until the access token is to be replaced. Null: its lifetime is not known. */
export interface IssuedTokens {
  tokens: StoredTokens;
  seconds: number | null;
}

/** The time limit of a token request. */
export const TIMEOUT_MS = 6_000;
const MAX_BYTES = 64 * 1024;
/** Tokens are replaced this early, but at most a fifth of their lifetime. */
const EARLY_SECONDS = 60;
/** Error codes of a grant that has ended (RFC 6749, section 5.2, and codes of providers): only a user can renew it. */
const ENDED_GRANT_ERRORS = new Set(['invalid_grant', 'bad_refresh_token', 'token_expired', 'invalid_refresh_token']);
/** A longer lifetime counts as unknown. */
const MAX_LIFETIME_SECONDS = 10 ** 9;
const MAX_TOKEN_CHARACTERS = 16_384;

/** The authorization server refused a grant that cannot succeed again. */
export class EndedGrantError extends PortError {}

/** Requests tokens from authorization servers (RFC 6749, RFC 7636). */
export class TokenEndpoint {
  readonly requests = new LabeledCounter(['grant', 'outcome']);

  constructor(private readonly outbound: Outbound) {}

  /** Requests tokens with a grant. Redirects are not followed, because the body contains secrets. Throws a PortError. */
  async request(connection: OpenedConnection, grant: Readonly<Record<string, string>>): Promise<IssuedTokens> {
    const { name, tokens } = connection;
    const place = `the authorization server of the connection ${JSON.stringify(name)}`;
    const kind = grant.grant_type!;
    try {
      const issued = parseTokens(await this.#send(connection, grant), place, {
        refreshToken: tokens?.refreshToken ?? null,
        isRenewable: kind === 'client_credentials',
      });
      this.requests.count([kind, 'issued']);
      return { ...issued, tokens: { ...tokens, ...issued.tokens } };
    } catch (error) {
      this.requests.count([kind, error instanceof OutboundError ? 'unreachable' : 'refused']);
      const secrets = [connection.secret, tokens?.client?.clientSecret, tokens?.refreshToken].filter(
        each => each != null,
      );
      const mask = (message: string) => valueMasker(secrets)(message);
      if (error instanceof OutboundError) throw new PortError(error.code, mask(`${place}: ${error.message}`));
      if (error instanceof PortError) error.message = mask(error.message);
      throw error;
    }
  }

  /** Sends the request. It is never aborted, because several runs may wait for the tokens. */
  #send(connection: OpenedConnection, grant: Readonly<Record<string, string>>) {
    const { tokenUrl, clientId, secret, clientAuthentication, resource } = clientOf(connection);
    const body = new URLSearchParams(grant);
    if (resource !== null) body.set('resource', resource);
    const headers: Record<string, string> = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    };
    if (secret === null || clientAuthentication === 'post') {
      body.set('client_id', clientId);
      if (secret !== null) body.set('client_secret', secret);
    } else headers.authorization = `Basic ${encodedPair(clientId, secret)}`;
    return this.outbound.request({
      ...{ method: 'POST', url: tokenUrl, headers, body: body.toString(), maxResponseBytes: MAX_BYTES },
      ...{ timeoutMs: TIMEOUT_MS, signal: new AbortController().signal },
    });
  }
}

function clientOf({ settings, secret, tokens }: OpenedConnection) {
  if (tokens?.client) return { ...tokens.client, secret: tokens.client.clientSecret };
  const { tokenUrl = '', clientId = '', clientAuthentication = 'basic' } = settings;
  return { tokenUrl, clientId, clientAuthentication, secret, resource: null };
}

/** RFC 6749, section 2.3.1: both parts are encoded as in a form. */
function encodedPair(clientId: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  return Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64');
}

interface EarlierTokens {
  /** The current refresh token, which stays valid unless the server issues another one. */
  refreshToken: string | null;
  /** Whether a new token needs no refresh token. */
  isRenewable: boolean;
}

function parseTokens(answer: { status: number; body: Buffer }, place: string, before: EarlierTokens): IssuedTokens {
  const members = jsonOf(answer.body);
  const { access_token: accessToken, error, error_description: description } = members;
  if (answer.status >= 500 || answer.status === 429)
    throw new PortError('token_refused', `${place} answered with status ${answer.status}`);
  if (!isToken(accessToken)) {
    const reason = [error, description].filter(each => typeof each === 'string').join(': ');
    const message = `${place} issued no token${reason === '' ? ` and answered with status ${answer.status}` : `: ${reason.slice(0, 500)}`}`;
    if (ENDED_GRANT_ERRORS.has(String(error))) throw new EndedGrantError('token_refused', message, { isFinal: true });
    throw new PortError('token_refused', message, { isFinal: true });
  }
  const refreshToken = isToken(members.refresh_token) ? members.refresh_token : before.refreshToken;
  const lifetime = Number(members.expires_in);
  const canRenew = refreshToken !== null || before.isRenewable;
  const early = canRenew ? Math.min(EARLY_SECONDS, lifetime / 5) : 0;
  const isKnown = Number.isFinite(lifetime) && lifetime > 0 && lifetime < MAX_LIFETIME_SECONDS;
  return { tokens: { accessToken, refreshToken }, seconds: isKnown ? lifetime - early : null };
}

/** Whether a header can contain the value, and it is not the mask. */
function isToken(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== MASK && value.length <= MAX_TOKEN_CHARACTERS && /^[\x21-\x7e]+$/.test(value)
  );
}

function jsonOf(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
