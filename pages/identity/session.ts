/** The credentials of a session, as the service answers them. */
interface Tokens {
  access: string;
  refresh: string;
}

interface Payload {
  session?: Tokens | null;
  errors?: { message: string }[];
}

interface Answer {
  data?: Record<string, Payload | null> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Sends a GraphQL operation without credentials. `isLast`: the page is going, nobody waits for the answer. */
export type Ask = (query: string, variables: Record<string, string>, isLast?: boolean) => Promise<Answer>;

export interface LoggedIn {
  email: string;
  /** The access token, renewed when it is about to expire. Null once the session is over. */
  access(): Promise<string | null>;
  /** Logs out. */
  end(isLast?: boolean): Promise<void>;
}

const LOG_IN = `mutation LogIn($email: String!, $password: String!) {
  sessionCreate(email: $email, password: $password) { session { access refresh } errors { message } }
}`;
const RENEW =
  'mutation Renew($refresh: String!) { sessionRefresh(refresh: $refresh) { session { access refresh } errors { message } } }';
const LOG_OUT = 'mutation LogOut($refresh: String!) { sessionEnd(refresh: $refresh) { isEnded } }';

/** A token with less life than this is renewed before it is used. */
const MARGIN_MS = 30_000;

/**
 * Opens a session. Its tokens are held here, in the memory of the page, and nowhere else: a reload forgets them, and no
 * other tab can spend the refresh token a second time, which would end the session.
 */
export async function logIn(ask: Ask, email: string, password: string, onEnd: () => void): Promise<LoggedIn> {
  let tokens: Tokens | null = tokensOf(await ask(LOG_IN, { email, password }), 'sessionCreate');
  let freshUntil = freshness(tokens);
  let renewal: Promise<void> | undefined;

  /** Whoever asks meanwhile waits for the same answer. A network that is away is reported and may be tried again. */
  async function renew(refresh: string): Promise<void> {
    const answer = await ask(RENEW, { refresh });
    // Logged out while the answer was under way.
    if (tokens === null) return;
    if (answer.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) {
      tokens = null;
      onEnd();
      return;
    }
    tokens = tokensOf(answer, 'sessionRefresh');
    freshUntil = freshness(tokens);
  }

  return {
    email,
    async access() {
      if (tokens !== null && Date.now() >= freshUntil) {
        renewal ??= renew(tokens.refresh).finally(() => {
          renewal = undefined;
        });
        await renewal;
      }
      return tokens?.access ?? null;
    },
    async end(isLast) {
      const refresh = tokens?.refresh;
      tokens = null;
      if (refresh !== undefined) await ask(LOG_OUT, { refresh }, isLast);
    },
  };
}

function tokensOf({ data, errors }: Answer, field: string): Tokens {
  const payload = data?.[field];
  const [error] = payload?.errors ?? errors ?? [];
  if (!payload?.session) throw new Error(error?.message ?? 'The service answered nothing.');
  return payload.session;
}

/** Until when a token may be used, by this clock: how long it lives is told by the service's own. */
function freshness({ access }: Tokens): number {
  const [, payload = ''] = access.split('.');
  const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as {
    iat: number;
    exp: number;
  };
  return Date.now() + (exp - iat) * 1000 - MARGIN_MS;
}
