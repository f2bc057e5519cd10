import type { EntityClass } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import type { Database } from '../../base/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { PartTable } from './scenario-parts.js';

/** Most parts that a nested list of a project holds; the top-level lists have pages. */
export const NESTED_PARTS = 100;

interface Identified {
  id: number;
}

/** The first parts of a project by position, one query for all projects of a list. */
export function partsOfProject<T extends Identified>(
  context: RequestContext,
  database: Database,
  table: PartTable,
  entity: EntityClass<T>,
): DataLoader<number, T[]> {
  return context.loader(`project.${table}`, () =>
    groupLoader(database, entity, async ids =>
      database.query(
        `select "from", "to" from (
           select project_id as "from", id as "to", sort_id, row_number() over (partition by project_id order by sort_id, id) as place
             from ${table} where project_id = any($1::int[]) and scenariorun_id is null) t
          where place <= $2 order by sort_id, "to"`,
        [ids, NESTED_PARTS],
      ),
    ),
  );
}

/** A table that links two parts. */
export interface PartLink {
  table: 'message_prompt' | 'scenario_message';
  from: string;
  to: string;
  /** The table of `to`: its positions order the links. */
  target: PartTable;
}

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
  return database.query<Pair>(
    `select l.${from} as "from", l.${to} as "to" from ${table} l join ${target} t on t.id = l.${to}
      where l.${from} = any($1::int[]) order by t.sort_id, t.id`,
    [ids],
  );
}

/** A loader of lists: `pairs` says which rows belong to which key, in their order. */
export function groupLoader<T extends Identified>(
  database: Database,
  entity: EntityClass<T>,
  pairs: (ids: readonly number[]) => Promise<Pair[]>,
): DataLoader<number, T[]> {
  return new DataLoader<number, T[]>(async ids => {
    const found = await pairs(ids);
    const wanted = [...new Set(found.map(pair => pair.to))];
    const rows = wanted.length === 0 ? [] : await database.orm.em.fork().find(entity, { id: wanted } as never);
    const byId = new Map(rows.map(row => [row.id, row as T]));
    const groups = Map.groupBy(found, pair => pair.from);
    return ids.map(id => (groups.get(id) ?? []).flatMap(pair => byId.get(pair.to) ?? []));
  });
}
