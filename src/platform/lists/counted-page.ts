import { type Placeholder, preparedQuery } from '../database/prepared-queries.js';
import { expression, type QueryCreator, rowCount, type SelectQueryBuilder } from '../database/typed-queries.js';

/** References a value of each call in the query of a page. */
export type PageValue<Values> = Placeholder<Values & Window>;

interface Window {
  limit: number;
  offset: number;
}

type RowsQuery<Tables, Values, Row> = (
  tables: QueryCreator<Tables>,
  value: PageValue<Values>,
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own tables.
) => SelectQueryBuilder<any, any, Row>;

type PreparingSql = Parameters<ReturnType<typeof preparedQuery>>[0];

/**
 * Prepares a statement that returns a page of a list with the total. It is compiled once per process and prepared once
 * per connection. `rows` builds the ordered query of all rows. `name` must be unique among prepared statements.
 */
export function preparedPage<Tables, Values, Row>(
  name: string,
  rows: RowsQuery<Tables, Values, Row>,
): (sql: PreparingSql, values: Values & Window) => Promise<{ items: Row[]; total: number }> {
  const page = preparedQuery(name, (tables: QueryCreator<Tables>, value: PageValue<Values>) =>
    withTotal(rows(tables, value), rows(tables, value)).limit(value('limit')).offset(value('offset')),
  );
  const total = preparedQuery(`${name}-total`, (tables: QueryCreator<Tables>, value: PageValue<Values>) =>
    countOf(rows(tables, value)),
  );
  return (sql, values) =>
    readPage(
      () => page(sql, values),
      () => total(sql, values),
    );
}

/** Returns `limit` rows of a query from `offset`, and the count of all its rows, in one statement. */
export function readWindow<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { limit, offset }: Window,
): Promise<{ items: Row[]; total: number }> {
  return readPage(
    () => withTotal(query, query).limit(limit).offset(offset).execute() as Promise<RowWithTotal<Row>[]>,
    () => countOf(query).execute(),
  );
}

/** A row with the total of its list; no column has this name. */
type RowWithTotal<Row> = Row & { listTotal: number };

async function readPage<Row>(
  page: () => Promise<RowWithTotal<Row>[]>,
  total: () => Promise<{ listTotal: number }[]>,
): Promise<{ items: Row[]; total: number }> {
  const items = await page();
  // A page past the end has no row that contains the total.
  const [counted] = items.length > 0 ? items : await total();
  return { items, total: counted!.listTotal };
}

// biome-ignore lint/suspicious/noExplicitAny: each list has its own tables.
function withTotal<Row>(query: SelectQueryBuilder<any, any, Row>, counted: SelectQueryBuilder<any, any, Row>) {
  return query.select(expression<number>`${countOf(counted)}`.as('listTotal')).$castTo<RowWithTotal<Row>>();
}

// biome-ignore lint/suspicious/noExplicitAny: each list has its own tables.
function countOf(query: SelectQueryBuilder<any, any, unknown>) {
  return query.clearSelect().clearOrderBy().select(rowCount().as('listTotal')).$castTo<{ listTotal: number }>();
}
