/** The credentials of a session, as the service returns them. */
interface Tokens {
  access: string;
  refresh: string;
}

interface Payload {
  session?: Tokens | null;
  errors?: { message: string }[];
}

interface OperationResult {
  data?: Record<string, Payload | null> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Sends a GraphQL operation without credentials. `isUnloading`: the page is being closed, so the request must outlive it. */
export type SendOperation = (
  query: string,
  variables: Record<string, string>,
  isUnloading?: boolean,
) => Promise<OperationResult>;

export interface PageSession {
  /** Email with which the user logged in. */
  email: string;
  /** Returns the access token, which is renewed if it is about to expire. Null: the session has ended. */
  access(): Promise<string | null>;
  /** Logs out. `isUnloading`: the page is being closed. */
  end(isUnloading?: boolean): Promise<void>;
}

const LOG_IN = `mutation LogIn($email: String!, $password: String!) {
  sessionCreate(email: $email, password: $password) { session { access refresh } errors { message } }
}`;
const RENEW =
  'mutation Renew($refresh: String!) { sessionRefresh(refresh: $refresh) { session { access refresh } errors { message } } }';
const LOG_OUT = 'mutation LogOut($refresh: String!) { sessionEnd(refresh: $refresh) { isEnded } }';

/** A token is renewed when less than this time remains until it expires. */
const RENEWAL_MARGIN_MS = 30_000;

/**
 * Logs in and returns the session. Throws an Error with the message of the service if the login fails. Tokens stay in the
 * memory of the page: using a refresh token twice ends the session, so tabs must not share it. `onEnd` is called if the
 * service refuses to renew the session.
 */
export async function logIn(
  send: SendOperation,
  email: string,
  password: string,
  onEnd: () => void,
): Promise<PageSession> {
  let tokens: Tokens | null = tokensOf(await send(LOG_IN, { email, password }), 'sessionCreate');
  let freshUntil = freshUntilOf(tokens);
  /** The renewal in progress, which concurrent callers of `access` share. After a network error the next caller tries again. */
  let renewal: Promise<void> | undefined;

  async function renew(refresh: string): Promise<void> {
    const answer = await send(RENEW, { refresh });
    // The user logged out during the request.
    if (tokens === null) return;
    if (answer.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) {
      tokens = null;
      onEnd();
      return;
    }
    tokens = tokensOf(answer, 'sessionRefresh');
    freshUntil = freshUntilOf(tokens);
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
    async end(isUnloading) {
      const refresh = tokens?.refresh;
      tokens = null;
      if (refresh !== undefined) await send(LOG_OUT, { refresh }, isUnloading);
    },
  };
}

function tokensOf({ data, errors }: OperationResult, field: string): Tokens {
  const payload = data?.[field];
  const [error] = payload?.errors ?? errors ?? [];
  if (!payload?.session) throw new Error(error?.message ?? 'The service returned no session.');
  return payload.session;
}

/**
 * Returns the time of this computer until which the token is used, in milliseconds since 1970. The lifetime is computed from
 * two times of the service, because the clocks may differ.
 */
function freshUntilOf({ access }: Tokens): number {
  const [, payload = ''] = access.split('.');
  const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as {
    iat: number;
    exp: number;
  };
  return Date.now() + (exp - iat) * 1000 - RENEWAL_MARGIN_MS;
}
