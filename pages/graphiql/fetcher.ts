import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';
import type { LoggedIn } from '../identity/session.js';

const ENDPOINT = '/graphql';
/** The service ends a socket with this code once what opened it has expired. */
const EXPIRED = 4403;

function socketUrl(): string {
  const url = new URL(ENDPOINT, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * The key or the session's token travels as a header on HTTP and as connectionParams on the socket. What the headers
 * editor holds is laid over it in both, so that another one can be tried without forgetting the first.
 */
export function createFetcher(apiKey: string, session: LoggedIn | null): Fetcher {
  const identity = async (): Promise<Record<string, string>> => {
    const token = await session?.access();
    if (token != null) return { Authorization: `Bearer ${token}` };
    return session !== null || apiKey === '' ? {} : { 'X-Api-Key': apiKey };
  };
  return async (params, options) => {
    // The client opens its socket with the subscription and closes it with the last one: none lingers under an old key.
    const wsClient = createClient({
      url: socketUrl(),
      connectionParams: async () => ({ ...(await identity()), ...options?.headers }),
      // A person is watching: a refusal shows at once instead of after half a minute of quiet retries. A session goes on
      // under its next token; from one connection to the next it has one more try.
      retryAttempts: session === null ? 0 : 1,
      retryWait: () => Promise.resolve(),
      shouldRetry: closed => (closed as { code?: unknown }).code === EXPIRED,
    });
    return createGraphiQLFetcher({ url: ENDPOINT, headers: await identity(), wsClient })(params, options);
  };
}
