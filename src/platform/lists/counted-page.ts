import { type Placeholder, preparedQuery } from '../database/prepared-queries.js';
import { expression, type QueryCreator, rowCount, type SelectQueryBuilder } from '../database/typed-queries.js';

/** A value of a call, in a query of a page. */
export type PageValue<Values> = Placeholder<Values & Window>;

interface Window {
  limit: number;
  offset: number;
}

type Prepared<Tables, Values, Row> = (
  tables: QueryCreator<Tables>,
  value: PageValue<Values>,
  // biome-ignore lint/suspicious/noExplicitAny: the tables of a query are the list's.
) => SelectQueryBuilder<any, any, Row>;

type PreparingSql = Parameters<ReturnType<typeof preparedQuery>>[0];

/**
 * A page of a list with the total, in one statement that is compiled once a process and planned once a connection. `rows`
 * builds the query of all rows in their order; `name` is unique among prepared statements.
 */
export function preparedPage<Tables, Values, Row>(
  name: string,
  rows: Prepared<Tables, Values, Row>,
): (sql: PreparingSql, values: Values & Window) => Promise<{ items: Row[]; total: number }> {
  const page = preparedQuery(name, (tables: QueryCreator<Tables>, value: PageValue<Values>) =>
    withTotal(rows(tables, value), rows(tables, value)).limit(value('limit')).offset(value('offset')),
  );
  const total = preparedQuery(`${name}-total`, (tables: QueryCreator<Tables>, value: PageValue<Values>) =>
    countOf(rows(tables, value)),
  );
  return (sql, values) =>
    pageOf(
      () => page(sql, values),
      () => total(sql, values),
    );
}

/** Reads the rows of a query between `offset` and `limit` together with the count of all of them. */
export function readWindow<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { limit, offset }: Window,
): Promise<{ items: Row[]; total: number }> {
  return pageOf(
    () => withTotal(query, query).limit(limit).offset(offset).execute() as Promise<Counted<Row>[]>,
    () => countOf(query).execute(),
  );
}

/** A row with the total of its list, under a name that no column has. */
type Counted<Row> = Row & { listTotal: number };

async function pageOf<Row>(
  page: () => Promise<Counted<Row>[]>,
  total: () => Promise<{ listTotal: number }[]>,
): Promise<{ items: Row[]; total: number }> {
  const items = await page();
  // A page past the end has no row to tell the total.
  const [counted] = items.length > 0 ? items : await total();
  return { items, total: counted!.listTotal };
}

// biome-ignore lint/suspicious/noExplicitAny: the tables of a query are the list's.
function withTotal<Row>(query: SelectQueryBuilder<any, any, Row>, counted: SelectQueryBuilder<any, any, Row>) {
  return query.select(expression<number>`${countOf(counted)}`.as('listTotal')).$castTo<Counted<Row>>();
}

// biome-ignore lint/suspicious/noExplicitAny: the tables of a query are the list's.
function countOf(query: SelectQueryBuilder<any, any, unknown>) {
  return query.clearSelect().clearOrderBy().select(rowCount().as('listTotal')).$castTo<{ listTotal: number }>();
}
