import type { EntitySchemaWithMeta, InferKyselyTable, Opt, Primary, SnakeCase } from '@mikro-orm/postgresql';
import {
  type ColumnType,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Expression,
  type Generated,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCreator,
  type QueryResult,
  sql,
} from 'kysely';
import type { Sql } from './sql-pool.js';

/** Building blocks of queries; the columns that an update may set. */
export type {
  Expression,
  ExpressionBuilder,
  Generated,
  QueryCreator,
  ReferenceExpression,
  SelectQueryBuilder,
  Updateable,
  UpdateObject,
} from 'kysely';
export {
  /** Builds expressions and subqueries outside of a query. */
  expressionBuilder,
  /** A piece of SQL in a typed query, for syntax that the query builder lacks. Its values become parameters. */
  sql as expression,
} from 'kysely';

/** The values of a list, or an expression for them, such as a placeholder. */
type List<Value> = readonly Value[] | Expression<readonly Value[]> | Expression<Value[]>;

/** `any(…)` over a list in one parameter, so that the statement text does not depend on the list's length. */
export const anyInt = (values: List<number>) => sql<number>`any(${values}::int[])`;
export const anyText = <T extends string>(values: readonly T[]) => sql<T>`any(${values}::text[])`;
export const anyUuid = (values: List<string>) => sql<string>`any(${values}::uuid[])`;

/** The number of rows. */
export const rowCount = () => sql<number>`count(*)::int`;

/** The start time of the transaction, by the clock of the database. */
export const NOW = sql<Date>`now()`;

/** The columns of an entity for typed queries, from a decorated class or the result of `defineEntity`. */
export type Table<Entity> = Entity extends EntitySchemaWithMeta ? InferKyselyTable<Entity> : ClassTable<Entity>;

declare const nonColumn: unique symbol;

/** A member of an entity class without a column in its table, such as a value that a query reads from another table. */
export type NonColumn<T> = T & { [nonColumn]?: 1 };

declare const columnName: unique symbol;

interface ColumnBrand<Name extends string> {
  [columnName]?: Name;
}

/** A member whose column has another name than the member in snake case: that of its `fieldName`. */
export type InColumn<Name extends string, T> = T & ColumnBrand<Name>;

type ClassTable<Entity> = {
  [Key in keyof Entity as ColumnName<Key, NonNullable<Entity[Key]>>]-?: Key extends 'id'
    ? Generated<Entity[Key]>
    : Column<Exclude<Entity[Key], undefined>, NonNullable<Entity[Key]>>;
};

type ColumnName<Key, Value> = Key extends string
  ? typeof nonColumn extends keyof Value
    ? never
    : typeof columnName extends keyof Value
      ? BrandOf<Value>
      : Value extends Relation
        ? `${SnakeCase<Key>}_id`
        : SnakeCase<Key>
  : never;

type BrandOf<Value> = Value extends ColumnBrand<infer Name> ? Name : never;

interface Relation {
  unwrap(): unknown;
}

/** A column with a default is optional in an insert. JSON is written as text. */
type Column<Member, Value> = Value extends Relation
  ? Primary<Value> | Extract<Member, null>
  : keyof Opt.Brand extends keyof Value
    ? Generated<WithoutBrand<Member>>
    : Value extends readonly object[] | Record<string, unknown>
      ? ColumnType<Member, string | Extract<Member, null>, string | Extract<Member, null>>
      : Member;

type WithoutBrand<Member> = Member extends Opt<infer Value> ? Value : Member;

const creators = new WeakMap<Sql, Kysely<unknown>>();

/**
 * Returns a builder for typed queries that run on `sql`, with its deadlines and in its transaction. `Tables` maps each
 * table that a query reads or writes to the `Table` of its entity. Use `Database.transaction` for transactions, because the
 * builder rejects its own, and `returning` to count changed rows, because `num…Rows` of a result is always 0.
 */
export function queryBuilder<Tables>(sql: Sql): QueryCreator<Tables> {
  let creator = creators.get(sql);
  if (!creator) {
    creator = new Kysely<unknown>({
      dialect: {
        createDriver: () => new SqlDriver(sql),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: kysely => new PostgresIntrospector(kysely),
      },
    });
    creators.set(sql, creator);
  }
  return creator as unknown as QueryCreator<Tables>;
}

/** Passes compiled queries to `Sql`, which manages connections and transactions. */
class SqlDriver implements Driver, DatabaseConnection {
  constructor(private readonly sql: Sql) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: await this.sql.query<Row>(sql, [...parameters]) };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this;
  }

  async init(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}

  beginTransaction(): Promise<void> {
    return rejectUse();
  }

  commitTransaction(): Promise<void> {
    return rejectUse();
  }

  rollbackTransaction(): Promise<void> {
    return rejectUse();
  }

  // biome-ignore lint/correctness/useYield: this driver does not support streams.
  async *streamQuery(): AsyncGenerator<never> {
    await rejectUse();
  }
}

function rejectUse(): Promise<never> {
  throw new Error('Typed queries support neither transactions nor streams. Use Database.transaction.');
}
