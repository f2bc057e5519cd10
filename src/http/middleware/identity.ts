import type { ServerResponse } from 'node:http';
import { decodeProtectedHeader } from 'jose';
import type { AuthKind } from '../../../rest-compat/runtime/route.js';
import type { KeyGate } from '../../modules/accounts/api-keys/key-gate.js';
import type { RequestContext } from '../../modules/accounts/request-context.js';
import type { AccountService } from '../../modules/accounts/sessions/account.service.js';
import type { AuthResult } from '../../modules/accounts/sessions/auth-result.js';
import type { SessionService } from '../../modules/accounts/sessions/session.service.js';
import type { AddressLimit } from '../../modules/accounts/users/address-limit.js';
import type { Viewer } from '../../modules/accounts/viewer.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import { thenSync } from '../../platform/async/then-sync.js';
import { equalInConstantTime, sha256 } from '../../platform/crypto/crypto.js';
import { ForbiddenError, RateLimitedError, UnauthenticatedError } from '../../platform/errors/errors.js';
import { createContext, noWire } from '../../platform/requests/context.js';
import type { ExternalIssuer } from '../../providers/external-issuer.js';
import { goneSignal } from '../gone-signal.js';
import { setRateLimitHeaders } from './rate-limit.js';

/** What identifies a caller: headers in lower case (or a socket's connection parameters), and where they came from. */
export interface Credentials {
  headers: Record<string, unknown>;
  /** An IP address. */
  address: string | undefined;
  /** Requests of an API key that this one counts for; 0: it only asks who is there. */
  cost: number;
  /** The answer that says how much of the key's limit is left; null where there is no HTTP answer. */
  response: ServerResponse | null;
  /** Aborts when the client leaves; derived from `response` unless given. */
  signal?: () => AbortSignalLike;
}

export interface IdentityOptions {
  gate: KeyGate;
  accounts: AccountService;
  sessions: SessionService;
  /** Null when sessions begin here alone. */
  issuer: ExternalIssuer | null;
  serviceToken: string;
  /** Limits what comes without valid credentials, by client address. */
  anonymous: AddressLimit;
  /** Hears that a limit refused a request. */
  onLimited: () => void;
}

/** Whom credentials belong to: known at once where a key is leased. */
type IdentifiedViewer = Viewer | null | Promise<Viewer | null>;

/** A longer bearer token is none that anybody signed for us. */
const MAX_TOKEN = 16_384;

/**
 * Turns credentials into a viewer: an API key in `X-Api-Key`, or a session's JWT in `Authorization: Bearer`. Where both
 * are sent the key decides. The service token opens the routes of the execution service and nothing else.
 */
export class Identity {
  readonly #serviceToken: Buffer;

  constructor(private readonly options: IdentityOptions) {
    this.#serviceToken = sha256(options.serviceToken);
  }

  /** For GraphQL: nobody when no credentials came; throws when they are wrong. */
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

  /** For a REST route, which says what it asks for; throws when that did not come. */
  restContextFor(credentials: Credentials, auth: AuthKind): RequestContext | Promise<RequestContext> {
    const caller = this.#callerOf(credentials, auth);
    const known =
      caller instanceof Promise
        ? caller.catch((error: unknown) => {
            throw this.#refusal(error, credentials);
          })
        : caller;
    return thenSync(known, viewer => this.#restContext(viewer, credentials, auth));
  }

  #restContext(viewer: Viewer | null, credentials: Credentials, auth: AuthKind): RequestContext {
    if (viewer?.via === 'jwt' && auth === 'API_KEY_ALONE') throw new UnauthenticatedError();
    if (!viewer) {
      this.#countAnonymous(credentials);
      if (auth === 'BEARER' && apiKeyOf(credentials) !== null)
        throw new UnauthenticatedError('This route takes the API key as "Authorization: Bearer <key>".');
      if (auth !== 'NONE') throw new UnauthenticatedError();
    }
    return contextOf(viewer, credentials, true);
  }

  #callerOf(credentials: Credentials, auth: AuthKind): IdentifiedViewer {
    if (auth === 'SERVICE') return this.#serviceOf(credentials);
    if (auth === 'BEARER') {
      const key = bearerOf(credentials);
      return key === null ? null : this.#pass(key, credentials);
    }
    if (auth === 'API_KEY' || auth === 'API_KEY_ALONE' || apiKeyOf(credentials) !== null)
      return this.#userOf(credentials);
    // A session that has expired must not stand in the way of opening a new one.
    const token = bearerOf(credentials);
    return token === null ? null : this.#sessionOf(token);
  }

  async #userOf(credentials: Credentials): Promise<Viewer | null> {
    const key = apiKeyOf(credentials);
    const token = bearerOf(credentials);
    if (key === null && token === null) return null;
    const viewer = key === null ? await this.#sessionOf(token ?? '') : await this.#pass(key, credentials);
    if (!viewer) throw new UnauthenticatedError(misplacedCredentials(key, token));
    return viewer;
  }

  /** The viewer behind an API key, whose request is counted; null for a key that opens nothing. */
  #pass(key: string, credentials: Credentials): IdentifiedViewer {
    const { cost, response, address } = credentials;
    const seconds = this.options.anonymous.secondsToWait(address);
    // Keys that were right before go on: others behind the same address may be the ones that are wrong.
    if (seconds > 0 && !this.options.gate.hasAccepted(key)) throw this.#limited(seconds);
    const passage = this.options.gate.pass(key, cost, response?.socket ?? null);
    return thenSync(passage, one => this.#granted(one, credentials));
  }

  #granted(passage: AuthResult | null, { response }: Credentials): Viewer | null {
    if (!passage) return null;
    const { viewer, allowance } = passage;
    if (allowance && response) setRateLimitHeaders(response, allowance);
    if (!allowance || allowance.isGranted) return viewer;
    throw this.#limited(allowance.resetSeconds);
  }

  #limited(seconds: number): RateLimitedError {
    this.options.onLimited();
    return new RateLimitedError(seconds);
  }

  /** Counts a request without valid credentials; throws when its client address has had too many. */
  #countAnonymous({ address }: Credentials): void {
    const seconds = this.options.anonymous.count(address);
    if (seconds > 0) throw this.#limited(seconds);
  }

  /** Wrong credentials are counted, and refused as too many where they are. */
  #refusal(error: unknown, { address }: Credentials): unknown {
    if (!(error instanceof UnauthenticatedError)) return error;
    const seconds = this.options.anonymous.count(address);
    return seconds > 0 ? this.#limited(seconds) : error;
  }

  /** Which of the two issuers may have signed it is told by the algorithm; each takes its own alone. */
  async #sessionOf(token: string): Promise<Viewer | null> {
    const { accounts, issuer, sessions } = this.options;
    const algorithm = algorithmOf(token);
    if (algorithm === 'HS256') return sessions.identify(token);
    if (issuer === null || algorithm === null) return null;
    const email = await issuer.emailOf(token);
    return email === null ? null : accounts.identifyEmail(email);
  }

  /** Users have credentials that are right, and no business here: 403. */
  async #serviceOf(credentials: Credentials): Promise<Viewer | null> {
    const token = bearerOf(credentials);
    if (token !== null && equalInConstantTime(sha256(token), this.#serviceToken))
      return { userId: 0, isAdmin: false, via: 'service' };
    // Nobody's request to count: it is refused in any case.
    const uncounted = { ...credentials, cost: 0 };
    const isKey = token !== null && (await this.#pass(token, uncounted)) !== null;
    if (isKey || (await this.#userOf(uncounted)) !== null) throw new ForbiddenError();
    return null;
  }
}

function contextOf(viewer: Viewer | null, credentials: Credentials, takesBytes: boolean): RequestContext {
  const { address, headers, response } = credentials;
  const origin = () => originOf(headers);
  const wire = response
    ? { origin, address, signal: credentials.signal ?? goneSignal(response), takesBytes }
    : { ...noWire, origin, address };
  return createContext(viewer && address !== undefined ? { ...viewer, address } : viewer, wire);
}

/** As the caller wrote it: what is made of it goes back to the same caller alone. */
function originOf({ host, 'x-forwarded-proto': protocol }: Record<string, unknown>): string {
  if (typeof host !== 'string' || !isHost(host)) return '';
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
}

const isHost = (text: string) => /^[\w.:[\]-]{1,255}$/.test(text);

/** An empty header counts as none; what is no text is a key that nobody has. */
function apiKeyOf({ headers }: Credentials): string | null {
  const key = headers['x-api-key'];
  if (key === undefined || key === null || key === '') return null;
  return typeof key === 'string' ? key : '\0';
}

/** Other schemes are a proxy's business and count as nothing. */
function bearerOf({ headers }: Credentials): string | null {
  const { authorization } = headers;
  const said = typeof authorization === 'string' ? authorization.trim() : '';
  if (said.slice(0, BEARER.length).toLowerCase() !== BEARER) return null;
  return said.slice(BEARER.length).trimStart() || null;
}

const BEARER = 'bearer ';

/** Which header takes the credentials that came in the other one; undefined when they are in their place and wrong. */
function misplacedCredentials(key: string | null, token: string | null): string | undefined {
  if (key !== null && algorithmOf(key) !== null)
    return 'The header X-Api-Key takes an API key. Send a session token as "Authorization: Bearer <token>".';
  if (key === null && token !== null && algorithmOf(token) === null)
    return '"Authorization: Bearer" takes a session token here. Send an API key in the header X-Api-Key.';
  return undefined;
}

function algorithmOf(token: string): string | null {
  if (token.length > MAX_TOKEN) return null;
  try {
    return decodeProtectedHeader(token).alg ?? null;
  } catch {
    return null;
  }
}
