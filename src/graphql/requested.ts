import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { type RootFields, rootFieldsOf } from './root-fields.js';

/** Characters of the persisted queries that one process keeps. */
const MAX_KEPT = 5_000_000;

/** Texts that clients name by their hash once they have sent them (Apollo's automatic persisted queries). */
export class PersistedQueries {
  readonly #texts = new LRUCache<string, string>({
    maxSize: MAX_KEPT,
    sizeCalculation: text => text.length + 1,
  });

  async get(key: string): Promise<string | undefined> {
    return this.#texts.get(key);
  }

  async set(key: string, text: string): Promise<void> {
    this.#texts.set(key, text);
  }

  async delete(key: string): Promise<boolean> {
    return this.#texts.delete(key);
  }
}

/** What an HTTP request asks for: in its body or, by GET, in its address; as a text or by the hash of a kept one. */
export async function requestedBy(request: Request, persisted: PersistedQueries): Promise<RootFields> {
  const sent = (request.method === 'GET' ? request.query : request.body) as Record<string, unknown> | undefined;
  const hash = hashOf(sent?.extensions);
  const query = sent?.query ?? (hash === undefined ? undefined : await persisted.get(`apq:${hash}`));
  return rootFieldsOf({ query, operationName: sent?.operationName });
}

function hashOf(extensions: unknown): string | undefined {
  const read = typeof extensions === 'string' ? jsonOf(extensions) : extensions;
  const hash = (read as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? hash : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Refused by whoever runs the request.
    return undefined;
  }
}
