import type { EntityClass } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import type { Database } from '../../../platform/database/database.js';
import { expression, type Generated, queries } from '../../../platform/database/typed-queries.js';
import { type NestedPage, type NestedRows, nestedRows } from '../../../platform/lists/nested-rows.js';
import type { PageArgs } from '../../../platform/lists/page.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { PartTable } from './scenario-parts.js';

interface Identified {
  id: number;
}

/** A page of the parts of a project by position; copies of runs are left out. */
export function partsOfProject<T extends Identified>(
  context: RequestContext,
  database: Database,
  { table, entity }: { table: PartTable; entity: EntityClass<T> },
  projectId: number,
  page: PageArgs,
): NestedPage<T> {
  const list: NestedRows<number, Identified, T> = {
    name: `project.${table}`,
    parent: 'int',
    rows: (sql, parentId) =>
      queries<ReadTables>(sql)
        .selectFrom(`${table} as t`)
        .select('t.id')
        .where('t.project_id', '=', parentId)
        .where('t.scenariorun_id', 'is', null)
        .orderBy('t.sort_id')
        .orderBy('t.id'),
    itemsOf: entitiesOf(database, entity),
  };
  return nestedRows(context, database, list, projectId, page);
}

/** A table that links two parts. */
export interface PartLink {
  table: 'message_prompt' | 'scenario_message';
  from: LinkColumn;
  to: LinkColumn;
  /** The table of `to`: its positions order the links. */
  target: PartTable;
}

type LinkColumn = 'message_id' | 'prompt_id' | 'scenario_id';

/** A link has two of the columns, which its `PartLink` names. */
export type LinkTables = Record<PartLink['table'], Record<LinkColumn, Generated<number>>>;

interface PartColumns {
  id: number;
  sort_id: number;
  project_id: number | null;
  scenariorun_id: number | null;
}

type ReadTables = LinkTables & Record<PartTable, PartColumns>;

/** The ids that are linked to a part, by position. */
export function linkedIds(context: RequestContext, database: Database, link: PartLink): DataLoader<number, number[]> {
  return context.loader(
    `${link.table}.${link.to}`,
    () =>
      new DataLoader<number, number[]>(async ids => {
        const pairs = Map.groupBy(await readLinks(database, link, ids), pair => pair.from);
        return ids.map(id => (pairs.get(id) ?? []).map(pair => pair.to));
      }),
  );
}

/** A page of the parts that are linked to a part, by position. */
export function linkedPage<T extends Identified>(
  context: RequestContext,
  database: Database,
  { link: { table, from, to, target }, entity }: { link: PartLink; entity: EntityClass<T> },
  id: number,
  page: PageArgs,
): NestedPage<T> {
  const list: NestedRows<number, Identified, T> = {
    name: `${table}.${to}`,
    parent: 'int',
    rows: (sql, parentId) =>
      queries<ReadTables>(sql)
        .selectFrom(`${table} as l`)
        .innerJoin(`${target} as t`, 't.id', `l.${to}`)
        .select('t.id')
        .where(`l.${from}`, '=', parentId)
        .orderBy('t.sort_id')
        .orderBy('t.id'),
    itemsOf: entitiesOf(database, entity),
  };
  return nestedRows(context, database, list, id, page);
}

/** The parts that are linked to a part, by position. */
export function linkedParts<T extends Identified>(
  context: RequestContext,
  database: Database,
  link: PartLink,
  entity: EntityClass<T>,
): DataLoader<number, T[]> {
  return context.loader(`${link.table}.${link.to}.rows`, () =>
    groupLoader(database, entity, ids => readLinks(database, link, ids)),
  );
}

interface Pair {
  from: number;
  to: number;
}

function readLinks(database: Database, { table, from, to, target }: PartLink, ids: readonly number[]): Promise<Pair[]> {
  return queries<ReadTables>(database)
    .selectFrom(`${table} as l`)
    .innerJoin(`${target} as t`, 't.id', `l.${to}`)
    .select([`l.${from} as from`, `l.${to} as to`])
    .where(`l.${from}`, '=', ({ fn }) => fn.any(expression<number[]>`${ids}::int[]`))
    .orderBy('t.sort_id')
    .orderBy('t.id')
    .execute();
}

/** A loader of lists: `pairs` says which rows belong to which key, in their order; `lazy` which lazy members they bring. */
export function groupLoader<T extends Identified>(
  database: Database,
  entity: EntityClass<T>,
  pairs: (ids: readonly number[]) => Promise<Pair[]>,
  lazy: readonly string[] = [],
): DataLoader<number, T[]> {
  return new DataLoader<number, T[]>(async ids => {
    const found = await pairs(ids);
    const wanted = [...new Set(found.map(pair => pair.to))];
    const rows =
      wanted.length === 0
        ? []
        : await database.orm.em.fork().find(entity, { id: wanted } as never, { populate: lazy as never });
    const byId = new Map(rows.map(row => [row.id, row as T]));
    const groups = Map.groupBy(found, pair => pair.from);
    return ids.map(id => (groups.get(id) ?? []).flatMap(pair => byId.get(pair.to) ?? []));
  });
}

/** Items that are entities: the rows bring their ids. */
function entitiesOf<T extends { id: number }>(database: Database, entity: EntityClass<T>) {
  return async (rows: readonly { id: number }[]): Promise<T[]> => {
    const ids = [...new Set(rows.map(({ id }) => id))];
    const found = ids.length === 0 ? [] : await database.orm.em.fork().find(entity, { id: ids } as never);
    const byId = new Map(found.map(each => [each.id, each as T]));
    return rows.map(({ id }) => byId.get(id)!);
  };
}
