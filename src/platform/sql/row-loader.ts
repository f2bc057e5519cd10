import DataLoader from 'dataloader';
import type { RequestContext } from '../requests/context.js';

/** Loads a row by id; null if it does not exist. `read` returns the rows of a list of ids in any order. */
export async function loadRow<T extends { id: number }>(
  context: RequestContext,
  { name, read }: { name: string; read: (ids: readonly number[]) => Promise<T[]> },
  id: number | null,
): Promise<T | null> {
  if (id === null) return null;
  const loader = context.loader<number, T | null>(
    name,
    () =>
      new DataLoader(async ids => {
        const byId = new Map((await read(ids)).map(row => [row.id, row]));
        return ids.map(each => byId.get(each) ?? null);
      }),
  );
  return loader.load(id);
}
