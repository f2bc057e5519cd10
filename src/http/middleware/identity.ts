import type { ServerResponse } from 'node:http';
import { decodeProtectedHeader } from 'jose';
import { preferredWait } from '../../../rest-compat/runtime/preferences.js';
import type { AuthKind } from '../../../rest-compat/runtime/route.js';
import type { AccountService } from '../../modules/accounts/account.service.js';
import type { AuthResult } from '../../modules/accounts/api-keys/auth-result.js';
import type { KeyAuthenticator } from '../../modules/accounts/api-keys/key-authenticator.js';
import type { RequestContext } from '../../modules/accounts/request-context.js';
import type { SessionService } from '../../modules/accounts/sessions/session.service.js';
import type { AddressLimit } from '../../modules/accounts/users/address-limit.js';
import type { Viewer } from '../../modules/accounts/viewer.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import { thenSync } from '../../platform/async/then-sync.js';
import { equalInConstantTime, sha256 } from '../../platform/crypto/crypto.js';
import { ForbiddenError, RateLimitedError, UnauthenticatedError } from '../../platform/errors/errors.js';
import { createContext, NO_HTTP_EXCHANGE } from '../../platform/requests/context.js';
import type { ExternalIssuer } from '../../providers/external-issuer.js';
import { disconnectSignalGetter } from '../disconnect-signal.js';
import { setRateLimitHeaders } from './rate-limit.js';
import { releaseFromLimit } from './request-checks.js';
import { isHttps } from './security-headers.js';

/** The credentials of a request, from its headers or from the connection parameters of a socket. */
export interface Credentials {
  /** Names in lower case. */
  headers: Record<string, unknown>;
  /** An IP address. */
  address: string | undefined;
  /** How many requests to count against the rate limit of the API key; 0 to identify the caller only. */
  cost: number;
  /** The response that gets the rate-limit headers; null over a socket. */
  response: ServerResponse | null;
  /** Aborts when the client disconnects. Default: derived from `response`. */
  signal?: () => AbortSignalLike;
}

export interface IdentityOptions {
  keyAuthenticator: KeyAuthenticator;
  accounts: AccountService;
  sessions: SessionService;
  /** Null if only this service issues sessions. */
  issuer: ExternalIssuer | null;
  serviceToken: string;
  /** Limits requests without valid credentials, by client address. */
  anonymous: AddressLimit;
  /** Called when a limit rejects a request. */
  onLimited: () => void;
}

/** The viewer behind credentials. Synchronous while this process leases the API key. */
type IdentifiedViewer = Viewer | null | Promise<Viewer | null>;

/** Maximum number of characters of a bearer token that is decoded. */
const MAX_TOKEN_CHARACTERS = 16_384;

/**
 * Identifies the viewer by an API key in `X-Api-Key` or a session's JWT in `Authorization: Bearer`. The API key takes precedence. The
 * service token is valid only for the routes of the execution service.
 */
export class Identity {
  readonly #serviceToken: Buffer;

  constructor(private readonly options: IdentityOptions) {
    this.#serviceToken = sha256(options.serviceToken);
  }

  /** The context of a GraphQL operation, without a viewer if no credentials were sent. Throws if they are invalid. */
  async contextFor(credentials: Credentials): Promise<RequestContext> {
    let viewer: Viewer | null;
    try {
      viewer = await this.#userOf(credentials);
    } catch (error) {
      throw this.#refusal(error, credentials);
    }
    if (!viewer && credentials.cost > 0) this.#countAnonymous(credentials);
    return contextOf(viewer, credentials, false);
  }

  /** The context of an MCP request. An API key may also be the bearer token, because most MCP clients send no other header. */
  mcpContextFor(credentials: Credentials): RequestContext | Promise<RequestContext> {
    const token = bearerOf(credentials);
    const isKey = apiKeyOf(credentials) === null && token !== null && algorithmOf(token) === null;
    const { headers } = credentials;
    return this.restContextFor(
      isKey ? { ...credentials, headers: { ...headers, 'x-api-key': token } } : credentials,
      'API_KEY',
    );
  }

  /** The context of a REST route with this kind of authentication. Throws if the required credentials are missing or invalid. */
  restContextFor(credentials: Credentials, auth: AuthKind): RequestContext | Promise<RequestContext> {
    const caller = this.#callerOf(credentials, auth);
    const viewer =
      caller instanceof Promise
        ? caller.catch((error: unknown) => {
            throw this.#refusal(error, credentials);
          })
        : caller;
    return thenSync(viewer, resolved => this.#restContext(resolved, credentials, auth));
  }

  #restContext(viewer: Viewer | null, credentials: Credentials, auth: AuthKind): RequestContext {
    if (viewer?.via === 'jwt' && auth === 'API_KEY_ONLY') throw new UnauthenticatedError();
    if (!viewer) {
      this.#countAnonymous(credentials);
      if (auth === 'BEARER' && apiKeyOf(credentials) !== null)
        throw new UnauthenticatedError('This route takes the API key as "Authorization: Bearer <key>".');
      if (auth !== 'NONE') throw new UnauthenticatedError();
    }
    return contextOf(viewer, credentials, true);
  }

  /** The caller of a model route. The specification permits only API keys; the console names itself to use its session. */
  #modelCallerOf(credentials: Credentials, auth: 'BEARER' | 'ANY_KEY'): IdentifiedViewer {
    const key = (auth === 'ANY_KEY' ? apiKeyOf(credentials) : null) ?? bearerOf(credentials);
    if (key === null) return null;
    const isConsole = credentials.headers[CONSOLE_HEADER] === '1';
    return isConsole && algorithmOf(key) !== null ? this.#sessionOf(key) : this.#checkKey(key, credentials);
  }

  #callerOf(credentials: Credentials, auth: AuthKind): IdentifiedViewer {
    if (auth === 'SERVICE') return this.#serviceOf(credentials);
    if (auth === 'BEARER' || auth === 'ANY_KEY') return this.#modelCallerOf(credentials, auth);
    if (auth === 'API_KEY' || auth === 'API_KEY_ONLY' || apiKeyOf(credentials) !== null)
      return this.#userOf(credentials);
    // Routes without authentication ignore an expired session, so that clients can open a new one.
    const token = bearerOf(credentials);
    return token === null ? null : this.#sessionOf(token);
  }

  async #userOf(credentials: Credentials): Promise<Viewer | null> {
    const key = apiKeyOf(credentials);
    const token = bearerOf(credentials);
    if (key === null && token === null) return null;
    const viewer = await this.#findUser(credentials);
    if (!viewer) throw new UnauthenticatedError(misplacedCredentials(key, token));
    return viewer;
  }

  async #findUser(credentials: Credentials): Promise<Viewer | null> {
    const key = apiKeyOf(credentials);
    return key === null ? this.#sessionOf(bearerOf(credentials) ?? '') : this.#checkKey(key, credentials);
  }

  /** Counts the request and returns the viewer behind an API key; null for an invalid key. */
  #checkKey(key: string, credentials: Credentials): IdentifiedViewer {
    const { cost, response, address } = credentials;
    const seconds = this.options.anonymous.secondsToWait(address);
    // Keys that were accepted before still pass: other clients behind the same address may have sent the invalid keys.
    if (seconds > 0 && !this.options.keyAuthenticator.hasAccepted(key)) throw this.#rateLimitError(seconds);
    const result = this.options.keyAuthenticator.authenticate(key, cost, response?.socket ?? null);
    return thenSync(result, auth => this.#toViewer(auth, credentials));
  }

  #toViewer(result: AuthResult | null, { response }: Credentials): Viewer | null {
    if (!result) return null;
    const { viewer, allowance } = result;
    if (allowance && response) setRateLimitHeaders(response, allowance);
    if (!allowance || allowance.isGranted) return viewer;
    throw this.#rateLimitError(allowance.resetSeconds);
  }

  #rateLimitError(seconds: number): RateLimitedError {
    this.options.onLimited();
    return new RateLimitedError(seconds);
  }

  /** Counts a request without valid credentials. Throws if its client address has exceeded the limit. */
  #countAnonymous({ address }: Credentials): void {
    const seconds = this.options.anonymous.count(address);
    if (seconds > 0) throw this.#rateLimitError(seconds);
  }

  /** Counts invalid credentials. Returns a RateLimitedError if the client address has exceeded the limit, otherwise the error. */
  #refusal(error: unknown, { address }: Credentials): unknown {
    if (!(error instanceof UnauthenticatedError)) return error;
    const seconds = this.options.anonymous.count(address);
    return seconds > 0 ? this.#rateLimitError(seconds) : error;
  }

  /** The algorithm identifies the issuer: this service signs with HS256, the external issuer with other algorithms. */
  async #sessionOf(token: string): Promise<Viewer | null> {
    const { accounts, issuer, sessions } = this.options;
    const algorithm = algorithmOf(token);
    if (algorithm === 'HS256') return sessions.identify(token);
    if (issuer === null || algorithm === null) return null;
    const email = await issuer.emailOf(token);
    return email === null ? null : accounts.identifyEmail(email);
  }

  /** The execution service. Valid credentials of a user get 403 instead of 401. */
  async #serviceOf(credentials: Credentials): Promise<Viewer | null> {
    const token = bearerOf(credentials);
    if (token !== null && equalInConstantTime(sha256(token), this.#serviceToken))
      return { userId: 0, isAdmin: false, via: 'service' };
    // Not counted against the key, because the request is rejected in any case.
    const uncounted = { ...credentials, cost: 0 };
    const isKey = token !== null && (await this.#checkKey(token, uncounted)) !== null;
    if (isKey || (await this.#findUser(uncounted)) !== null) throw new ForbiddenError();
    return null;
  }
}

function contextOf(viewer: Viewer | null, credentials: Credentials, isRest: boolean): RequestContext {
  const { address, headers, response } = credentials;
  const origin = () => originOf(headers);
  const exchange = response
    ? {
        origin,
        address,
        userAgent: textOf(headers['user-agent']),
        signal: credentials.signal ?? disconnectSignalGetter(response),
        waitSeconds: preferredWait(headers.prefer),
        onWait: () => releaseFromLimit(response),
        takesBytes: isRest,
        throwsRefusals: isRest,
      }
    : { ...NO_HTTP_EXCHANGE, origin, address };
  return createContext(viewer && address !== undefined ? { ...viewer, address } : viewer, exchange);
}

function textOf(header: unknown): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** The origin as the client sent it. It is safe to use only in responses to the same client. */
function originOf(headers: Record<string, unknown>): string {
  const { host } = headers;
  if (typeof host !== 'string' || !isHost(host)) return '';
  return `${isHttps({ headers }) ? 'https' : 'http'}://${host}`;
}

const isHost = (text: string) => /^[\w.:[\]-]{1,255}$/.test(text);

/** An empty header counts as absent. A value that is not a string becomes an invalid key. */
function apiKeyOf({ headers }: Credentials): string | null {
  const key = headers['x-api-key'];
  if (key === undefined || key === null || key === '') return null;
  return typeof key === 'string' ? key : '\0';
}

/** Other authentication schemes are ignored: they may belong to a proxy. */
function bearerOf({ headers }: Credentials): string | null {
  const { authorization } = headers;
  const header = typeof authorization === 'string' ? authorization.trim() : '';
  if (header.slice(0, BEARER.length).toLowerCase() !== BEARER) return null;
  return header.slice(BEARER.length).trimStart() || null;
}

const BEARER = 'bearer ';
/** The console sends `1` in this header. */
export const CONSOLE_HEADER = 'x-scenarium-console';

/** A message about credentials in the wrong header; undefined if they are in the right one and invalid. */
function misplacedCredentials(key: string | null, token: string | null): string | undefined {
  if (key !== null && algorithmOf(key) !== null)
    return 'The header X-Api-Key takes an API key. Send a session token as "Authorization: Bearer <token>".';
  if (key === null && token !== null && algorithmOf(token) === null)
    return '"Authorization: Bearer" takes a session token here. Send an API key in the header X-Api-Key.';
  return undefined;
}

function algorithmOf(token: string): string | null {
  if (token.length > MAX_TOKEN_CHARACTERS) return null;
  try {
    return decodeProtectedHeader(token).alg ?? null;
  } catch {
    return null;
  }
}
