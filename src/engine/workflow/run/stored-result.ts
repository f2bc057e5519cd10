import type { RunResult } from './progress.js';

/** Entry of a succeeded node without its id. It is by far the most frequent form. */
interface Success {
  status: 'succeed';
  result: { content: string };
}

/** Entries of a result in stored or original form. Entries of a rejected run have no status and are not changed. */
type Entries = Record<string, { id?: string; status?: string } | string | null>;

/**
 * Compacts a result for storage: omits the ids of entries, which are their keys, and keeps only the content of
 * succeeded nodes.
 */
export function toStoredResult(result: RunResult): object {
  const entries = Object.entries(result.data as Entries).map(([name, entry]) => {
    if (typeof entry === 'string' || entry?.id !== name) return [name, entry];
    const { id: _, ...rest } = entry;
    return [name, isSuccess(rest) ? rest.result.content : rest];
  });
  // `Object.fromEntries` creates own properties of any name. An assignment to `__proto__` would not.
  return { ...result, data: Object.fromEntries(entries) };
}

/** Restores the original form of a stored result. */
export function fromStoredResult<T extends { data: unknown } | null>(stored: T): T {
  const data = stored?.data;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return stored;
  const entries = Object.entries(data as Entries).map(([name, entry]) => {
    if (typeof entry === 'string') return [name, { id: name, status: 'succeed', result: { content: entry } }];
    return [name, typeof entry?.status === 'string' && entry.id === undefined ? { id: name, ...entry } : entry];
  });
  return { ...stored, data: Object.fromEntries(entries) };
}

/** Returns true if the entry contains nothing but its content. */
function isSuccess(entry: object): entry is Success {
  const { status, result, ...more } = entry as Partial<Success>;
  if (status !== 'succeed' || typeof result !== 'object' || result === null || Object.keys(more).length > 0)
    return false;
  return typeof result.content === 'string' && Object.keys(result).length === 1;
}
