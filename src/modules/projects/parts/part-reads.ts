import type { Sql } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import {
  anyInt,
  expression,
  type QueryCreator,
  queryBuilder,
  type SelectQueryBuilder,
} from '../../../platform/database/typed-queries.js';
import { NotFoundError } from '../../../platform/errors/errors.js';
import type { NestedRows } from '../../../platform/lists/nested-rows.js';
import type { Viewer } from '../../accounts/viewer.js';
import { assertAllowed } from '../access.js';
import { type PartTable, partRole } from './scenario-parts.js';

/** A query of rows `t` of one kind of parts. The module of the table defines its columns. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type PartQuery<T> = SelectQueryBuilder<any, any, T>;

interface PartSource<T> {
  table: PartTable;
  /** Selects the rows `t` for lists, without payloads. */
  // biome-ignore lint/suspicious/noExplicitAny: the tables are those of a module above.
  select(tables: QueryCreator<any>): PartQuery<T>;
  /** The columns of the payloads, the large members, by member. */
  payloads: Readonly<Record<string, string>>;
  /** Whether lists without a filter also select the role of the viewer. */
  showsRole?: boolean;
}

/** Queries for the parts of one kind, which return plain rows. */
export interface PartReads<T> extends PartSource<T> {
  /** Adds the payloads to a query of `select`. */
  withPayloads(query: PartQuery<T>): PartQuery<T>;
  /** The parts of each project by position, without copies of runs. */
  ofProject: NestedRows<number, T>;
  /** Returns parts without payloads in any order. Omits parts that do not exist. */
  byIds(sql: Sql, ids: readonly number[]): Promise<T[]>;
  /** Returns parts with payloads in any order. Omits parts that do not exist. */
  withPayloadsByIds(sql: Sql, ids: readonly number[]): Promise<T[]>;
  /** Returns one part with payloads. Throws NotFoundError if the viewer may not read it. */
  get(sql: Sql, viewer: Viewer, id: number): Promise<T>;
  /** Returns one part with payloads without checking rights. Throws NotFoundError if it does not exist. */
  load(sql: Sql, id: number): Promise<T>;
}

/** Creates the queries for the parts of one kind. */
export function partReads<T extends { id: number }>(source: PartSource<T>): PartReads<T> {
  const { table, select, payloads } = source;
  const withPayloads = (query: PartQuery<T>): PartQuery<T> =>
    query
      .select(Object.entries(payloads).map(([member, column]) => expression.ref(`t.${column}`).as(member)))
      .$castTo<T>();
  const byIds = keyedQuery(`${table}s`, (tables: QueryCreator<unknown>, value: Placeholder<Ids>) =>
    select(tables).where('t.id', '=', anyInt(value('ids'))),
  );
  const withPayloadsByIds = keyedQuery(`whole-${table}s`, (tables: QueryCreator<unknown>, value: Placeholder<Ids>) =>
    withPayloads(select(tables)).where('t.id', '=', anyInt(value('ids'))),
  );
  const one = keyedQuery(table, (tables: QueryCreator<unknown>, value: Placeholder<Viewer & { id: number }>) =>
    withPayloads(select(tables))
      .select(partRole(table, { userId: value('userId'), isAdmin: value('isAdmin') }).as('viewersRole'))
      .where('t.id', '=', value('id')),
  );
  return {
    ...source,
    withPayloads,
    ofProject: {
      name: `project.${table}`,
      parent: 'int',
      isPrepared: true,
      rows: (sql, projectId) =>
        select(queryBuilder<object>(sql))
          .where('t.project_id', '=', projectId)
          .where('t.scenariorun_id', 'is', null)
          .orderBy('t.sort_id')
          .orderBy('t.id'),
    },
    byIds: (sql, ids) => byIds(sql, { ids }),
    withPayloadsByIds: (sql, ids) => withPayloadsByIds(sql, { ids }),
    async get(sql, viewer, id) {
      const [row] = await one(sql, { ...viewer, id });
      assertAllowed(row?.viewersRole ?? null, 'project.read');
      return row as T;
    },
    async load(sql, id) {
      const [row] = await withPayloadsByIds(sql, { ids: [id] });
      if (!row) throw new NotFoundError();
      return row;
    },
  };
}

interface Ids {
  ids: readonly number[];
}
