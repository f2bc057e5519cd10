import { addDeadLetters } from '../../../durable/dead-letters.js';
import { type Claims, nextToken } from '../../../durable/lease-token.js';
import type { Queue } from '../../../durable/queue.js';
import type { ClaimableRun } from '../../../durable/run-worker.js';
import type { TextChunk } from '../../../engine/text/chunk.js';
import { type Database, LEASE_STATEMENT, type Sql } from '../../../platform/database/database.js';
import {
  anyInt,
  anyText,
  expression,
  NOW,
  queryBuilder,
  type UpdateObject,
} from '../../../platform/database/typed-queries.js';
import { withDeadline } from '../../../platform/database/with-deadline.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { RecognitionStatus, recognitionTopic } from '../recognition-run.js';
import type { RecognitionTables } from '../recognition-tables.js';
import type { RecognitionEndListener } from '../recognition-webhooks.js';

/** Name of the pg-boss queue of recognition runs. `jobIdOf` returns the id of a job. */
export const RECOGNITION_QUEUE = 'recognition-run';

/** The job id of a run: the run id as a UUID, so that the job can be found without a lookup. */
export function jobIdOf(runId: number): string {
  return `00000000-0000-0000-0000-${runId.toString(16).padStart(12, '0')}`;
}

/** A run claimed by this worker. Its token becomes invalid when another worker claims the run. */
export interface ClaimedRecognition extends ClaimableRun {
  /** Id of the job. */
  id: string;
  runId: number;
  token: number;
  attempts: number;
  createdAt: Date;
  chunkSize: number;
  resultFile: string;
  contentType: string;
}

/** Thrown when the lease of a run is lost: another worker claimed the run, or it was deleted. Nothing was written. */
export class RecognitionLostError extends Error {
  constructor(id: number) {
    super(`the lease of recognition run ${id} is lost`);
    this.name = 'RecognitionLostError';
  }
}

/** The states of runs that have not ended. */
const OPEN_STATES = [RecognitionStatus.QUEUED, RecognitionStatus.RUNNING];

/** Claims recognition runs and writes their progress. Every statement checks the fencing token, so that the last claim wins. */
export class RecognitionClaims implements Claims<ClaimedRecognition> {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly onEnd: RecognitionEndListener,
  ) {}

  /** Claims runs that have not ended and deletes the chunks of an interrupted attempt. */
  async claim(jobIds: string[]): Promise<ClaimedRecognition[]> {
    const claimed = await this.database.transaction(async sql => {
      const runs = await queryBuilder<RecognitionTables>(sql)
        .updateTable('recognition_run as r')
        .from('document as d')
        .set(({ eb, fn }) => ({
          state: RecognitionStatus.RUNNING,
          attempts: eb('r.attempts', '+', 1),
          lease_token: nextToken('r.lease_token'),
          progress: 0,
          chunks_count: 0,
          started_at: fn.coalesce('r.started_at', NOW),
          updated_at: NOW,
        }))
        .where('r.id', '=', anyInt(jobIds.map(runIdOf)))
        .where('r.state', '=', anyText(OPEN_STATES))
        .whereRef('d.id', '=', 'r.document_id')
        .returning(['r.id as runId', 'r.project_id as projectId', 'r.lease_token as token', 'r.attempts'])
        .returning(['r.created_at as createdAt', 'r.chunk_size as chunkSize'])
        .returning(['d.result_file as resultFile', 'd.content_type as contentType'])
        .execute();
      for (const { runId } of runs) {
        await deleteChunks(sql, runId);
        await notify(sql, runId);
      }
      return runs.map(run => ({ ...run, id: jobIdOf(run.runId) }));
    }, LEASE_STATEMENT);
    failpoint('recognition.claimed');
    return claimed;
  }

  async findHeld(runs: ClaimedRecognition[]): Promise<string[]> {
    if (runs.length === 0) return [];
    const rows = await queryBuilder<RecognitionTables>(withDeadline(this.database, LEASE_STATEMENT))
      .selectFrom('recognition_run')
      .select(['id', 'lease_token as token'])
      .where('id', '=', anyInt(runs.map(run => run.runId)))
      .where('state', '=', RecognitionStatus.RUNNING)
      .execute();
    const tokens = new Map(rows.map(({ id, token }) => [id, token]));
    return runs.filter(({ runId, token }) => tokens.get(runId) === token).map(({ id }) => id);
  }

  /** Releases runs without counting the attempt. They stay in progress until another worker claims them. */
  async returnToQueue(runs: ClaimedRecognition[], sql: Sql): Promise<string[]> {
    const ours: string[] = [];
    // Locks in the order of the ids, which prevents deadlocks between workers.
    for (const { id, runId, token } of runs.toSorted((a, b) => a.runId - b.runId)) {
      const row = await queryBuilder<RecognitionTables>(sql)
        .updateTable('recognition_run')
        .set({ attempts: expression<number>`greatest(attempts - 1, 0)`, updated_at: NOW })
        .where('id', '=', runId)
        .where('lease_token', '=', token)
        .where('state', '=', RecognitionStatus.RUNNING)
        .returning('id')
        .executeTakeFirst();
      if (row) ours.push(id);
    }
    return ours;
  }

  /** Records the fraction of the document that has been read, 0-1. */
  async recordProgress(run: ClaimedRecognition, done: number): Promise<void> {
    await this.database.transaction(async sql => {
      await updateClaimedRun(sql, run, { progress: expression<number>`greatest(progress, ${done})` });
      await notify(sql, run.runId);
    });
  }

  /** Adds chunks. `count` is the number of chunks including these. Safe to repeat. */
  async addChunks(run: ClaimedRecognition, chunks: readonly TextChunk[], count: number): Promise<void> {
    await this.database.transaction(async sql => {
      await updateClaimedRun(sql, run, { chunks_count: count });
      await queryBuilder<RecognitionTables>(sql)
        .insertInto('recognition_chunk')
        .values(chunks.map(({ index, text, tokens, page }) => ({ run_id: run.runId, index, text, tokens, page })))
        .onConflict(conflict => conflict.doNothing())
        .execute();
    });
    failpoint('recognition.chunks');
  }

  async finish(run: ClaimedRecognition): Promise<void> {
    await this.database.transaction(async sql => {
      const end = { state: RecognitionStatus.SUCCEEDED, progress: 1, error: null, finished_at: NOW };
      await updateClaimedRun(sql, run, end);
      await this.onEnd(run.runId, sql);
      await this.queue.remove(RECOGNITION_QUEUE, [run.id], sql);
      await notify(sql, run.runId);
      failpoint('recognition.before-end');
    });
    failpoint('recognition.after-end');
  }

  /**
   * Fails a run permanently. `isWorkerLost`: every earlier attempt ended without a result, for example because its worker died.
   * Only such a run becomes a dead letter, because it may succeed when it is queued again.
   */
  async fail(run: ClaimedRecognition, reason: string, isWorkerLost = false): Promise<void> {
    await this.database.transaction(async sql => {
      const end = { state: RecognitionStatus.FAILED, error: reason, chunks_count: 0, finished_at: NOW };
      await updateClaimedRun(sql, run, end);
      await deleteChunks(sql, run.runId);
      const { id, projectId, runId } = run;
      if (isWorkerLost)
        await addDeadLetters(this.queue, 'recognition', [{ id, projectId, subjectId: runId, error: reason }], sql);
      await this.onEnd(run.runId, sql);
      await this.queue.remove(RECOGNITION_QUEUE, [run.id], sql);
      await notify(sql, run.runId);
    });
  }
}

/** The columns that an update of a run may set. */
type RunChanges = UpdateObject<RecognitionTables, 'recognition_run'>;

/** Updates a run. @throws RecognitionLostError if its fencing token is no longer current */
async function updateClaimedRun(sql: Sql, { runId, token }: ClaimedRecognition, changes: RunChanges): Promise<void> {
  const row = await queryBuilder<RecognitionTables>(sql)
    .updateTable('recognition_run')
    .set({ ...changes, updated_at: NOW })
    .where('id', '=', runId)
    .where('lease_token', '=', token)
    .where('state', '=', RecognitionStatus.RUNNING)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new RecognitionLostError(runId);
}

async function deleteChunks(sql: Sql, runId: number): Promise<void> {
  await queryBuilder<RecognitionTables>(sql).deleteFrom('recognition_chunk').where('run_id', '=', runId).execute();
}

async function notify(sql: Sql, id: number): Promise<void> {
  await Bus.notify(sql, [recognitionTopic(id)]);
}

function runIdOf(jobId: string): number {
  return Number.parseInt(jobId.slice(-12), 16);
}
