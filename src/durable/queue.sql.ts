import { type Database, LEASE_STATEMENT, type Row, type Sql } from '../platform/database/database.js';

/** Executes the statements of pg-boss. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** Statements are prepared under a name of their text: pg-boss builds the same few again and again, and planning them takes longest. */
export function executorOf(sql: Sql): Executor {
  return {
    executeSql: async (text: string, values: unknown[] = []) => {
      const name = statementName(text);
      const rows = name === undefined ? await sql.query<Row>(text, values) : await sql.byKey<Row>(name, text, values);
      return { rows };
    },
  };
}

const MAX_PREPARED = 64;
const names = new Map<string, string>();

/** Undefined for a text that is not one statement with parameters, and for one too many. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_PREPARED || !text.includes('$1') || text.includes(';')) return known;
  const name = `pg-boss-${names.size}`;
  names.set(text, name);
  return name;
}

/** The same within the deadline of a lease: for statements that take and renew jobs. */
export function leaseExecutorOf(database: Database): Executor {
  return {
    executeSql: async (text, values) => ({ rows: await database.query(text, values, LEASE_STATEMENT) }),
  };
}

const IS_YOUNG = `
  select pg_postmaster_start_time() > now() - make_interval(secs => $1::float8 / 1000) as "isYoung"`;

/** Whether PostgreSQL was started at most so many milliseconds ago. */
export async function startedWithin(database: Database, ms: number): Promise<boolean> {
  const [row] = await database.query<{ isYoung: boolean }>(IS_YOUNG, [ms]);
  return row?.isYoung === true;
}
