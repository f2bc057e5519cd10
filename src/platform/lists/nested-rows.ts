import DataLoader from 'dataloader';
import type { SelectQueryBuilder } from 'kysely';
import type { Database, Sql } from '../database/database.js';
import { type Placeholder, preparedQuery } from '../database/prepared-queries.js';
import { type Expression, expression, queryBuilder } from '../database/typed-queries.js';
import type { RequestContext } from '../requests/context.js';
import { type PageArgs, toLimitOffset } from './page.js';

/** A page whose items and total are read on demand. */
export interface NestedPage<T> extends PageArgs {
  readonly items: Promise<T[]>;
  readonly total: Promise<number>;
}

/** Describes a list that each item of another list has. */
export interface NestedRows<Id extends number | string, Row, Item = Row> {
  /** Unique among nested lists; includes the filters of the rows. */
  name: string;
  /** The type of the parents' ids. */
  parent: Id extends number ? 'int' : 'uuid';
  /** Builds the query of all rows of one parent in their order, with `sql`. */
  // biome-ignore lint/suspicious/noExplicitAny: each list reads its own tables.
  rows(sql: Sql, parentId: Expression<Id>): SelectQueryBuilder<any, any, Row>;
  /**
   * Whether the statements are prepared once instead of compiled for every request. Only for a constant whose rows depend on nothing but
   * the parent.
   */
  isPrepared?: true;
  /** Converts rows to items, in the same order. Default: rows are items. */
  itemsOf?(rows: readonly Row[]): Promise<Item[]>;
}

/**
 * Returns one page of the list of one parent. One statement reads the pages of all parents, another one their totals.
 */
export function nestedRows<Id extends number | string, Row, Item = Row>(
  context: RequestContext,
  sql: Database,
  list: NestedRows<Id, Row, Item>,
  parent: Id,
  { page, size }: PageArgs,
): NestedPage<Item> {
  const { limit, offset } = toLimitOffset({ page, size });
  return {
    page,
    size,
    get items() {
      const loader = () => new DataLoader((parents: readonly Id[]) => readItems(sql, list, { parents, limit, offset }));
      return context.loader(`${list.name} ${limit} ${offset}`, loader).load(parent);
    },
    get total() {
      const loader = () => new DataLoader((parents: readonly Id[]) => readTotals(sql, list, parents));
      return context.loader(`${list.name} total`, loader).load(parent);
    },
  };
}

async function readItems<Id extends number | string, Row, Item>(
  sql: Database,
  list: NestedRows<Id, Row, Item>,
  pages: Pages<Id>,
): Promise<Item[][]> {
  const rows = list.isPrepared
    ? await statementsOf(sql, list).items(sql, pages)
    : await itemsQuery(sql, list, pages).execute();
  const items = list.itemsOf ? await list.itemsOf(rows) : (rows as unknown as Item[]);
  const indexes = Map.groupBy(rows.keys(), index => rows[index]!.parentId);
  return pages.parents.map(id => (indexes.get(id) ?? []).flatMap(index => items[index] ?? []));
}

async function readTotals<Id extends number | string>(
  sql: Database,
  list: NestedRows<Id, unknown, unknown>,
  parents: readonly Id[],
): Promise<number[]> {
  const rows = list.isPrepared
    ? await statementsOf(sql, list).totals(sql, { parents })
    : await totalsQuery(sql, list, parents).execute();
  const totals = new Map(rows.map(({ parentId, total }) => [parentId, total]));
  return parents.map(id => totals.get(id) ?? 0);
}

interface Pages<Id> {
  parents: readonly Id[];
  limit: number;
  offset: number;
}

/** Values, or placeholders in a prepared statement. */
type PageParameters<Id> = Pages<Id> | { [Name in keyof Pages<Id>]: Expression<Pages<Id>[Name]> };

interface PreparedStatements<Id, Row> {
  items(sql: Database, pages: Pages<Id>): Promise<RowOfParent<Id, Row>[]>;
  totals(sql: Database, pages: Pick<Pages<Id>, 'parents'>): Promise<RowOfParent<Id, { total: number }>[]>;
}

type RowOfParent<Id, Row> = Row & { parentId: Id };

const preparedStatements = new WeakMap<object, unknown>();

function statementsOf<Id extends number | string, Row>(
  sql: Database,
  list: NestedRows<Id, Row, unknown>,
): PreparedStatements<Id, Row> {
  const statements = preparedStatements.get(list) ?? {
    items: preparedQuery(`${list.name}-items`, (_tables, value: Placeholder<Pages<Id>>) =>
      itemsQuery(sql, list, { parents: value('parents'), limit: value('limit'), offset: value('offset') }),
    ),
    totals: preparedQuery(`${list.name}-totals`, (_tables, value: Placeholder<Pages<Id>>) =>
      totalsQuery(sql, list, value('parents')),
    ),
  };
  preparedStatements.set(list, statements);
  return statements as PreparedStatements<Id, Row>;
}

function itemsQuery<Id extends number | string, Row>(
  sql: Sql,
  list: NestedRows<Id, Row, unknown>,
  { parents, limit, offset }: PageParameters<Id>,
) {
  return parentsOf(sql, list, parents)
    .innerJoinLateral(list.rows(sql, PARENT_ID).limit(limit).offset(offset).as('item'), join => join.onTrue())
    .select('parent.id as parentId')
    .selectAll('item')
    .$castTo<RowOfParent<Id, Row>>();
}

function totalsQuery<Id extends number | string>(
  sql: Sql,
  list: NestedRows<Id, unknown, unknown>,
  parents: PageParameters<Id>['parents'],
) {
  const count = list
    .rows(sql, PARENT_ID)
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'));
  return parentsOf(sql, list, parents)
    .select(['parent.id as parentId', expression<number>`${count}`.as('total')])
    .$castTo<RowOfParent<Id, { total: number }>>();
}

// biome-ignore lint/suspicious/noExplicitAny: the type of the ids depends on the list.
const PARENT_ID = expression.ref<any>('parent.id');

function parentsOf<Id extends number | string>(
  sql: Sql,
  { parent }: NestedRows<Id, unknown, unknown>,
  ids: PageParameters<Id>['parents'],
) {
  const type = expression.raw(parent);
  const parents = expression<{ id: Id }>`unnest(${ids}::${type}[])`;
  return queryBuilder<object>(sql).selectFrom(parents.as<'parent'>(expression`parent(id)`));
}
