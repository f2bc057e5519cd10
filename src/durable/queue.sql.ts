import { type Database, LEASE_STATEMENT, type Row, type Sql } from '../platform/database/database.js';
import { UNFLUSHED } from '../platform/sql/unflushed.js';

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

/** The text of a statement and its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
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

/**
 * Creates an executor with the deadline of a lease, for statements that fetch and renew jobs. Only fetching is prepared: renewals
 * must not wait for connections that the reports of runs use.
 */
export function createLeaseExecutor(database: Database): Executor {
  return {
    executeSql: async (text, values = []) => {
      const fetch = fetchStatement({ text, values });
      const name = fetch && statementName(fetch.text);
      const rows = name
        ? await database.byKey<Row>(name, fetch.text, fetch.values, LEASE_STATEMENT)
        : await database.query<Row>(text, values, LEASE_STATEMENT);
      return { rows };
    },
  };
}

const NUMBER_OF_JOBS = /\bLIMIT (\d+)/;
/**
 * The condition of pg-boss that selects the jobs to mark as fetched. A generic plan made for an empty table reads all jobs of the
 * queue for it, so it is replaced by one that looks up each id.
 */
const FETCHED_IDS = /FROM next\s+WHERE name = ('[^']+') AND j\.id = next\.id/;

/**
 * Rewrites the statement of pg-boss that fetches jobs. Returns undefined for any other. Its number of jobs becomes a parameter, so
 * that it is prepared once and not for each number. Its commit is not flushed: a job whose fetch is lost is
 * fetched again, and the fencing token of its run rejects the first worker.
 */
export function fetchStatement({ text, values }: Statement): Statement | undefined {
  const limit = NUMBER_OF_JOBS.exec(text);
  const ids = FETCHED_IDS.exec(text);
  if (!limit || !ids) return undefined;
  const rewritten = text
    .replace(limit[0], () => `LIMIT $${values.length + 1}`)
    .replace(ids[0], () => `WHERE name = ${ids[1]} AND j.id = ANY (ARRAY(SELECT id FROM next))`);
  return { text: `${rewritten}, ${UNFLUSHED}`, values: [...values, Number(limit[1])] };
}

// After the clock was set back, the start is in the future. It then counts as long ago: otherwise takeovers would be delayed
// until the clock has caught up.
const IS_RECENT_START = `
  select now() - pg_postmaster_start_time() between interval '0' and make_interval(secs => $1::float8 / 1000) as "isRecentStart"`;

/** Returns whether PostgreSQL started within the last `ms` milliseconds. */
export async function hasStartedWithin(database: Database, ms: number): Promise<boolean> {
  const [row] = await database.query<{ isRecentStart: boolean }>(IS_RECENT_START, [ms]);
  return row?.isRecentStart === true;
}
