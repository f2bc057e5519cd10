import DataLoader from 'dataloader';
import type { SelectQueryBuilder } from 'kysely';
import type { Sql } from '../database/database.js';
import { type Expression, expression, queries } from '../database/typed-queries.js';
import type { RequestContext } from '../requests/context.js';
import { type PageArgs, window } from './page.js';

/** A page whose items and total are read when they are asked for. */
export interface NestedPage<T> extends PageArgs {
  readonly items: Promise<T[]>;
  readonly total: Promise<number>;
}

/** A list that every item of another list has. */
export interface NestedRows<Id extends number | string, Row, Item = Row> {
  /** Unique among these lists, with what its rows are filtered by. */
  name: string;
  /** The type of the ids of the parents. */
  parent: Id extends number ? 'int' : 'uuid';
  /** All rows of one parent in their order; `sql` builds the query. */
  // biome-ignore lint/suspicious/noExplicitAny: a list reads tables of its own.
  rows(sql: Sql, parentId: Expression<Id>): SelectQueryBuilder<any, any, Row>;
  /** Makes items of rows, in their order; without it rows are items. */
  itemsOf?(rows: readonly Row[]): Promise<Item[]>;
}

/** One page of the list of one parent. The pages of all parents are one statement, their totals another one. */
export function nestedRows<Id extends number | string, Row, Item = Row>(
  context: RequestContext,
  sql: Sql,
  list: NestedRows<Id, Row, Item>,
  parent: Id,
  { page, size }: PageArgs,
): NestedPage<Item> {
  const { limit, offset } = window({ page, size });
  return {
    page,
    size,
    get items() {
      const loader = () => new DataLoader((parents: readonly Id[]) => readItems(sql, list, parents, limit, offset));
      return context.loader(`${list.name} ${limit} ${offset}`, loader).load(parent);
    },
    get total() {
      const loader = () => new DataLoader((parents: readonly Id[]) => readTotals(sql, list, parents));
      return context.loader(`${list.name} total`, loader).load(parent);
    },
  };
}

async function readItems<Id extends number | string, Row, Item>(
  sql: Sql,
  list: NestedRows<Id, Row, Item>,
  parents: readonly Id[],
  limit: number,
  offset: number,
): Promise<Item[][]> {
  const read = parentsOf(sql, list, parents)
    .innerJoinLateral(list.rows(sql, PARENT_ID).limit(limit).offset(offset).as('item'), join => join.onTrue())
    .select('parent.id as parentId')
    .selectAll('item');
  const rows = (await read.execute()) as (Row & { parentId: Id })[];
  const items = list.itemsOf ? await list.itemsOf(rows) : (rows as unknown as Item[]);
  const places = Map.groupBy(rows.keys(), at => rows[at]!.parentId);
  return parents.map(id => (places.get(id) ?? []).flatMap(at => items[at] ?? []));
}

async function readTotals<Id extends number | string>(
  sql: Sql,
  list: NestedRows<Id, unknown, unknown>,
  parents: readonly Id[],
): Promise<number[]> {
  const count = list
    .rows(sql, PARENT_ID)
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'));
  const rows = await parentsOf(sql, list, parents)
    .select(['parent.id as parentId', expression<number>`${count}`.as('total')])
    .execute();
  const totals = new Map(rows.map(({ parentId, total }) => [parentId as Id, total]));
  return parents.map(id => totals.get(id) ?? 0);
}

// biome-ignore lint/suspicious/noExplicitAny: the type of the ids is the list's.
const PARENT_ID = expression.ref<any>('parent.id');

function parentsOf<Id extends number | string>(
  sql: Sql,
  { parent }: NestedRows<Id, unknown, unknown>,
  ids: readonly Id[],
) {
  const type = expression.raw(parent);
  const parents = expression<{ id: Id }>`unnest(${ids}::${type}[])`;
  return queries<object>(sql).selectFrom(parents.as<'parent'>(expression`parent(id)`));
}
