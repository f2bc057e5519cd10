import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface AuthorizationServer {
  origin: string;
  /** Grant types of the successful token requests, oldest first. */
  grants: string[];
  /** Whether it issued the access token and the token has not expired. */
  isValid(token: string): Promise<boolean>;
  /** Signs a user in (`ada`) and consents, as a browser does. Returns the parameters of the redirect. */
  authorize(url: string, login?: string): Promise<{ state: string; code: string }>;
  stop(): Promise<void>;
}

export const REDIRECT = 'http://127.0.0.1:9/connections/authorized';
export const CLIENT = { id: 'scenarium', secret: 'a secret+of/the:client' };

/**
 * Starts the npm package `oidc-provider` on loopback: PKCE is required, refresh tokens rotate. With `redirects` its first
 * client signs users in to the console instead of authorizing connections.
 */
export async function startAuthorizationServer(
  accessTokenSeconds = 3_600,
  redirects?: string[],
): Promise<AuthorizationServer> {
  const server = http.createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = { scope: 'read', accessTokenTTL: accessTokenSeconds, audience: origin };
  const provider = new Provider(origin, {
    clients: [
      {
        ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirects ?? [REDIRECT] },
        ...{ grant_types: ['authorization_code', 'refresh_token', 'client_credentials'], response_types: ['code'] },
      },
      {
        ...{ client_id: 'post', client_secret: CLIENT.secret, redirect_uris: [REDIRECT] },
        ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
        token_endpoint_auth_method: 'client_secret_post',
      },
      {
        ...{ client_id: 'public', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
        ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // A token for another resource cannot read the claims of a user.
        defaultResource: () => (redirects ? undefined : origin),
        useGrantedResource: () => true,
        getResourceServerInfo: () => resource,
      },
    },
    scopes: ['openid', 'offline_access', 'read'],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    issueRefreshToken: () => true,
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => claimsOf(id) }),
  });
  const grants: string[] = [];
  provider.on('grant.success', ({ oidc }: any) => grants.push(oidc.params.grant_type));
  server.on('request', provider.callback());
  return {
    origin,
    grants,
    isValid: async token => (await provider.AccessToken.find(token))?.isValid ?? false,
    authorize: (url, login = 'ada') => visit(url, login, redirects ?? [REDIRECT]),
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/**
 * The domain contains a capital letter, because emails must be compared without case. The email of `unverified` is not
 * verified; that of `foreign_domain` has another domain.
 */
function claimsOf(id: string) {
  const domain = id === 'foreign_domain' ? 'elsewhere.example' : 'Example.com';
  return { sub: id, name: id, email: `${id}@${domain}`, email_verified: id !== 'unverified' };
}

/** Follows redirects with cookies, and submits the forms of the server: sign-in, then consent. */
async function visit(start: string, login: string, redirects: string[]): Promise<{ state: string; code: string }> {
  const cookies = new Map<string, string>();
  let [url, body]: [string, URLSearchParams | undefined] = [start, undefined];
  for (let steps = 0; steps < 20; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const method = body ? 'POST' : 'GET';
    const answer: Response = await fetch(url, { method, body, redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';', 1)[0]!.split('=', 2);
      cookies.set(name, value);
    }
    const page = await answer.text();
    const location = answer.headers.get('location');
    if (location !== null) {
      [url, body] = [new URL(location, url).href, undefined];
      if (redirects.some(redirect => url.startsWith(redirect)))
        return Object.fromEntries(new URL(url).searchParams) as never;
      continue;
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (!action || !prompt) throw new Error(`${answer.status} at ${url}: ${page.slice(0, 2000)}`);
    [url, body] = [new URL(action, url).href, new URLSearchParams({ prompt, login, password: 'x' })];
  }
  throw new Error('too many redirects');
}
