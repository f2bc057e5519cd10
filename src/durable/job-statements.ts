import type { PgBoss } from 'pg-boss';
import { type Executor, fetchStatement, type Statement } from './queue.sql.js';

/** A job id without a row. pg-boss builds its statement for it, but the statement is never executed. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/**
 * The condition of pg-boss that selects the removed jobs. A generic plan made for an empty table filters all jobs of
 * the queue by it, so it is replaced by one that looks up each id.
 */
const REMOVED_IDS = /name = \$1\s+AND id = ANY\(\$2::uuid\[\]\)/;

/**
 * The statements of pg-boss for the jobs of one queue, rewritten as CTEs. They let one statement write a run
 * together with its job.
 */
export interface JobStatements {
  /**
   * Returns CTEs that create jobs. The last CTE is called `name`, and the statement must read it. `jobs` is an SQL
   * expression for the jobs as JSON, see `jobJsonSql`.
   */
  insert(name: string, jobs: string): string;
  /**
   * Returns CTEs that remove jobs, whether a worker has fetched them or not. The last CTE is called `name`. `ids` is
   * an SQL expression of type uuid[].
   */
  remove(name: string, ids: string): string;
}

/**
 * Returns the SQL of one job for `JobStatements.insert`. The values are SQL expressions. The members have the names
 * that pg-boss's `insert` uses; `groupId` is the id of `group`.
 */
export function jobJsonSql(
  job: Partial<Record<'id' | 'groupId' | 'priority' | 'startAfter' | 'singletonKey' | 'data', string>>,
): string {
  return `json_build_object(${Object.entries(job)
    .map(([member, value]) => `'${member}', ${value}`)
    .join(', ')})`;
}

/**
 * Captures the statements that pg-boss builds for a queue, which must exist. Throws when this version of pg-boss
 * builds them in an unsupported form.
 */
export async function captureJobStatements(boss: PgBoss, queue: string): Promise<JobStatements> {
  const insert = await captureStatement(db =>
    boss.insert(queue, [{ id: NO_JOB, group: { id: '1' }, priority: 1, startAfter: 1 }], { db }),
  );
  const sample = JSON.stringify([{ id: NO_JOB, priority: 1, startAfter: 1, groupId: '1' }]);
  const remove = await captureStatement(db => boss.deleteJob(queue, [NO_JOB], { db }));
  const fetch = await captureStatement(db => boss.fetch(queue, { batchSize: 1, db }));
  const isSupported =
    fetchStatement(fetch) !== undefined &&
    insert.values[0] === sample &&
    remove.values.length === 2 &&
    remove.values[0] === queue &&
    REMOVED_IDS.test(remove.text);
  if (!isSupported)
    throw new Error(
      'the statements of this pg-boss version have an unsupported form: adapt durable/job-statements.ts and queue.sql.ts to it',
    );
  const removeById = remove.text.replace(REMOVED_IDS, () => '(name, id) in (select $1, unnest($2::uuid[]))');
  return {
    insert: (name, jobs) => asCtes(insert.text, name, [jobs]),
    remove: (name, ids) => asCtes(removeById, name, [`'${queue}'::text`, ids]),
  };
}

async function captureStatement(call: (db: Executor) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = [];
  await call({
    executeSql: async (text, values = []) => {
      statements.push({ text, values });
      // The statement is only captured, so no job is affected.
      return { rows: [{ count: 0 }] };
    },
  });
  if (statements.length !== 1)
    throw new Error('pg-boss did not execute exactly one statement: adapt durable/job-statements.ts to this version');
  return statements[0]!;
}

/**
 * Rewrites a statement as CTEs and replaces its parameters. `with a as (…), b as (…) select …` becomes `name_a as
 * (…), name_b as (…), name as (select …)`.
 */
function asCtes(text: string, name: string, parameters: readonly string[]): string {
  const filled = text.replace(/\$(\d+)/g, (_all, number: string) => `(${parameters[Number(number) - 1]})`);
  const head = /^\s*with\s+/i.exec(filled);
  if (!head) return `${name} as (${filled})`;
  const { end, starts } = topLevelSelects(filled, head[0].length);
  const unnamed = `${filled.slice(head[0].length, end)}, ${name} as (${filled.slice(end)})`;
  // The text in front of each parenthesis is `<CTE name> as`.
  const ctes = new Set(starts.map(start => filled.slice(0, start).split(/\s+/).at(-3)));
  // The prefix avoids collisions when one statement contains CTEs of several queues.
  return unnamed.replace(/\w+/g, word => (ctes.has(word) ? `${name}_${word}` : word));
}

/**
 * Returns the positions of the opening parentheses of all CTEs, and the end of the last CTE. The last CTE is the
 * first top-level parenthesis that no comma follows.
 */
function topLevelSelects(text: string, from: number): { starts: number[]; end: number } {
  const starts: number[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") at = text.indexOf("'", at + 1);
    else if (text[at] === '(' && depth++ === 0) starts.push(at);
    else if (text[at] === ')' && --depth === 0 && !/^\s*,/.test(text.slice(at + 1, at + 50)))
      return { starts, end: at + 1 };
  }
  throw new Error('no main query found in a statement of pg-boss: adapt durable/job-statements.ts to this version');
}
