import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';
import type { PageSession } from '../identity/session.js';

const ENDPOINT = '/graphql';
/** Close code of a socket whose credentials have expired. */
const CREDENTIALS_EXPIRED = 4403;

function socketUrl(): string {
  const url = new URL(ENDPOINT, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * Creates a fetcher that sends the API key or the token of the session: as a header over HTTP, as `connectionParams` over
 * WebSocket. Headers from the headers editor override it.
 */
export function createFetcher(apiKey: string, session: PageSession | null): Fetcher {
  const identity = async (): Promise<Record<string, string>> => {
    const token = await session?.access();
    if (token != null) return { Authorization: `Bearer ${token}` };
    return session !== null || apiKey === '' ? {} : { 'X-Api-Key': apiKey };
  };
  return async (params, options) => {
    // A client for each request: it closes its socket after its last subscription, so no socket keeps an old key.
    const wsClient = createClient({
      url: socketUrl(),
      connectionParams: async () => ({ ...(await identity()), ...options?.headers }),
      // Errors appear at once, without retries. Only an expired session reconnects once, with a new token.
      retryAttempts: session === null ? 0 : 1,
      retryWait: () => Promise.resolve(),
      shouldRetry: closed => (closed as { code?: unknown }).code === CREDENTIALS_EXPIRED,
    });
    return createGraphiQLFetcher({ url: ENDPOINT, headers: await identity(), wsClient })(params, options);
  };
}
