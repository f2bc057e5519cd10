import DataLoader from 'dataloader';
import type { Database, Sql } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import {
  expression,
  type Generated,
  type QueryCreator,
  queryBuilder,
} from '../../../platform/database/typed-queries.js';
import { type NestedPage, type NestedRows, nestedRows } from '../../../platform/lists/nested-rows.js';
import type { PageArgs } from '../../../platform/lists/page.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { PartReads } from './part-reads.js';
import type { PartColumns, PartTable } from './scenario-parts.js';

interface RowWithId {
  id: number;
}

/** Returns a page of the parts of a project by position, without copies of runs. */
export function partsOfProject<T extends RowWithId>(
  context: RequestContext,
  database: Database,
  reads: PartReads<T>,
  projectId: number,
  page: PageArgs,
): NestedPage<T> {
  return nestedRows(context, database, reads.ofProject, projectId, page);
}

interface LinkSource {
  table: 'message_prompt' | 'scenario_message';
  from: LinkColumn;
  to: LinkColumn;
  /** The table that `to` refers to. Links are ordered by its positions. */
  target: PartTable;
}

/** A table that links two parts. */
export interface PartLink extends LinkSource {
  /** Returns the links of the given ids, by position of their targets. */
  pairs(sql: Sql, ids: readonly number[]): Promise<Pair[]>;
}

type LinkColumn = 'message_id' | 'prompt_id' | 'scenario_id';

/** Each table has two of the columns: `from` and `to` of its `PartLink`. */
export type LinkTables = Record<PartLink['table'], Record<LinkColumn, Generated<number>>>;

type ReadTables = LinkTables & Record<PartTable, Pick<PartColumns, 'id' | 'sort_id'>>;

/** Loads the ids that are linked to a part, by position. */
export function linkedIds(context: RequestContext, database: Database, link: PartLink): DataLoader<number, number[]> {
  return context.loader(
    `${link.table}.${link.to}`,
    () =>
      new DataLoader<number, number[]>(async ids => {
        const pairs = Map.groupBy(await link.pairs(database, ids), pair => pair.from);
        return ids.map(id => (pairs.get(id) ?? []).map(pair => pair.to));
      }),
  );
}

/** Returns a page of the parts that are linked to a part, by position. */
export function linkedPage<T extends RowWithId>(
  context: RequestContext,
  database: Database,
  { link: { table, from, to }, reads }: { link: PartLink; reads: PartReads<T> },
  id: number,
  page: PageArgs,
): NestedPage<T> {
  const list: NestedRows<number, T> = {
    name: `${table}.${to}`,
    parent: 'int',
    rows: (sql, parentId) =>
      reads
        .select(queryBuilder<object>(sql))
        .innerJoin(`${table} as l`, `l.${to}`, 't.id')
        .where(`l.${from}`, '=', parentId)
        .orderBy('t.sort_id')
        .orderBy('t.id'),
  };
  return nestedRows(context, database, list, id, page);
}

/** Loads the parts that are linked to a part, by position. */
export function linkedParts<T extends RowWithId>(
  context: RequestContext,
  database: Database,
  link: PartLink,
  reads: PartReads<T>,
): DataLoader<number, T[]> {
  return context.loader(`${link.table}.${link.to}.rows`, () =>
    groupLoader(
      ids => link.pairs(database, ids),
      ids => reads.byIds(database, ids),
    ),
  );
}

interface Pair {
  from: number;
  to: number;
}

/** Creates a link with its prepared statement. */
export function partLink(source: LinkSource): PartLink {
  const { table, from, to, target } = source;
  const pairs = keyedQuery(
    `${table}-${to}s`,
    (tables: QueryCreator<ReadTables>, value: Placeholder<{ ids: readonly number[] }>) =>
      tables
        .selectFrom(`${table} as l`)
        .innerJoin(`${target} as t`, 't.id', `l.${to}`)
        .select([`l.${from} as from`, `l.${to} as to`])
        .where(`l.${from}`, '=', ({ fn }) => fn.any(expression<number[]>`${value('ids')}::int[]`))
        .orderBy('t.sort_id')
        .orderBy('t.id'),
  );
  return { ...source, pairs: (sql, ids) => pairs(sql, { ids }) };
}

/**
 * Creates a loader of lists. `pairs` returns the keys and row ids in list order; `read` returns the rows in any
 * order.
 */
export function groupLoader<T extends RowWithId>(
  pairs: (ids: readonly number[]) => Promise<Pair[]>,
  read: (ids: readonly number[]) => Promise<T[]>,
): DataLoader<number, T[]> {
  return new DataLoader<number, T[]>(async ids => {
    const links = await pairs(ids);
    const targetIds = [...new Set(links.map(pair => pair.to))];
    const rows = targetIds.length === 0 ? [] : await read(targetIds);
    const byId = new Map(rows.map(row => [row.id, row]));
    const groups = Map.groupBy(links, pair => pair.from);
    return ids.map(id => (groups.get(id) ?? []).flatMap(pair => byId.get(pair.to) ?? []));
  });
}
