import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { type ChatUpstream, chunk, completion, eventOf, json } from '../../support/upstreams/chat-upstream.js';
import {
  byPath,
  message,
  messageEvents,
  namedEvent,
  namedEvents,
  response,
  responseEvents,
  vectors,
} from '../../support/upstreams/model-responses.js';
import { anthropicOf, collect, failureOf, type ModelService, openaiOf, startModelService } from './model-clients.js';

let started: ModelService;
let service: TestService;
let upstream: ChatUpstream;
let count = 0;

const messages = [{ role: 'user' as const, content: 'Hello, how are you?' }];
const TRANSACTIONS = `query ($project: Int) { chatTransactions(projectId: $project) { total items {
  operation status description reason amount { usd } usage { promptTokens completionTokens } } } }`;

beforeAll(async () => {
  started = await startModelService();
  ({ service, upstream } = started);
});
afterAll(() => started?.stop());

/** Creates a user with the official clients. With `projectId`, the clients of the administrator for that project. */
async function createPayer(projectId?: number) {
  const key = projectId === undefined ? (await service.createUser(`payer${++count}`)).key : service.key;
  const defaultHeaders = projectId === undefined ? {} : { 'X-Project-Id': String(projectId) };
  const access = { url: service.url, key };
  return { key, openai: openaiOf(access, { defaultHeaders }), anthropic: anthropicOf(access, { defaultHeaders }) };
}

/** Waits until a user or a project has this number of transactions, and returns them. */
async function waitForTransactions(rows: number, key: string, project: number | null = null): Promise<any[]> {
  const answer = await eventually(
    () => service.graphql(TRANSACTIONS, { project }, key),
    ({ data: { chatTransactions: page } }) => page.total >= rows && page.items.length >= rows,
  );
  expect(answer.data.chatTransactions.total).toBe(rows);
  return answer.data.chatTransactions.items;
}

type Payer = Awaited<ReturnType<typeof createPayer>>;

describe('a paid call writes one row', () => {
  const gpt = { description: 'openai/gpt-4o-mini', amount: { usd: '0.00045' } };
  const haiku = { description: 'anthropic/claude-haiku-4-5', amount: { usd: '0.0035' } };
  const fullUsage = { usage: { promptTokens: 1_000, completionTokens: 500 } };
  const responseRequest = { model: 'gpt-4o-mini', input: 'Hello' };
  const claude = { model: 'claude-haiku-4-5', max_tokens: 100, messages };
  const answers = byPath({
    '/v1/embeddings': json(vectors()),
    '/v1/responses': (answer, asked) =>
      (asked.body.stream ? namedEvents(...responseEvents('Hi')) : json(response()))(answer, asked),
    '/v1/chat/completions': json(completion()),
    '/anthropic/v1/messages': (answer, asked) =>
      (asked.body.stream ? namedEvents(...messageEvents('Hi')) : json(message()))(answer, asked),
  });

  it.each<[string, (by: Payer) => Promise<unknown>, object]>([
    [
      'of embeddings',
      ({ openai }) => openai.embeddings.create({ model: 'text-embedding-3-small', input: 'x' }),
      {
        description: 'openai/text-embedding-3-small',
        amount: { usd: '0.00002' },
        usage: { promptTokens: 1_000, completionTokens: 0 },
      },
    ],
    ['of a response', ({ openai }) => openai.responses.create(responseRequest), { ...gpt, ...fullUsage }],
    [
      'of a streamed response',
      async ({ openai }) => collect(await openai.responses.create({ ...responseRequest, stream: true })),
      { ...gpt, ...fullUsage },
    ],
    [
      'of a translated response',
      ({ openai }) => openai.responses.create({ ...responseRequest, model: 'claude-haiku-4-5' }),
      { ...haiku, ...fullUsage },
    ],
    [
      'of a translated stream',
      async ({ openai }) =>
        collect(await openai.responses.create({ ...responseRequest, model: claude.model, stream: true })),
      { ...haiku, ...fullUsage },
    ],
    ['of a message', ({ anthropic }) => anthropic.messages.create(claude), { ...haiku, ...fullUsage }],
    [
      'of a streamed message',
      ({ anthropic }) => anthropic.messages.stream(claude).finalMessage(),
      { ...haiku, ...fullUsage },
    ],
    [
      'of a translated message',
      ({ anthropic }) => anthropic.messages.create({ ...claude, model: 'gpt-4o-mini' }),
      { ...gpt, ...fullUsage },
    ],
  ])('%s', async (_, call, row) => {
    upstream.respondWith(answers);
    const by = await createPayer();
    await call(by);
    const common = { operation: 'chat-completion', status: 'SUCCEEDED', reason: '' };
    expect(await waitForTransactions(1, by.key)).toEqual([{ ...common, ...row }]);
  });
});

it('a refused call writes no row', async () => {
  const { key, openai, anthropic } = await createPayer();
  upstream.respondWith(json({ error: { message: 'no' } }, 400));
  await failureOf(openai.embeddings.create({ model: 'm', input: 'x' }));
  await failureOf(openai.responses.create({ model: 'gpt-4o', input: 'x' }));
  await failureOf(openai.responses.create({ model: 'echo', input: 'x', previous_response_id: 'r' }));
  await failureOf(anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 1, messages }));
  await openai.embeddings.create({ model: 'echo', input: 'x' });
  expect(await waitForTransactions(1, key)).toMatchObject([{ description: 'echo/echo', amount: { usd: '0' } }]);
});

describe('a stream whose client disconnects is charged for what was sent until then', () => {
  it('when it is passed on unchanged', async () => {
    const { key, openai } = await createPayer();
    upstream.respondWith(answer => {
      const [first, second] = responseEvents('I am fine', '');
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(namedEvent(first!) + namedEvent(second!));
    });
    for await (const { type } of await openai.responses.create({ model: 'gpt-4o-mini', input: 'Hi', stream: true }))
      if (type === 'response.output_text.delta') break;
    expect(await waitForTransactions(1, key)).toMatchObject([
      {
        status: 'FAILED',
        reason: expect.stringMatching(/counted.*disconnected/),
        usage: { promptTokens: 1, completionTokens: 3 },
      },
    ]);
  });

  it('when it is translated', async () => {
    const { key, anthropic } = await createPayer();
    upstream.respondWith(answer => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(eventOf(chunk({ content: 'I am fine' })));
    });
    const sent = { model: 'gpt-4o-mini', max_tokens: 9, messages, stream: true as const };
    for await (const { type } of await anthropic.messages.create(sent)) if (type === 'content_block_delta') break;
    expect(await waitForTransactions(1, key)).toMatchObject([
      { status: 'FAILED', reason: expect.stringMatching(/disconnected/), usage: { completionTokens: 3 } },
    ]);
  });
});

it('a spending limit refuses with 402 before the call, in the format of the API', async () => {
  const { id } = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Poor' } })).body;
  const set = 'mutation ($id: Int!) { projectBudgetSet(projectId: $id, limitUsd: "0.000001") { project { id } } }';
  await service.graphql(set, { id });
  const { openai, anthropic } = await createPayer(id);
  upstream.requests.length = 0;
  const text = 'word '.repeat(1_000);
  const failures = [
    await failureOf(openai.embeddings.create({ model: 'text-embedding-3-small', input: text })),
    await failureOf(openai.responses.create({ model: 'gpt-4o-mini', input: text })),
    await failureOf(anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 9, messages })),
  ];
  expect(failures.map(({ status }) => status)).toEqual([402, 402, 402]);
  expect(failures.map(({ error }) => error.code ?? error.error.type)).toEqual([
    'budget_exceeded',
    'budget_exceeded',
    'billing_error',
  ]);
  expect(upstream.requests).toEqual([]);
  const reserved = `{ project(id: ${id}) { budget { reserved { usd } } } }`;
  expect((await service.graphql(reserved)).data.project.budget.reserved.usd).toBe('0');
  await waitForTransactions(0, service.key, id);
});
