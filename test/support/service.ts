import { createClient } from 'graphql-ws';
import pg from 'pg';
import { WebSocket } from 'ws';
import { startService } from '../../src/app.js';
import type { Config } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { ADMIN_KEY, databaseUrl, testConfig } from './config.js';
import { createDatabase } from './database.js';
import { readPayloadErrors, withPayloadErrors } from './payload-errors.js';

export { createDatabase };

export interface RestAnswer<T = any> {
  status: number;
  headers: Headers;
  body: T;
}

export interface GraphQLAnswer<T = any> {
  data: T;
  errors?: { message: string; extensions: Record<string, any>; path?: (string | number)[] }[];
}

export interface TestService {
  url: string;
  metricsPort: number | null;
  database: string;
  /** The administrator’s key. */
  key: string;
  stop(): Promise<void>;
  /** Numbers of open WebSockets and HTTP subscriptions, and of watchers on the message bus since the start. */
  countOpen(): { sockets: number; streams: number; watchers: number };
  /** Sends a REST request. `body`: an object is sent as JSON, a text or a form unchanged. */
  rest(method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  graphql(query: string, variables?: Record<string, unknown>, key?: string | null): Promise<GraphQLAnswer>;
  /** All values of a subscription until it completes. */
  subscribe(query: string, variables?: Record<string, unknown>, key?: string): AsyncIterableIterator<GraphQLAnswer>;
  /** Creates a user with an API key. */
  createUser(name: string): Promise<{ email: string; key: string }>;
  sql<T = Record<string, any>>(text: string, values?: unknown[]): Promise<T[]>;
}

export interface RestOptions {
  body?: unknown;
  key?: string | null;
  headers?: Record<string, string>;
}

/** The whole service on its own database, listening on a free port. */
export async function startTestService(
  overrides: Partial<Config> = {},
  database?: string,
  log = createLog(process.env.TEST_LOG ?? 'silent'),
): Promise<TestService> {
  const name = database ?? (await createDatabase());
  const service = await startService(testConfig(name, overrides), log);
  const { watchers: ownWatchers } = service.countOpen();
  const pool = new pg.Pool({ connectionString: databaseUrl(name), max: 2 });
  pool.on('error', () => {});
  const url = service.url ?? '';
  return {
    url,
    metricsPort: service.metricsPort,
    database: name,
    key: ADMIN_KEY,
    async stop() {
      await pool.end();
      await service.stop();
    },
    countOpen: () => {
      const { watchers, ...open } = service.countOpen();
      return { ...open, watchers: watchers - ownWatchers };
    },
    rest: (method, path, options = {}) => rest(url, method, path, options),
    graphql: (query, variables, key = ADMIN_KEY) => graphql(url, query, variables, key),
    subscribe: (query, variables = {}, key = ADMIN_KEY) => subscribe(url, query, variables, key),
    async createUser(user) {
      const email = `${user}@example.com`;
      await service.accounts.createUser({ email, name: user });
      return { email, key: await service.accounts.createKey(email, 'test') };
    },
    sql: async (text, values) => (await pool.query(text, values)).rows,
  };
}

async function rest(
  url: string,
  method: string,
  path: string,
  { body, key = ADMIN_KEY, headers = {} }: RestOptions,
): Promise<RestAnswer> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { 'X-Api-Key': key }),
      ...(body !== undefined && !isRaw(body) ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    body: body === undefined || isRaw(body) ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

function isRaw(body: unknown): body is string | FormData {
  return typeof body === 'string' || body instanceof FormData;
}

async function graphql(
  url: string,
  query: string,
  variables: Record<string, unknown> | undefined,
  key: string | null,
): Promise<GraphQLAnswer> {
  const body = { query: withPayloadErrors(query), variables };
  const answer = await rest(url, 'POST', '/graphql', { body, key });
  return readPayloadErrors(answer.body as GraphQLAnswer);
}

function subscribe(
  url: string,
  query: string,
  variables: Record<string, unknown>,
  key: string,
): AsyncIterableIterator<GraphQLAnswer> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-Api-Key': key },
    retryAttempts: 0,
  });
  const values = client.iterate({ query, variables }) as AsyncIterableIterator<GraphQLAnswer>;
  return (async function* () {
    try {
      for await (const value of values) yield value;
    } finally {
      await client.dispose();
    }
  })();
}
