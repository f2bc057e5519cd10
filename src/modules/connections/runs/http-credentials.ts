import type { CallContext } from '../../../engine/call-context.js';
import { bytesMasker } from '../../../engine/files/secret-bytes.js';
import { type HttpAnswer, type HttpCaller, type HttpRequest, PortError } from '../../../engine/ports.js';
import { valueMasker } from '../../../engine/secrets.js';
import { matchesHost } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import type { OpenedConnection } from '../connection-store.js';

/** The credentials that a connection adds to a request. */
export interface Credentials {
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Texts that must not appear in answers and messages. */
  secrets: readonly string[];
  /** The access token of OAuth 2. Absent: another kind. */
  token?: string;
}

/** Returns the credentials of a connection. */
export function credentialsOf(connection: OpenedConnection): Credentials {
  const { kind, settings, secret } = connection;
  const value = secret ?? '';
  switch (kind) {
    case 'api_key':
      return keyOf(connection, value);
    case 'basic': {
      const encoded = Buffer.from(`${settings.username ?? ''}:${value}`).toString('base64');
      return { headers: { authorization: `Basic ${encoded}` }, query: {}, secrets: [value, encoded] };
    }
    default:
      return bearer(value);
  }
}

/** Returns the credentials of a token. */
export function bearer(token: string): Credentials {
  return { headers: { authorization: `Bearer ${token}` }, query: {}, secrets: [token], token };
}

function keyOf({ settings }: OpenedConnection, secret: string): Credentials {
  const { placement, keyName = '', keyPrefix = '' } = settings;
  const sent = `${keyPrefix}${secret}`;
  const isQuery = placement === 'query';
  return {
    headers: isQuery ? {} : { [keyName]: sent },
    query: isQuery ? { [keyName]: sent } : {},
    secrets: [secret],
  };
}

/** Returns the address of a request. A path is appended to the base URL. Throws a PortError if its host is not allowed. */
export function addressOf(connection: OpenedConnection, url: string): string {
  const { settings, name, allowedHosts } = connection;
  const isPath = url === '' || url.startsWith('/');
  if (isPath && !settings.baseUrl)
    throw new PortError(
      'invalid_url',
      `the connection ${JSON.stringify(name)} has no base URL: enter a whole URL, or add base_url to its settings`,
      { isFinal: true },
    );
  const address = isPath ? joinUrl(settings.baseUrl!, url) : url;
  if (allowedHosts.some(host => matchesHost(host, address))) return address;
  throw new PortError(
    'host_not_allowed',
    `the connection ${JSON.stringify(name)} may be used for ${allowedHosts.join(', ')} only: add the host to its allowed_hosts, or select another connection`,
    { isFinal: true },
  );
}

function joinUrl(baseUrl: string, path: string): string {
  const base = new URL(baseUrl);
  const [pathname = '', query] = path.split(/\?(.*)/s, 2);
  if (pathname !== '') base.pathname = `${base.pathname.replace(/\/$/, '')}${pathname}`;
  for (const [name, value] of new URLSearchParams(query ?? '')) base.searchParams.append(name, value);
  return base.href;
}

/** Returns the request with credentials. They replace headers and parameters of the same name. */
export function withCredentials(request: HttpRequest, address: string, { headers, query }: Credentials): HttpRequest {
  const { connectionId: _, ...rest } = request;
  const own = new Set(Object.keys(headers).map(name => name.toLowerCase()));
  const kept = Object.entries(request.headers).filter(([name]) => !own.has(name.toLowerCase()));
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { ...rest, url: url.href, headers: { ...Object.fromEntries(kept), ...headers } };
}

/** Sends a request and masks its credentials in the answer or error. */
export async function sendMasked(
  http: HttpCaller,
  request: HttpRequest,
  { secrets }: Credentials,
  call: CallContext,
): Promise<HttpAnswer> {
  try {
    return await maskedAnswer(await http.request(request, call), secrets);
  } catch (error) {
    throw maskedError(error, secrets);
  }
}

/** Masks the credentials in an answer: a server may send them back. */
async function maskedAnswer({ bytes, ...answer }: HttpAnswer, secrets: readonly string[]): Promise<HttpAnswer> {
  const masked = valueMasker(secrets)(answer);
  return bytes ? { ...masked, bytes: await bytesMasker(secrets)(bytes) } : masked;
}

/** Masks the credentials in the message of a failure. */
export function maskedError(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof PortError)) return error;
  const { code, message, usage, isFinal, status } = error;
  return new PortError(code, valueMasker(secrets)(message), {
    isFinal,
    ...(usage ? { usage } : {}),
    ...(status === undefined ? {} : { status }),
  });
}
