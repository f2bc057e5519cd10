import { nextTokenSql } from '../../durable/lease-token.js';
import type { TextChunk } from '../../engine/text/chunk.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { Bus } from '../../platform/messaging/bus.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { recognitionTopic } from './recognition-run.js';
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

/** What a worker writes of the runs it reads. Every statement heeds the token, so that the last to claim a run wins. */
export class RecognitionWork {
  constructor(
    private readonly database: Database,
    private readonly whenEnded: RecognitionEndListener,
  ) {}

  /** Begins the run, or begins it anew; null when it has ended or is gone. */
  async claim(id: number): Promise<ClaimedRecognition | null> {
    const claimed = await this.database.transaction(async sql => {
      const [run] = await sql.query<ClaimedRecognition>(
        `update recognition_run r
            set state = 'in_progress', attempts = r.attempts + 1, lease_token = ${nextTokenSql('r.lease_token')}, progress = 0, chunks_count = 0,
                started_at = coalesce(r.started_at, now()), updated_at = now()
           from document d
          where r.id = $1 and r.state in ('created', 'in_progress') and d.id = r.document_id
          returning r.id, r.lease_token as token, r.attempts, r.created_at as "createdAt", r.chunk_size as "chunkSize", d.result_file as "resultFile",
                    d.content_type as "contentType"`,
        [id],
      );
      if (!run) return null;
      await sql.query('delete from recognition_chunk where run_id = $1', [id]);
      await notify(sql, id);
      return run;
    });
    failpoint('recognition.claimed');
    return claimed;
  }

  async progress(run: ClaimedRecognition, done: number): Promise<void> {
    await this.#write(run, 'progress = greatest(progress, $3)', [done]);
  }

  /** Says that somebody is at it. Nothing happens to a run that another worker has. */
  async touch({ id, token }: ClaimedRecognition): Promise<void> {
    await this.database.query('update recognition_run set updated_at = now() where id = $1 and lease_token = $2', [
      id,
      token,
    ]);
  }

  /** `count`: of all chunks with these. Harmless a second time. */
  async addChunks(run: ClaimedRecognition, chunks: readonly TextChunk[], count: number): Promise<void> {
    await this.database.transaction(async sql => {
      await held(sql, run, 'chunks_count = $3', [count]);
      await sql.query(
        `insert into recognition_chunk (run_id, index, text, tokens, page)
         select $1, index, text, tokens, page from json_to_recordset($2) as c(index int, text text, tokens int, page int)
         on conflict do nothing`,
        [run.id, JSON.stringify(chunks)],
      );
    });
    failpoint('recognition.chunks');
  }

  async finish(run: ClaimedRecognition): Promise<void> {
    await this.database.transaction(async sql => {
      await held(sql, run, `state = 'finished', progress = 1, error = null, finished_at = now()`, []);
      await this.whenEnded(run.id, sql);
      await notify(sql, run.id);
      failpoint('recognition.before-end');
    });
    failpoint('recognition.after-end');
  }

  async fail(run: ClaimedRecognition, reason: string): Promise<void> {
    await this.database.transaction(async sql => {
      await held(sql, run, `state = 'error', error = $3, chunks_count = 0, finished_at = now()`, [reason]);
      await sql.query('delete from recognition_chunk where run_id = $1', [run.id]);
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
      const runs = await sql.query<{ id: number; turn: number }>(
        `update recognition_run set updated_at = now()
          where id in (
            select id from recognition_run
             where state in ('created', 'in_progress') and updated_at < now() - make_interval(secs => $1)
             order by state desc, turn limit ${MAX_STRANDED} for update skip locked)
         returning id, turn`,
        [seconds],
      );
      if (runs.length > 0) await wake(runs, sql);
    });
  }

  async #write(run: ClaimedRecognition, set: string, values: unknown[]): Promise<void> {
    await this.database.transaction(async sql => {
      await held(sql, run, set, values);
      await notify(sql, run.id);
    });
  }
}

async function held(sql: Sql, { id, token }: ClaimedRecognition, set: string, values: unknown[]): Promise<void> {
  const rows = await sql.query(
    `update recognition_run set ${set}, updated_at = now()
      where id = $1 and lease_token = $2 and state = 'in_progress' returning id`,
    [id, token, ...values],
  );
  if (rows.length === 0) throw new RecognitionLostError(id);
}

async function notify(sql: Sql, id: number): Promise<void> {
  await Bus.notify(sql, [recognitionTopic(id)]);
}
