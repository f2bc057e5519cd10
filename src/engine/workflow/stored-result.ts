import type { RunResult } from './progress.js';

/** Of a result as it is stored, or was before; entries of a refused run have no status and stay as they are. */
type Entries = Record<string, { id?: string; status?: string } | null>;

/** Leaves out the ids of the entries: they are their names. */
export function toStoredResult(result: RunResult): object {
  const entries = Object.entries(result.data as Entries).map(([name, entry]) => {
    const { id, ...rest } = entry ?? {};
    return [name, id === name ? rest : entry];
  });
  // `fromEntries` makes own members of any name; an assignment to `__proto__` would not.
  return { ...result, data: Object.fromEntries(entries) };
}

export function fromStoredResult<T extends { data: unknown } | null>(stored: T): T {
  const data = stored?.data;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return stored;
  const entries = Object.entries(data as Entries).map(([name, entry]) => [
    name,
    typeof entry?.status === 'string' && entry.id === undefined ? { id: name, ...entry } : entry,
  ]);
  return { ...stored, data: Object.fromEntries(entries) };
}
