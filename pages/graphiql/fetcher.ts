import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';

const ENDPOINT = '/graphql';

function socketUrl(): string {
  const url = new URL(ENDPOINT, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * The key travels as a header on HTTP and as connectionParams on the socket. What the headers editor holds is laid over
 * it in both, so that a session token can be tried without forgetting the key.
 */
export function createFetcher(apiKey: string): Fetcher {
  const identity: Record<string, string> = apiKey === '' ? {} : { 'X-Api-Key': apiKey };
  return (params, options) => {
    // The client opens its socket with the subscription and closes it with the last one: none lingers under an old key.
    const wsClient = createClient({
      url: socketUrl(),
      connectionParams: { ...identity, ...options?.headers },
      // A person is watching: a refusal shows at once instead of after half a minute of quiet retries.
      retryAttempts: 0,
    });
    return createGraphiQLFetcher({ url: ENDPOINT, headers: identity, wsClient })(params, options);
  };
}
