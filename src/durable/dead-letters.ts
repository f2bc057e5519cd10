import type { Database, Sql } from '../platform/database/database.js';
import { anyText, expression, queryBuilder, rowCount } from '../platform/database/typed-queries.js';
import type { Queue, QueueOptions } from './queue.js';

/** The kinds of work that have a dead-letter queue. */
export const DEAD_LETTER_KINDS = ['workflow', 'scenario', 'keyword', 'recognition', 'webhook'] as const;
export type DeadLetterKind = (typeof DEAD_LETTER_KINDS)[number];

/** Error code of a run that failed because its workers stopped responding repeatedly. */
export const WORKER_LOST = 'worker_lost';

const DAY_SECONDS = 86_400;

/**
 * Options of a dead-letter queue. No worker fetches from it: dead letters wait for a redrive, and expire after 30
 * days.
 */
const DEAD_LETTERS: QueueOptions = { retentionSeconds: 30 * DAY_SECONDS, deleteAfterSeconds: 60 };

/** The dead-letter queues by name. */
export const DEAD_LETTER_QUEUES: Readonly<Record<string, QueueOptions>> = Object.fromEntries(
  DEAD_LETTER_KINDS.map(kind => [deadLetterQueue(kind), DEAD_LETTERS]),
);

/** A dead letter to add. */
export interface NewDeadLetter {
  /** The id of the failed job. For a webhook delivery, the id of the delivery. */
  id: string;
  projectId: number;
  /** The id of the run or delivery in the API. */
  subjectId: string | number;
  /** The error message, with secrets masked. */
  error: string;
}

/** The dead letter of a run whose workers stopped responding, or of a webhook delivery without attempts left. */
export interface StoredDeadLetter extends NewDeadLetter {
  kind: DeadLetterKind;
  subjectId: string;
  createdAt: Date;
}

/** Adds dead letters in the transaction that ends the work. Existing dead letters remain unchanged. */
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

/** Removes the dead letter of work that was restarted by other means. */
export async function removeDeadLetter(queue: Queue, kind: DeadLetterKind, id: string, sql: Sql): Promise<void> {
  await queue.remove(deadLetterQueue(kind), [id], sql);
}

/** The columns of pg-boss that this file reads. */
interface JobTables {
  'pgboss.job': { id: string; name: string; state: string; group_id: string | null; created_on: Date };
}

/** Lists, finds and removes dead letters. */
export class DeadLetters {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  /** Lists dead letters, newest first. Without `projectId` or `kind`, the list covers all projects or kinds. */
  async list(
    filter: { projectId: number | null; kind: DeadLetterKind | null },
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ items: StoredDeadLetter[]; total: number }> {
    const kinds = filter.kind === null ? DEAD_LETTER_KINDS : [filter.kind];
    const letters = queryBuilder<JobTables>(this.database)
      .selectFrom('pgboss.job as j')
      .where('j.name', '=', anyText(kinds.map(deadLetterQueue)))
      .where('j.state', '=', 'created')
      .$if(filter.projectId !== null, query => query.where('j.group_id', '=', String(filter.projectId)));
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

  /** Returns null when no such dead letter exists. */
  async find(kind: DeadLetterKind, id: string): Promise<StoredDeadLetter | null> {
    const [job] = await this.queue.boss.findJobs<{ subjectId: string; error: string }>(deadLetterQueue(kind), {
      ...{ id, queued: true },
    });
    if (!job) return null;
    return { ...{ id, kind }, ...job.data, projectId: Number(job.groupId), createdAt: job.createdOn };
  }

  /** Removes a dead letter in the caller's transaction. Returns false when another caller has already removed it. */
  async remove({ kind, id }: StoredDeadLetter, sql: Sql): Promise<boolean> {
    return (await this.queue.remove(deadLetterQueue(kind), [id], sql)) === 1;
  }

  /** Restores a dead letter whose redrive failed. */
  restore(letter: StoredDeadLetter): Promise<void> {
    return addDeadLetters(this.queue, letter.kind, [letter], this.database);
  }
}

/** Returns the name of the dead-letter queue of a kind. */
export function deadLetterQueue(kind: DeadLetterKind): string {
  return `${kind}-dead-letter`;
}

function kindOf(queueName: string): DeadLetterKind {
  return DEAD_LETTER_KINDS.find(kind => deadLetterQueue(kind) === queueName)!;
}
