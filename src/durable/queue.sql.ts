import { type Database, LEASE_STATEMENT, type Row, type Sql } from '../platform/database/database.js';

/** Executes the statements of pg-boss. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/**
 * Creates an executor for pg-boss. Repeated statements are prepared under a name, because planning them takes
 * longer than executing them.
 */
export function createExecutor(sql: Sql): Executor {
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

/** Returns undefined for a text that is not a single statement with parameters, or when `MAX_PREPARED` names exist. */
function statementName(text: string): string | undefined {
  const existing = names.get(text);
  if (existing !== undefined || names.size >= MAX_PREPARED || !text.includes('$1') || text.includes(';'))
    return existing;
  const name = `pg-boss-${names.size}`;
  names.set(text, name);
  return name;
}

/** Creates an executor with the deadline of a lease, for statements that fetch and renew jobs. */
export function createLeaseExecutor(database: Database): Executor {
  return {
    executeSql: async (text, values) => ({ rows: await database.query(text, values, LEASE_STATEMENT) }),
  };
}

const IS_RECENT_START = `
  select pg_postmaster_start_time() > now() - make_interval(secs => $1::float8 / 1000) as "isRecentStart"`;

/** Returns whether PostgreSQL started within the last `ms` milliseconds. */
export async function hasStartedWithin(database: Database, ms: number): Promise<boolean> {
  const [row] = await database.query<{ isRecentStart: boolean }>(IS_RECENT_START, [ms]);
  return row?.isRecentStart === true;
}
