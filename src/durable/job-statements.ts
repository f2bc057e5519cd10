import type { PgBoss } from 'pg-boss';

/** A run without a row: what pg-boss says about it is not executed. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/**
 * pg-boss's own statements about the jobs of one queue, as CTEs of ours: a run and its job come to be, and end, by one
 * statement.
 */
export interface JobStatements {
  /** CTEs that create jobs; the last one is `name` and is to be read. `jobs`: an expression for them as JSON, see `jobJsonSql`. */
  insert(name: string, jobs: string): string;
  /** CTEs that complete jobs, also those that no worker has fetched; the last one is `name`. `ids`: an expression of type uuid[]. */
  complete(name: string, ids: string): string;
}

/** SQL of one job for `JobStatements.insert`, by the names that pg-boss's `insert` gives its members; `groupId` is that of `group`. */
export function jobJsonSql(
  job: Partial<Record<'id' | 'groupId' | 'priority' | 'startAfter' | 'singletonKey' | 'data', string>>,
): string {
  return `json_build_object(${Object.entries(job)
    .map(([member, value]) => `'${member}', ${value}`)
    .join(', ')})`;
}

/** Asks pg-boss for its statements. The queue exists. */
export async function jobStatementsOf(boss: PgBoss, queue: string): Promise<JobStatements> {
  const insert = await captureStatement(db =>
    boss.insert(queue, [{ id: NO_JOB, group: { id: '1' }, priority: 1, startAfter: 1 }], { db }),
  );
  const sample = JSON.stringify([{ id: NO_JOB, priority: 1, startAfter: 1, groupId: '1' }]);
  const complete = await captureStatement(db => boss.complete(queue, [NO_JOB], null, { db, includeQueued: true }));
  if (insert.values[0] !== sample || complete.values.length !== 3 || complete.values[0] !== queue)
    throw new Error('this version of pg-boss writes its jobs in another form; see durable/job-statements.ts');
  return {
    insert: (name, jobs) => asCtes(insert.text, name, [jobs]),
    complete: (name, ids) => asCtes(complete.text, name, [`'${queue}'::text`, ids, 'null']),
  };
}

interface Statement {
  text: string;
  values: unknown[];
}

interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: object[] }>;
}

async function captureStatement(call: (db: Executor) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = [];
  await call({
    executeSql: async (text, values = []) => {
      statements.push({ text, values });
      // Nothing was done to any job.
      return { rows: [{ count: 0 }] };
    },
  });
  if (statements.length !== 1) throw new Error('pg-boss took more than one statement; see durable/job-statements.ts');
  return statements[0]!;
}

/** `with a as (…), b as (…) select …` as `name_a as (…), name_b as (…), name as (select …)`, with its parameters replaced. */
function asCtes(text: string, name: string, parameters: readonly string[]): string {
  const filled = text.replace(/\$(\d+)/g, (_all, number: string) => `(${parameters[Number(number) - 1]})`);
  const head = /^\s*with\s+/i.exec(filled);
  if (!head) return `${name} as (${filled})`;
  const { end, starts } = topLevelSelects(filled, head[0].length);
  const unnamed = `${filled.slice(head[0].length, end)}, ${name} as (${filled.slice(end)})`;
  // Before each parenthesis stands `name as`.
  const ctes = new Set(starts.map(start => filled.slice(0, start).split(/\s+/).at(-3)));
  // Statements of several queues may be parts of one.
  return unnamed.replace(/\w+/g, word => (ctes.has(word) ? `${name}_${word}` : word));
}

/** Where the parentheses of CTEs begin, and where the last one ends: at the first on the outermost level that no comma follows. */
function topLevelSelects(text: string, from: number): { starts: number[]; end: number } {
  const starts: number[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") at = text.indexOf("'", at + 1);
    else if (text[at] === '(' && depth++ === 0) starts.push(at);
    else if (text[at] === ')' && --depth === 0 && !/^\s*,/.test(text.slice(at + 1, at + 50)))
      return { starts, end: at + 1 };
  }
  throw new Error('a statement of pg-boss has no end; see durable/job-statements.ts');
}
