import DataLoader from 'dataloader';
import type { RequestContext } from '../requests/context.js';

/** A row by its id; null where there is no such row. `read` reads the rows of a whole list, in any order. */
export async function rowOf<T extends { id: number }>(
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
