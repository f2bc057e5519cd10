import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Queue, RUN_JOBS } from '../../../src/durable/queue.js';
import { KeywordChanges } from '../../../src/modules/keywords/keyword-changes.js';
import { KEYWORD_RUN_QUEUE, KeywordRunClaims } from '../../../src/modules/keywords/runs/keyword-run-claims.js';
import {
  type KeywordRunEnd,
  KeywordRunLostError,
  KeywordRunRecorder,
} from '../../../src/modules/keywords/runs/keyword-run-recorder.js';
import {
  jobIdOf,
  RECOGNITION_QUEUE,
  RecognitionClaims,
  RecognitionLostError,
} from '../../../src/modules/recognition/execution/recognition-claims.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';
import { openQueue } from '../../support/jobs/open-queue.js';

// Keyword and recognition runs have no journal: the row of the run has its end, which is written once.
let database: Database;
let queue: Queue;
let project: number;
let ended: number[];
const countEnd = async (runId: number) => void ended.push(runId);

beforeAll(async () => {
  database = await openDatabase();
  queue = await openQueue(database, { [KEYWORD_RUN_QUEUE]: RUN_JOBS, [RECOGNITION_QUEUE]: RUN_JOBS });
});
afterAll(async () => {
  await queue?.stop();
  await database?.close();
});
beforeEach(async () => {
  ended = [];
  project = await insert(`insert into project (name) values ('Ends') returning id`, []);
});

async function insert(text: string, values: unknown[]): Promise<number> {
  const [row] = await database.query<{ id: number }>(text, values);
  return row!.id;
}

it('a keyword run has one end, which is charged once', async () => {
  const id = await insert(
    `insert into keyword_run (project_id, topic, preset, status) values ($1, 'tea', 10, 'created') returning id`,
    [project],
  );
  const [row] = await database.query<{ job: string }>('select billing_id as job from keyword_run where id = $1', [id]);
  const claims = new KeywordRunClaims(database);
  const recorder = new KeywordRunRecorder(database, queue, new KeywordChanges([]), countEnd);
  const { signal } = new AbortController();
  const usage = { provider: 'openai', model: 'm', promptTokens: 1, completionTokens: 1, costUsd: '0.5' };
  const found: KeywordRunEnd = { keywords: ['green tea'], clusters: null, error: null, usage, settled: [] };
  const [first] = await claims.claim([row!.job]);
  const [second] = await claims.claim([row!.job]);
  await expect(recorder.end(first!, found, signal)).rejects.toThrow(KeywordRunLostError);
  await recorder.end(second!, found, signal);
  // The worker did not receive the answer to its write, or has another result now.
  await recorder.end(second!, found, signal);
  await recorder.end(second!, { ...found, keywords: [], error: 'unreadable' }, signal);
  expect(ended).toEqual([id]);
  const stored = `
    select status, error, cost_usd::float as cost, (select json_agg(name) from keyword where keywordrun_id = r.id) as keywords,
           (select json_agg(amount_usd) from billing_transaction where run_id = r.billing_id) as charges
      from keyword_run r where id = $1`;
  expect(await database.query(stored, [id])).toEqual([
    { status: 'finished', error: null, cost: 0.5, keywords: ['green tea'], charges: [0.5] },
  ]);
});

it('a recognition run has one end', async () => {
  const id = await insert(
    `with document as (
       insert into document (project_id, key, filename, result_file, content_type, size, sha256)
       values ($1, 'd', 'd.txt', gen_random_uuid(), 'text/plain', 1, '\\x00') returning id)
     insert into recognition_run (project_id, document_id, chunk_size, state)
     select $1, id, 500, 'created' from document returning id`,
    [project],
  );
  const claims = new RecognitionClaims(database, queue, countEnd);
  const [first] = await claims.claim([jobIdOf(id)]);
  const [second] = await claims.claim([jobIdOf(id)]);
  await expect(claims.finish(first!)).rejects.toThrow(RecognitionLostError);
  await claims.addChunks(second!, [{ index: 0, text: 'Tea.', tokens: 1, page: null }], 1);
  await claims.finish(second!);
  await expect(claims.finish(second!)).rejects.toThrow(RecognitionLostError);
  await expect(claims.fail(second!, 'unreadable', true)).rejects.toThrow(RecognitionLostError);
  expect(ended).toEqual([id]);
  const stored = `
    select state, error, chunks_count as chunks, (select count(*)::int from recognition_chunk where run_id = r.id) as stored
      from recognition_run r where id = $1`;
  expect(await database.query(stored, [id])).toEqual([{ state: 'finished', error: null, chunks: 1, stored: 1 }]);
});
