import type { Configuration, CustomFetch } from 'openid-client';
import type { OidcSettings } from '../platform/config/config.js';
import type { Log } from '../platform/logging/log.js';
import { OutboundError } from '../platform/outbound/errors.js';
import type { Outbound } from '../platform/outbound/outbound.js';

/** The values of one sign-in that the browser keeps between the two requests. */
export interface SignInChecks {
  state: string;
  nonce: string;
  /** PKCE: the secret whose hash the authorization request contains (RFC 7636). */
  verifier: string;
}

/** Claims about the user, as the issuer confirms them. */
export interface OpenIdUser {
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
}

/** `denied`: by the user or the issuer. `refused`: an invalid answer. `unavailable`: the issuer was not reached. */
export type OpenIdFailure = 'denied' | 'refused' | 'unavailable';

/** A failed sign-in at the issuer. */
export class OpenIdError extends Error {
  constructor(readonly failure: OpenIdFailure) {
    super(`sign-in at the issuer: ${failure}`);
  }
}

/** Signs users in at the OpenID Connect issuer of the operator (authorization code with PKCE, state and nonce). */
export interface OpenIdConnect {
  /** Returns the address of the issuer at which the user signs in. Throws an OpenIdError. */
  start(redirectUrl: string): Promise<{ url: string; checks: SignInChecks }>;
  /** Exchanges the code in the address to which the issuer has redirected. Throws an OpenIdError. */
  finish(address: URL, checks: SignInChecks): Promise<OpenIdUser>;
}

const TIMEOUT_SECONDS = 10;
const MAX_BYTES = 1024 * 1024;
/** The metadata of the issuer is loaded again after this time. Its keys are loaded again for an unknown key id. */
const METADATA_MS = 3_600_000;
const NETWORK_CODES = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);

type Library = typeof import('openid-client');

/** Creates the client of the configured issuer. It loads the metadata of the issuer at the first sign-in. */
export function createOpenIdConnect(settings: OidcSettings, outbound: Outbound, log: Log): OpenIdConnect {
  let cached: { configuration: Promise<Configuration>; until: number } | undefined;
  // Loaded by the first sign-in, to save memory in processes without sign-ins.
  let library: Promise<Library> | undefined;
  const load = () => {
    library ??= import('openid-client');
    return library;
  };

  const configurationOf = (client: Library): Promise<Configuration> => {
    const now = performance.now();
    if (cached && cached.until > now) return cached.configuration;
    const configuration = discover(client, settings, outbound);
    cached = { configuration, until: now + METADATA_MS };
    configuration.catch(() => {
      if (cached?.configuration === configuration) cached = undefined;
    });
    return configuration;
  };

  /** The log has the reason of a failure, which is not for users. It contains no code, token or secret. */
  const fail = (client: Library, error: unknown): never => {
    const failure = failureOf(client, error);
    if (failure !== 'denied') log.warn({ failure, ...reasonOf(error) }, 'sign-in by OpenID Connect failed');
    throw new OpenIdError(failure);
  };

  return {
    async start(redirectUrl) {
      const client = await load();
      try {
        const configuration = await configurationOf(client);
        const verifier = client.randomPKCECodeVerifier();
        const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier };
        const url = client.buildAuthorizationUrl(configuration, {
          ...{ redirect_uri: redirectUrl, scope: 'openid email profile', state: checks.state, nonce: checks.nonce },
          ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
        });
        return { url: url.href, checks };
      } catch (error) {
        return fail(client, error);
      }
    },
    async finish(address, { state, nonce, verifier }) {
      const client = await load();
      try {
        const configuration = await configurationOf(client);
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await client.authorizationCodeGrant(configuration, address, checks);
        const claims = tokens.claims()!;
        if (claims.email !== undefined) return toUser(claims);
        // An issuer may leave the email out of the ID token (OpenID Connect Core 1.0, section 5.4).
        return toUser(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub));
      } catch (error) {
        return fail(client, error);
      }
    },
  };
}

function discover(client: Library, settings: OidcSettings, outbound: Outbound): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const execute = [client.enableNonRepudiationChecks];
  // The configuration accepts plain HTTP only for an issuer on the same machine.
  if (issuer.startsWith('http:')) execute.push(client.allowInsecureRequests);
  return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    ...{ execute, timeout: TIMEOUT_SECONDS, [client.customFetch]: createLimitedFetch(outbound) },
  });
}

/** Requests of the library go through the outbound client, with a limit for the size of answers. */
function createLimitedFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outbound.request({
      ...{ method, url, headers, maxResponseBytes: MAX_BYTES, timeoutMs: TIMEOUT_SECONDS * 1000 },
      ...(body == null ? {} : { body: body instanceof Uint8Array ? body : String(body) }),
      signal: signal ?? new AbortController().signal,
    });
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: answer.headerList() });
  };
}

function failureOf(client: Library, error: unknown): OpenIdFailure {
  if (error instanceof client.AuthorizationResponseError) return error.error === 'access_denied' ? 'denied' : 'refused';
  if (error instanceof client.ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'refused';
  // The library reports a fault of an answer with a code, and errors of the network without one.
  const isFault = error instanceof client.ClientError && error.code !== undefined && !NETWORK_CODES.has(error.code);
  return isFault ? 'refused' : 'unavailable';
}

function reasonOf(error: unknown) {
  const { code, error: answer, message, cause } = error as Error & { code?: unknown; error?: unknown };
  return {
    reason: cause instanceof OutboundError ? cause.message : message,
    ...(typeof code === 'string' ? { code } : {}),
    // The error code of the issuer (RFC 6749, section 4.1.2.1), which a forged address may also contain.
    ...(typeof answer === 'string' && /^\w{1,60}$/.test(answer) ? { answer } : {}),
  };
}

function toUser({ email, email_verified: isVerified, name }: Record<string, unknown>): OpenIdUser {
  return {
    email: typeof email === 'string' ? email : null,
    isEmailVerified: isVerified === true,
    name: typeof name === 'string' ? name : null,
  };
}
