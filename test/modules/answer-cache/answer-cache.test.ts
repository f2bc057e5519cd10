import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { LanguageModel, ModelAnswer } from '../../../src/engine/ports.js';
import {
  type AnswerCache,
  type CachedAnswer,
  withCachedAnswers,
} from '../../../src/engine/workflow/nodes/ai/cached-answers.js';
import { deleteOldAnswers } from '../../../src/modules/answer-cache/answer-retention.sql.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';
import { formOf } from '../../support/forms.js';
import { chain, type GraphNode, llm, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

/** Cost of a call to the stub at the price of the default model. */
const CALL_USD = '0.00045';

let upstream: StubUpstream;
let service: TestService;
let database: Database;
let project: number;

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  database = await openDatabase(service.database);
});
afterAll(async () => {
  await database?.close();
  await service?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  project = await createProject();
  upstream.requests.length = 0;
  upstream.respondWith(() => ({ content: `answer ${upstream.requests.length}` }));
});

const createProject = async (): Promise<number> =>
  (await service.rest('POST', '/api/v1/projects/', { body: { name: 'p' } })).body.id;

const RUN = `query ($id: UUID!) { workflowRun(id: $id) {
  cost { usd } billingTransactions { items { operation amount { usd } } }
  nodes { content usage { totalTokens costUsd savedUsd } }
} }`;

/** Runs an LLM node with further settings to its end. */
function run(data: object, prompt = 'What is tea?', projectId = project) {
  const asking = llm(prompt, 'gpt-4o-mini');
  return runNode({ ...asking, data: { ...asking.data, ...data } }, projectId);
}

async function runNode(asking: GraphNode, projectId = project) {
  const graph = chain(trigger(), asking, output('{{ previous.content }}'));
  const body = { project: projectId, title: 'w', data: graph };
  const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body;
  const started = await service.graphql(
    'mutation ($id: Int!) { workflowRunStart(workflowId: $id, input: {}, waitSeconds: 30) { receipt { run { id } } errors { message } } }',
    { id },
  );
  const { data: read } = await service.graphql(RUN, { id: started.data.workflowRunStart.receipt.run.id });
  const { cost, nodes } = read.workflowRun;
  const { content, usage } = nodes.find((one: { usage: object | null }) => one.usage !== null);
  return { content, cost: cost.usd, ...usage };
}

it('an equal request of the project is answered from the cache, free of charge, and states what was saved', async () => {
  const first = await run({ cache_seconds: 60 });
  expect(first).toMatchObject({ content: 'answer 1', cost: CALL_USD, costUsd: CALL_USD, savedUsd: null });
  expect(await run({ cache_seconds: 3_600 })).toEqual({
    ...{ content: 'answer 1', cost: '0', totalTokens: 0, costUsd: '0', savedUsd: CALL_USD },
  });
  expect(upstream.requests).toHaveLength(1);
});

it('another request, project or node without the setting calls the model', async () => {
  await run({ cache_seconds: 60 });
  for (const other of [
    await run({ cache_seconds: 60 }, 'What is coffee?'),
    await run({ cache_seconds: 60, settings: { model_name: 'gpt-4o-mini', temperature: 0.5 } }),
    await run({ cache_seconds: 60 }, 'What is tea?', await createProject()),
    await run({}),
  ])
    expect(other).toMatchObject({ cost: CALL_USD, savedUsd: null });
  expect(upstream.requests).toHaveLength(5);
});

it('vectors of equal texts come from the cache, free of charge', async () => {
  upstream.answers.set('/v1/embeddings', {
    data: [0, 1].map(index => ({ index, embedding: [index, 0.5] })),
    usage: { prompt_tokens: 1_000, total_tokens: 1_000 },
  });
  const embed = (input: string[], data: object = {}) =>
    runNode(node('embedding-node', { input, settings: { model_name: 'text-embedding-3-small' }, ...data }));
  const calls = () => upstream.calls.filter(({ path }) => path === '/v1/embeddings').length;
  const first = await embed(['a', 'b'], { cache_seconds: 60 });
  expect(first.content).toBe('{"embeddings":[[0,0.5],[1,0.5]],"dimensions":2,"model":"text-embedding-3-small"}');
  expect(first).toMatchObject({ cost: '0.00002', costUsd: '0.00002', savedUsd: null });
  const again = { cost: '0', costUsd: '0', totalTokens: 0, savedUsd: first.costUsd, content: first.content };
  expect(await embed(['a', 'b'], { cache_seconds: 60 })).toEqual(again);
  // Also through a recorded step, which fallback models need.
  expect(await embed(['a', 'b'], { cache_seconds: 60, fallback_models: ['echo'] })).toEqual(again);
  expect(calls()).toBe(1);
  await embed(['b', 'a'], { cache_seconds: 60 });
  await embed(['a', 'b'], { cache_seconds: 60, dimensions: 2 });
  await embed(['a', 'b']);
  expect(calls()).toBe(4);
});

it('the transcript of an equal recording comes from the cache', async () => {
  const usage = { type: 'tokens', input_tokens: 1_000, output_tokens: 100 };
  upstream.answers.set('/v1/audio/transcriptions', { text: 'Hello', usage });
  const upload = async (recording: string) => {
    const body = formOf(
      { project: String(project) },
      { file: ['a.mp3', Buffer.from(`\u00ff\u0000\u00fb${recording}`, 'latin1')] },
    );
    return (await service.rest('POST', '/api/v1/files/', { body })).body.file_id;
  };
  const transcribe = async (recording: string) =>
    runNode(
      node('transcription-node', {
        ...{ file: await upload(recording), settings: { model_name: 'gpt-4o-transcribe' }, cache_seconds: 60 },
      }),
    );
  const calls = () => upstream.calls.filter(({ path }) => path === '/v1/audio/transcriptions').length;
  expect(await transcribe('one')).toMatchObject({ content: 'Hello', savedUsd: null });
  // Another file with the same recording.
  expect(await transcribe('one')).toMatchObject({ content: 'Hello', cost: '0', totalTokens: 0 });
  expect(calls()).toBe(1);
  await transcribe('two');
  expect(calls()).toBe(2);
});

it('answers become too old, are encrypted, and are deleted when they expire or are too many', async () => {
  await run({ cache_seconds: 60 });
  const [row] = await service.sql('select sealed_answer as sealed from cached_answer where project_id = $1', [project]);
  expect(row!.sealed).not.toContain('answer');
  await service.sql(`update cached_answer set created_at = created_at - interval '30 seconds'`);
  expect((await run({ cache_seconds: 20 })).content).toBe('answer 2');
  expect((await run({ cache_seconds: 20 })).content).toBe('answer 2');
  await run({ cache_seconds: 20 }, 'What is coffee?');
  const count = async () =>
    (await service.sql('select count(*)::int as count from cached_answer where project_id = $1', [project]))[0]!.count;
  // At most one answer of each project.
  await deleteOldAnswers(database, 1);
  expect(await count()).toBe(1);
  await service.sql(`update cached_answer set expires_at = now() - interval '1 second'`);
  expect((await run({ cache_seconds: 20 }, 'What is coffee?')).content).toBe('answer 4');
  await service.sql(`update cached_answer set expires_at = now() - interval '1 second'`);
  await deleteOldAnswers(database);
  expect(await count()).toBe(0);
});

it('a setting out of range is reported by the check', async () => {
  const body = { project, title: 'w', data: chain(trigger(), withCache(0), output()) };
  const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body;
  const check = await service.rest('GET', `/api/v1/workflows/${id}/check_workflow/`, {});
  expect(JSON.stringify(check.body)).toContain('cache_seconds');
});

const withCache = (seconds: number) => {
  const node = llm('x', 'gpt-4o-mini');
  return { ...node, data: { ...node.data, cache_seconds: seconds } };
};

it('a call whose process died between its answer and the record of the run is charged once it resumes', async () => {
  const kept = new Map<string, CachedAnswer>();
  const cache: AnswerCache = {
    find: async request => kept.get(JSON.stringify(request)) ?? null,
    keep: async (request, answer) => void kept.set(JSON.stringify(request), answer),
  };
  const usage = { provider: 'p', model: 'm', promptTokens: 10, completionTokens: 5, costUsd: '0.1' };
  const answers: ModelAnswer[] = [];
  const model: LanguageModel = {
    complete: async () => {
      const answer: ModelAnswer = {
        text: 'a',
        usage: { ...usage, finishReason: answers.length === 0 ? 'stop' : 'length' },
      };
      answers.push(answer);
      return answer;
    },
  };
  const cached = withCachedAnswers(model, cache);
  const ask = (text: string, idempotencyKey: string) =>
    cached.complete(
      { messages: [{ role: 'user', content: text }], settings: { model_name: 'm' }, cacheSeconds: 60 },
      { signal: AbortSignal.timeout(10_000), idempotencyKey },
    );
  const paid = await ask('x', 'first');
  expect((await ask('x', 'first')).usage).toEqual(paid.usage);
  expect((await ask('x', 'second')).usage).toEqual({
    ...{ provider: 'p', model: 'm', finishReason: 'stop' },
    ...{ promptTokens: 0, completionTokens: 0, costUsd: '0', savedUsd: '0.1' },
  });
  expect(answers).toHaveLength(1);
  // An incomplete answer is not kept.
  await ask('y', 'third');
  await ask('y', 'fourth');
  expect(answers).toHaveLength(3);
});
