import type { Database, Sql } from '../platform/database/database.js';
import { anyText, expression, queries, rowCount } from '../platform/database/typed-queries.js';
import type { Queue, QueueOptions } from './queue.js';

/** The kinds of work that have a dead-letter queue. */
export const DEAD_LETTER_KINDS = ['workflow', 'scenario', 'keyword', 'recognition', 'webhook'] as const;
export type DeadLetterKind = (typeof DEAD_LETTER_KINDS)[number];

/** The code of the error of a run whose workers died again and again. */
export const WORKER_LOST = 'worker_lost';

const DAY_SECONDS = 86_400;

/** A queue that no worker fetches from: dead letters wait for a redrive, and expire. */
const DEAD_LETTERS: QueueOptions = { retentionSeconds: 30 * DAY_SECONDS, deleteAfterSeconds: 60 };

/** The dead-letter queues by name. */
export const DEAD_LETTER_QUEUES: Readonly<Record<string, QueueOptions>> = Object.fromEntries(
  DEAD_LETTER_KINDS.map(kind => [deadLetterQueue(kind), DEAD_LETTERS]),
);

export interface NewDeadLetter {
  /** The id of the job that failed: of a delivery its own. */
  id: string;
  projectId: number;
  /** The id of the run or delivery, as its resource shows it. */
  subjectId: string | number;
  /** Why it failed. Secrets are masked. */
  error: string;
}

/** A run that ended because its workers died, or a delivery that was given up. */
export interface StoredDeadLetter extends NewDeadLetter {
  kind: DeadLetterKind;
  subjectId: string;
  createdAt: Date;
}

/** Adds dead letters in the transaction that ends the work. One that is there already stays as it is. */
export function addDeadLetters(
  queue: Queue,
  kind: DeadLetterKind,
  letters: readonly NewDeadLetter[],
  sql: Sql,
): Promise<void> {
  if (letters.length === 0) return Promise.resolve();
  const jobs = letters.map(({ id, projectId, subjectId, error }) => ({
    ...{ id, group: { id: String(projectId) }, data: { subjectId: String(subjectId), error } },
  }));
  return queue.send(deadLetterQueue(kind), jobs, sql);
}

/** Removes the dead letter of work that is done again by other means. */
export async function removeDeadLetter(queue: Queue, kind: DeadLetterKind, id: string, sql: Sql): Promise<void> {
  await queue.remove(deadLetterQueue(kind), [id], sql);
}

/** Columns of pg-boss. */
interface JobTables {
  'pgboss.job': { id: string; name: string; state: string; group_id: string | null; created_on: Date };
}

/** Reads and takes what lies in the dead-letter queues. */
export class DeadLetters {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  /** Newest first; of one project, or of all. */
  async list(
    asked: { projectId: number | null; kind: DeadLetterKind | null },
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ items: StoredDeadLetter[]; total: number }> {
    const kinds = asked.kind === null ? DEAD_LETTER_KINDS : [asked.kind];
    const letters = queries<JobTables>(this.database)
      .selectFrom('pgboss.job as j')
      .where('j.name', '=', anyText(kinds.map(deadLetterQueue)))
      .where('j.state', '=', 'created')
      .$if(asked.projectId !== null, query => query.where('j.group_id', '=', String(asked.projectId)));
    const [rows, { total }] = await Promise.all([
      letters
        .select(['j.id', 'j.name as queue', 'j.created_on as createdAt'])
        .select([
          expression<number>`j.group_id::int`.as('projectId'),
          expression<string>`j.data->>'subjectId'`.as('subjectId'),
          expression<string>`j.data->>'error'`.as('error'),
        ])
        .orderBy('j.created_on', 'desc')
        .orderBy('j.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      letters.select(rowCount().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { items: rows.map(({ queue, ...letter }) => ({ ...letter, kind: kindOf(queue) })), total };
  }

  /** Null when there is no such letter. */
  async find(kind: DeadLetterKind, id: string): Promise<StoredDeadLetter | null> {
    const [job] = await this.queue.boss.findJobs<{ subjectId: string; error: string }>(deadLetterQueue(kind), {
      ...{ id, queued: true },
    });
    if (!job) return null;
    return { ...{ id, kind }, ...job.data, projectId: Number(job.groupId), createdAt: job.createdOn };
  }

  /** Removes a letter in the caller's transaction. False when another caller was first. */
  async take({ kind, id }: StoredDeadLetter, sql: Sql): Promise<boolean> {
    return (await this.queue.remove(deadLetterQueue(kind), [id], sql)) === 1;
  }

  /** Puts a letter back that was taken in vain. */
  putBack(letter: StoredDeadLetter): Promise<void> {
    return addDeadLetters(this.queue, letter.kind, [letter], this.database);
  }
}

/** The name of a kind's queue. */
export function deadLetterQueue(kind: DeadLetterKind): string {
  return `${kind}-dead-letter`;
}

function kindOf(queueName: string): DeadLetterKind {
  return DEAD_LETTER_KINDS.find(kind => deadLetterQueue(kind) === queueName)!;
}
