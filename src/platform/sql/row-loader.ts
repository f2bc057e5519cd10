import type { EntityClass } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import type { Database } from '../database/database.js';
import type { RequestContext } from '../requests/context.js';

type Id = number | string;

/** A row by its id; null where there is no such row. `read` reads the rows of a whole list, in any order. */
export function rowOf<T extends { id: number }>(
  context: RequestContext,
  { name, read }: { name: string; read: (ids: readonly number[]) => Promise<T[]> },
  id: number | null,
): Promise<T | null> {
  return loaded(context, name, read as (ids: readonly Id[]) => Promise<T[]>, id);
}

/** An entity by its id, the same way. */
export function entityOf<T extends { id: Id }>(
  context: RequestContext,
  database: Database,
  entity: EntityClass<T>,
  id: Id | null,
): Promise<T | null> {
  const read = (ids: readonly Id[]) => database.orm.em.fork().find(entity, { id: ids } as never) as Promise<T[]>;
  return loaded(context, `entity ${entity.name}`, read, id);
}

async function loaded<T extends { id: Id }>(
  context: RequestContext,
  name: string,
  read: (ids: readonly Id[]) => Promise<T[]>,
  id: Id | null,
): Promise<T | null> {
  if (id === null) return null;
  const loader = context.loader<Id, T | null>(
    name,
    () =>
      new DataLoader(async ids => {
        const byId = new Map((await read(ids)).map(row => [row.id, row]));
        return ids.map(each => byId.get(each) ?? null);
      }),
  );
  return loader.load(id);
}
