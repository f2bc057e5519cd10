import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { tryParseJson } from '../platform/json/try-parse-json.js';
import type { Safelist } from './safelist.js';

/** Characters of all persisted queries that a process caches. */
const MAX_CHARACTERS = 5_000_000;

/** Apollo's prefix of cache keys. */
const PREFIX = 'apq:';

/** The cache of Apollo's automatic persisted queries: clients send a text once and its hash afterwards. */
export class PersistedQueries {
  constructor(private readonly safelist: Safelist | null) {}

  readonly #texts = new LRUCache<string, string>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: text => text.length + 1,
  });

  async get(key: string): Promise<string | undefined> {
    return this.safelist?.texts.get(key.slice(PREFIX.length)) ?? this.#texts.get(key);
  }

  async set(key: string, text: string): Promise<void> {
    this.#texts.set(key, text);
  }

  async delete(key: string): Promise<boolean> {
    return this.#texts.delete(key);
  }
}

/** The members of a GraphQL request, not validated. */
export interface OperationRequest {
  query: unknown;
  operationName: unknown;
  variables: unknown;
}

/** Reads the operation of an HTTP request from its body or, for GET, its query. A hash is replaced by the persisted text. */
export async function readOperationRequest(request: Request, persisted: PersistedQueries): Promise<OperationRequest> {
  const input = (request.method === 'GET' ? request.query : request.body) as Record<string, unknown> | undefined;
  const hash = hashOf(input?.extensions);
  const query = input?.query ?? (hash === undefined ? undefined : await persisted.get(PREFIX + hash));
  const variables = typeof input?.variables === 'string' ? tryParseJson(input.variables) : input?.variables;
  return { query, operationName: input?.operationName, variables };
}

function hashOf(extensions: unknown): string | undefined {
  const parsed = typeof extensions === 'string' ? tryParseJson(extensions) : extensions;
  const hash = (parsed as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? hash : undefined;
}
