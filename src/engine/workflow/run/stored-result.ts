import type { RunResult } from './progress.js';

/** An entry of a node that succeeded: by far the most frequent one, without its id. */
interface Success {
  status: 'succeed';
  result: { content: string };
}

/** Of a result as it is stored, or was before; entries of a refused run have no status and stay as they are. */
type Entries = Record<string, { id?: string; status?: string } | string | null>;

/** Leaves out the ids of the entries: they are their names. Of a node that succeeded only the content is kept. */
export function toStoredResult(result: RunResult): object {
  const entries = Object.entries(result.data as Entries).map(([name, entry]) => {
    if (typeof entry === 'string' || entry?.id !== name) return [name, entry];
    const { id: _, ...rest } = entry;
    return [name, isSuccess(rest) ? rest.result.content : rest];
  });
  // `fromEntries` makes own members of any name; an assignment to `__proto__` would not.
  return { ...result, data: Object.fromEntries(entries) };
}

export function fromStoredResult<T extends { data: unknown } | null>(stored: T): T {
  const data = stored?.data;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return stored;
  const entries = Object.entries(data as Entries).map(([name, entry]) => {
    if (typeof entry === 'string') return [name, { id: name, status: 'succeed', result: { content: entry } }];
    return [name, typeof entry?.status === 'string' && entry.id === undefined ? { id: name, ...entry } : entry];
  });
  return { ...stored, data: Object.fromEntries(entries) };
}

/** Whether the entry says no more than its content. */
function isSuccess(entry: object): entry is Success {
  const { status, result, ...more } = entry as Partial<Success>;
  if (status !== 'succeed' || typeof result !== 'object' || result === null || Object.keys(more).length > 0)
    return false;
  return typeof result.content === 'string' && Object.keys(result).length === 1;
}
