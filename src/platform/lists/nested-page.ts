import type { EntityClass } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import type { Database, Sql } from '../database/database.js';
import type { RequestContext } from '../requests/context.js';
import { type PageArgs, window } from './page.js';

/** A list that every item of another list has, in SQL. */
export interface NestedList<T> {
  /** Unique among these lists. */
  name: string;
  /** What the ids of the items around are. */
  parent: 'int' | 'uuid';
  columns: string;
  /** Tables, with a condition that ties them to `parent.id`. */
  from: string;
  order: string;
  /** `$2` and so on of `from`. */
  values?: unknown[];
  /** Makes items of rows, in their order; without it rows are items. */
  itemsOf?(rows: readonly object[]): Promise<T[]>;
}

/** A page whose items and total are read when they are asked for. */
export interface NestedPage<T> extends PageArgs {
  readonly items: Promise<T[]>;
  readonly total: Promise<number>;
}

/** One page of the list of one parent. The pages of all parents are one statement, their totals another one. */
export function nestedPage<T>(
  context: RequestContext,
  sql: Sql,
  list: NestedList<T>,
  parent: number | string,
  { page, size }: PageArgs,
): NestedPage<T> {
  const { limit, offset } = window({ page, size });
  const name = JSON.stringify([list.name, list.values, list.order]);
  return {
    page,
    size,
    get items() {
      const loader = () => new DataLoader((parents: Parents) => readItems(sql, list, parents, limit, offset));
      return context.loader(`${name} ${limit} ${offset}`, loader).load(parent);
    },
    get total() {
      return context
        .loader(name, () => new DataLoader((parents: Parents) => readTotals(sql, list, parents)))
        .load(parent);
    },
  };
}

/** Items that are entities: the rows bring their ids. */
export function entitiesOf<T extends { id: number }>(database: Database, entity: EntityClass<T>) {
  return async (rows: readonly { id: number }[]): Promise<T[]> => {
    const ids = [...new Set(rows.map(({ id }) => id))];
    const found = ids.length === 0 ? [] : await database.orm.em.fork().find(entity, { id: ids } as never);
    const byId = new Map(found.map(each => [each.id, each as T]));
    return rows.map(({ id }) => byId.get(id)!);
  };
}

type Parents = readonly (number | string)[];
type ParentRow = { parentId: number | string };

async function readItems<T>(
  sql: Sql,
  { parent, columns, from, order, values = [], itemsOf }: NestedList<T>,
  parents: Parents,
  limit: number,
  offset: number,
): Promise<T[][]> {
  const last = values.length + 1;
  const rows = await sql.query<ParentRow & T>(
    `select parent.id as "parentId", item.* from unnest($1::${parent}[]) as parent(id)
      cross join lateral (select ${columns} from ${from} order by ${order} limit $${last + 1} offset $${last + 2}) item`,
    [parents, ...values, limit, offset],
  );
  const items = itemsOf ? await itemsOf(rows) : rows;
  const places = Map.groupBy(rows.keys(), at => rows[at]!.parentId);
  return parents.map(id => (places.get(id) ?? []).flatMap(at => items[at] ?? []));
}

async function readTotals(
  sql: Sql,
  { parent, from, values = [] }: NestedList<unknown>,
  parents: Parents,
): Promise<number[]> {
  const rows = await sql.query<ParentRow & { total: number }>(
    `select parent.id as "parentId", (select count(*)::int from ${from}) as total from unnest($1::${parent}[]) as parent(id)`,
    [parents, ...values],
  );
  const totals = new Map(rows.map(({ parentId, total }) => [parentId, total]));
  return parents.map(id => totals.get(id) ?? 0);
}
