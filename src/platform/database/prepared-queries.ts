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

/** References a value of each call in a query that is compiled in advance. */
export type Placeholder<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

type Build<Tables, Values, Result> = (tables: QueryCreator<Tables>, value: Placeholder<Values>) => Compilable<Result>;

interface PreparingSql {
  prepared<T>(name: string, text: string, values: unknown[]): Promise<T[]>;
}

class Parameter {
  constructor(readonly name: PropertyKey) {}
}

/**
 * Creates a typed query that finds rows by key. It is compiled once per process and planned once per connection
 * (`Sql.byKey`). Constants that a partial index needs must be literals, because the generic plan ignores parameter
 * values.
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

/** Creates a query for the ordinary connections of a pool (`SqlPool.prepared`), for queries of every request. */
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

/** Returns the text of a query without values, to be part of a larger statement. */
export function compiledText<Tables>(build: (tables: QueryCreator<Tables>) => Compilable<unknown>): string {
  const { text, parametersOf } = compiledOf(build);
  if (parametersOf({}).length > 0) throw new Error('a part of a statement has no parameters of its own');
  return text;
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
