import { nextToken } from '../../durable/lease-token.js';
import type { TextChunk } from '../../engine/text/chunk.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyText, expression, NOW, queries, type UpdateObject } from '../../platform/database/typed-queries.js';
import { Bus } from '../../platform/messaging/bus.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { RecognitionStatus, recognitionTopic } from './recognition-run.js';
import type { RecognitionTables } from './recognition-tables.js';
import type { RecognitionEndListener } from './recognition-webhooks.js';

export const RECOGNITION_QUEUE = 'recognition-run';

/** Runs that are called out again in one round: those whose turn is next. Their jobs may well be there, in a long queue. */
const MAX_STRANDED = 20;

/** The job of a run: projects take turns, so that one project's many do not hold up another's one. */
export function recognitionJob({ id, turn }: { id: number; turn: number }) {
  return { data: { id }, priority: -turn };
}

/** A run as the worker that reads it holds it. Its token is spent when another worker claims the run. */
export interface ClaimedRecognition {
  id: number;
  token: number;
  attempts: number;
  createdAt: Date;
  chunkSize: number;
  resultFile: string;
  contentType: string;
}

/** Another worker has the run, or nobody has it any more: nothing is written. */
export class RecognitionLostError extends Error {
  constructor(id: number) {
    super(`the recognition run ${id} is no longer ours`);
    this.name = 'RecognitionLostError';
  }
}

/** States of runs that have not ended. */
const OPEN = [RecognitionStatus.CREATED, RecognitionStatus.IN_PROGRESS];

/** What a worker writes of the runs it reads. Every statement heeds the token, so that the last to claim a run wins. */
export class RecognitionWork {
  constructor(
    private readonly database: Database,
    private readonly whenEnded: RecognitionEndListener,
  ) {}

  /** Begins the run, or begins it anew; null when it has ended or is gone. */
  async claim(id: number): Promise<ClaimedRecognition | null> {
    const claimed = await this.database.transaction(async sql => {
      const tables = queries<RecognitionTables>(sql);
      const run = await tables
        .updateTable('recognition_run as r')
        .from('document as d')
        .set(({ eb, fn, ref }) => ({
          state: RecognitionStatus.IN_PROGRESS,
          attempts: eb('r.attempts', '+', 1),
          lease_token: nextToken(ref('r.lease_token')),
          progress: 0,
          chunks_count: 0,
          started_at: fn.coalesce('r.started_at', NOW),
          updated_at: NOW,
        }))
        .where('r.id', '=', id)
        .where('r.state', '=', anyText(OPEN))
        .whereRef('d.id', '=', 'r.document_id')
        .returning(['r.id', 'r.lease_token as token', 'r.attempts', 'r.created_at as createdAt'])
        .returning(['r.chunk_size as chunkSize', 'd.result_file as resultFile', 'd.content_type as contentType'])
        .executeTakeFirst();
      if (!run) return null;
      await deleteChunks(sql, id);
      await notify(sql, id);
      return run;
    });
    failpoint('recognition.claimed');
    return claimed;
  }

  async progress(run: ClaimedRecognition, done: number): Promise<void> {
    await this.database.transaction(async sql => {
      await held(sql, run, { progress: expression<number>`greatest(progress, ${done})` });
      await notify(sql, run.id);
    });
  }

  /** Marks the run as being worked on. A run that another worker has stays as it is. */
  async touch({ id, token }: ClaimedRecognition): Promise<void> {
    await queries<RecognitionTables>(this.database)
      .updateTable('recognition_run')
      .set({ updated_at: NOW })
      .where('id', '=', id)
      .where('lease_token', '=', token)
      .execute();
  }

  /** `count`: of all chunks with these. Harmless a second time. */
  async addChunks(run: ClaimedRecognition, chunks: readonly TextChunk[], count: number): Promise<void> {
    await this.database.transaction(async sql => {
      await held(sql, run, { chunks_count: count });
      await queries<RecognitionTables>(sql)
        .insertInto('recognition_chunk')
        .values(chunks.map(({ index, text, tokens, page }) => ({ run_id: run.id, index, text, tokens, page })))
        .onConflict(conflict => conflict.doNothing())
        .execute();
    });
    failpoint('recognition.chunks');
  }

  async finish(run: ClaimedRecognition): Promise<void> {
    await this.database.transaction(async sql => {
      await held(sql, run, { state: RecognitionStatus.FINISHED, progress: 1, error: null, finished_at: NOW });
      await this.whenEnded(run.id, sql);
      await notify(sql, run.id);
      failpoint('recognition.before-end');
    });
    failpoint('recognition.after-end');
  }

  async fail(run: ClaimedRecognition, reason: string): Promise<void> {
    await this.database.transaction(async sql => {
      const end = { state: RecognitionStatus.ERROR, error: reason, chunks_count: 0, finished_at: NOW };
      await held(sql, run, end);
      await deleteChunks(sql, run.id);
      await this.whenEnded(run.id, sql);
      await notify(sql, run.id);
    });
  }

  /** Hands runs that nobody has touched for so long to `wake`: their job is gone, or the worker that had it. */
  async wakeStranded(
    seconds: number,
    wake: (runs: { id: number; turn: number }[], sql: Sql) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async sql => {
      const runs = await queries<RecognitionTables>(sql)
        .updateTable('recognition_run')
        .set({ updated_at: NOW })
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('recognition_run')
            .select('id')
            .where('state', '=', anyText(OPEN))
            .where('updated_at', '<', expression<Date>`now() - make_interval(secs => ${seconds})`)
            .orderBy('state', 'desc')
            .orderBy('turn')
            .limit(MAX_STRANDED)
            .forUpdate()
            .skipLocked(),
        )
        .returning(['id', 'turn'])
        .execute();
      if (runs.length > 0) await wake(runs, sql);
    });
  }
}

/** What an update may set of a run. */
type RunChanges = UpdateObject<RecognitionTables, 'recognition_run'>;

async function held(sql: Sql, { id, token }: ClaimedRecognition, changes: RunChanges): Promise<void> {
  const row = await queries<RecognitionTables>(sql)
    .updateTable('recognition_run')
    .set({ ...changes, updated_at: NOW })
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .where('state', '=', RecognitionStatus.IN_PROGRESS)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new RecognitionLostError(id);
}

async function deleteChunks(sql: Sql, runId: number): Promise<void> {
  await queries<RecognitionTables>(sql).deleteFrom('recognition_chunk').where('run_id', '=', runId).execute();
}

async function notify(sql: Sql, id: number): Promise<void> {
  await Bus.notify(sql, [recognitionTopic(id)]);
}
