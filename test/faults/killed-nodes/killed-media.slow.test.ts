import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { faultPoints } from '../../support/processes/fault-points.js';
import { crashWorkerAt } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

/** A PNG image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGES = '/v1/images/generations';
const SPEECH = '/v1/audio/speech';
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const USAGE = { input_tokens: 10, output_tokens: 1_000, total_tokens: 1_010 };

let upstream: StubUpstream;
let service: TestService;
let project: number;
const openai = () => ({ baseUrl: upstream.url, apiKey: 'k' });

beforeAll(async () => {
  upstream = await startStubUpstream();
  upstream.answers.set(IMAGES, { data: [{ b64_json: PIXEL }], usage: USAGE });
  // Like a real model, each call creates other bytes.
  let calls = 0;
  upstream.answers.set(SPEECH, () => Buffer.concat([Buffer.from('ID3\x04\x00\x00'), Buffer.from(`speech ${++calls}`)]));
  upstream.answers.set(TRANSCRIPTIONS, { text: 'Hello', usage: USAGE });
  service = await startTestService({ role: 'api', openai: openai() }, await createDatabase());
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Media' } })).body.id;
  await service.sql('update project set budget_usd = 1000 where id = $1', [project]);
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.calls.length = 0;
});

/** Kills a worker at the point, then runs another one until `read` returns the finished run. */
async function readAfterCrash<T>(point: string, read: () => Promise<T>): Promise<T> {
  const environment = { ...testEnvironment(service.database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
  await crashWorkerAt(point, environment);
  await expireJobs(service);
  const successor = await startTestService({ role: 'worker', openai: openai() }, service.database);
  try {
    return await read();
  } finally {
    await successor.stop();
  }
}

const keysOf = (path: string) =>
  upstream.calls.filter(call => call.path === path).map(({ headers }) => headers['idempotency-key']);

/**
 * Expects one call to each path, and two with the same key to the path `repeated`, because the answer of its first call was
 * not recorded.
 */
function expectCalls(paths: string[], repeated: string | undefined): void {
  for (const path of paths) {
    const keys = keysOf(path);
    expect([path, keys.length]).toEqual([path, path === repeated ? 2 : 1]);
    expect(new Set(keys).size).toBe(1);
  }
}

/** Every stored file belongs to a run or is removed within an hour. */
async function expectNoOrphans(): Promise<void> {
  const [row] = await service.sql(
    `select count(*)::int as late from document_file_removal where due_at > now() + interval '1 hour'`,
  );
  expect(row).toEqual({ late: 0 });
}

describe('a worker that dies while nodes create images and speech', () => {
  // Each node calls its model, stores its file and records its end.
  const points: [string, string | undefined][] = [
    ['paid.before-record:1', IMAGES],
    ['upload.stored:1', IMAGES],
    ['run-file.written:1', undefined],
    ['record.before:2', undefined],
    ['record.after:2', undefined],
    ['paid.before-record:2', SPEECH],
    ['upload.stored:2', SPEECH],
    ['run-file.written:2', undefined],
    ['record.before:3', undefined],
    ['record.after:3', undefined],
    ['paid.before-record:3', TRANSCRIPTIONS],
    ['record.before:4', TRANSCRIPTIONS],
    ['record.after:4', undefined],
  ];

  it.each(faultPoints(points))('pays each once and keeps one file of each (%s)', async (point, repeated) => {
    const image = node('image-node', { prompt: 'A cat', settings: { model_name: 'gpt-image-1' } });
    const speech = node('speech-node', { text: 'Hello', settings: { model_name: 'gpt-4o-mini-tts' } });
    const file = '{{ previous.content }}';
    const written = node('transcription-node', { file, settings: { model_name: 'gpt-4o-transcribe' } });
    const data = chain(trigger(), image, speech, written, output());
    const workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body
      .id;
    const { id } = (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} })).body.data;

    const result = await readAfterCrash(point, () => awaitFinish(service, id));
    expect(result).toMatchObject({ status: 'succeed', output: 'Hello' });
    expectCalls([IMAGES, SPEECH, TRANSCRIPTIONS], repeated);
    const files = await service.sql('select filename from project_file where run_id = $1 order by 1', [id]);
    expect(files).toEqual([{ filename: 'image.png' }, { filename: 'speech.mp3' }]);
    await expectNoOrphans();
    const rows = await service.sql(
      `select operation, count(*)::int as rows, bool_and(amount_usd > 0) as paid from billing_transaction
        where run_id = $1 and operation in ('image-node', 'speech-node', 'transcription-node') group by 1 order by 1`,
      [id],
    );
    expect(rows).toEqual([
      { operation: 'image-node', rows: 1, paid: true },
      { operation: 'speech-node', rows: 1, paid: false },
      { operation: 'transcription-node', rows: 1, paid: true },
    ]);
    const [held] = await service.sql('select count(*)::int as count from budget_reservation where project_id = $1', [
      project,
    ]);
    expect(held).toEqual({ count: 0 });
  });
});

describe('a worker that dies while a message of a scenario creates an image', () => {
  const points: [string, string | undefined][] = [
    ['upload.stored', IMAGES],
    ['run-image.stored', undefined],
    ['paid.before-record', undefined],
    ['scenario-record.before:2', undefined],
    ['scenario-record.after:2', undefined],
  ];

  it.each(faultPoints(points))('pays once and keeps one image (%s)', async (point, repeated) => {
    const create = async (path: string, body: object) =>
      (await service.rest('POST', `/api/v1/${path}`, { body: { project, ...body } })).body.id;
    const prompt = await create('prompts/', { key: `p ${point}`, role: 'positive', content: 'A cat' });
    const parameters = { model_name: 'gpt-image-1' };
    const message = { key: `m ${point}`, prompts: [prompt], return_type: 'image', parameters };
    const messages = [await create('messages/', message)];
    const more = { category: 1, run_fee: 0, free_runs_per_user: 0 };
    const scenario = await create('scenarios/', { name: 'Images', messages, ...more });
    const run = (await service.rest('POST', '/api/v1/scenarioruns/run/', { body: { scenario } })).body.id;

    const read = async () => (await service.rest('GET', `/api/v1/scenarioruns/${run}/`)).body;
    const ended = await readAfterCrash(point, () =>
      eventually(read, ({ status }) => ['finished', 'error'].includes(status)),
    );
    expect(ended).toMatchObject({ status: 'finished', error: null, tokens: { prompt: 10, completion: 1_000 } });
    expectCalls([IMAGES], repeated);
    const files = await service.sql('select 1 from scenario_run_file where run_id = $1', [run]);
    expect(files).toHaveLength(1);
    await expectNoOrphans();
  });
});
