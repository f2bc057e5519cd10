import {
  type Compilable,
  DummyDriver,
  sql as expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCreator,
  type RawBuilder,
} from 'kysely';
import type { Row, Sql } from './sql-pool.js';

/** A value that each call gives, in a query that is compiled before. */
export type Placeholder<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

type Build<Tables, Values, Result> = (tables: QueryCreator<Tables>, value: Placeholder<Values>) => Compilable<Result>;

interface PreparingSql {
  prepared<T>(name: string, text: string, values: unknown[]): Promise<T[]>;
}

class Parameter {
  constructor(readonly name: PropertyKey) {}
}

/**
 * A typed query that finds its rows by key. It is compiled once a process, and parsed and planned once a connection, under
 * its name (`Sql.byKey`). A constant that a partial index needs is a literal in it: its plan knows no values.
 */
export function keyedQuery<Tables, Values, Result>(
  name: string,
  build: Build<Tables, Values, Result>,
): (sql: Sql, values: Values) => Promise<Result[]> {
  const compile = compiledOnce(build);
  return (sql, values) => {
    const { text, parametersOf } = compile();
    return sql.byKey<Result>(name, text, parametersOf(values));
  };
}

/** The same on the ordinary connections of a pool (`SqlPool.prepared`): for a query of every request. */
export function preparedQuery<Tables, Values, Result>(
  name: string,
  build: Build<Tables, Values, Result>,
): (sql: PreparingSql, values: Values) => Promise<Result[]> {
  const compile = compiledOnce(build);
  return (sql, values) => {
    const { text, parametersOf } = compile();
    return sql.prepared<Result>(name, text, parametersOf(values));
  };
}

interface CompiledOnce<Values> {
  text: string;
  parametersOf(values: Values): unknown[];
}

function compiledOnce<Tables, Values, Result>(build: Build<Tables, Values, Result>): () => CompiledOnce<Values> {
  let compiled: CompiledOnce<Values> | undefined;
  return () => {
    compiled ??= compiledOf(build);
    return compiled;
  };
}

function compiledOf<Tables, Values, Result>(build: Build<Tables, Values, Result>): CompiledOnce<Values> {
  const { sql: text, parameters } = build(
    compiler as unknown as QueryCreator<Tables>,
    name => expression`${new Parameter(name)}`,
  ).compile();
  return {
    text,
    parametersOf: values =>
      parameters.map(each => (each instanceof Parameter ? (values as Row)[each.name as string] : each)),
  };
}

const compiler = new Kysely<unknown>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: kysely => new PostgresIntrospector(kysely),
  },
});
