import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { joinProject } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  type ChatUpstream,
  chunk,
  completion,
  eventOf,
  events,
  json,
  startChatUpstream,
  USAGE,
} from '../../support/upstreams/chat-upstream.js';
import { clientOf, failureOf, projectClientOf } from './chat-client.js';

let service: TestService;
let upstream: ChatUpstream;
let project: number;

const messages = [{ role: 'user' as const, content: 'Hello, how are you?' }];
const gpt = { model: 'gpt-4o-mini', messages };
/** 1,000 input and 500 output tokens. */
const PRICE = '0.00045';
const TRANSACTIONS = `query ($project: Int) { chatTransactions(projectId: $project) { total items {
  operation status description reason amount { usd } usage { promptTokens completionTokens costUsd } } } }`;

beforeAll(async () => {
  upstream = await startChatUpstream();
  service = await startTestService({
    role: 'api',
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' },
  });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Chat' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(() => upstream.respondWith(json(completion())));

const clientWith = (key: string, projectId?: number) => projectClientOf({ url: service.url, key }, projectId);

/** The transactions of a user or of a project, once there are this many. */
async function transactions(count: number, key: string, projectId?: number): Promise<any[]> {
  const answer = await eventually(
    () => service.graphql(TRANSACTIONS, { project: projectId ?? null }, key),
    // Page and total are read separately.
    ({ data: { chatTransactions: page } }) => page.total >= count && page.items.length >= Math.min(count, 10),
  );
  expect(answer.data.chatTransactions.total).toBe(count);
  return answer.data.chatTransactions.items;
}

describe('the cost of a completion', () => {
  it('is recorded for the key and its user', async () => {
    const { key } = await service.createUser('payer');
    await clientWith(key).chat.completions.create(gpt);
    expect(await transactions(1, key)).toEqual([
      {
        operation: 'chat-completion',
        status: 'SUCCEEDED',
        description: 'openai/gpt-4o-mini',
        reason: '',
        amount: { usd: PRICE },
        usage: { promptTokens: 1_000, completionTokens: 500, costUsd: PRICE },
      },
    ]);
    const { data } = await service.graphql('{ apiKeys { items { totalSpent { usd } } } }', {}, key);
    expect(data.apiKeys.items).toEqual([{ totalSpent: { usd: PRICE } }]);
  });

  it('is recorded for the project that is named', async () => {
    const spent = async () => (await service.rest('GET', `/api/v1/projects/${project}/`)).body.total_spent.USD;
    expect(await spent()).toBe('0');
    await clientWith(service.key, project).chat.completions.create(gpt);
    await transactions(1, service.key, project);
    expect(await spent()).toBe(PRICE);
  });

  it('is taken from the usage that the stream reports', async () => {
    const { key } = await service.createUser('streamer');
    upstream.respondWith(
      events(chunk({ content: 'a' }), chunk({}, 'stop'), chunk({}, null, { choices: [], usage: USAGE }), '[DONE]'),
    );
    const streamed = { ...gpt, stream: true as const, stream_options: { include_usage: true } };
    for await (const _ of await clientWith(key).chat.completions.create(streamed));
    expect(await transactions(1, key)).toMatchObject([
      { status: 'SUCCEEDED', reason: '', amount: { usd: PRICE }, usage: { promptTokens: 1_000 } },
    ]);
  });

  it('is counted where the stream reports no usage', async () => {
    const { key } = await service.createUser('counter');
    upstream.respondWith(events(chunk({ content: 'I am' }), chunk({ content: ' fine, thank you.' }, 'stop'), '[DONE]'));
    for await (const _ of await clientWith(key).chat.completions.create({ ...gpt, stream: true }));
    const [row] = await transactions(1, key);
    expect(row).toMatchObject({ status: 'SUCCEEDED', reason: expect.stringContaining('counted') });
    // The tokenizer's figures: six words and punctuation marks of input, and the overhead of the format.
    expect(row.usage).toMatchObject({ promptTokens: 6 + 6, completionTokens: 7 });
    expect(Number(row.amount.usd)).toBeGreaterThan(0);
  });

  it('of a stream that its client left is counted up to then', async () => {
    const { key } = await service.createUser('leaver');
    upstream.respondWith(response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(eventOf(chunk({ content: 'I am fine' })));
    });
    for await (const _ of await clientWith(key).chat.completions.create({ ...gpt, stream: true })) break;
    const [row] = await transactions(1, key);
    expect(row).toMatchObject({
      status: 'FAILED',
      reason: expect.stringContaining('The client disconnected'),
      usage: { completionTokens: 3 },
    });
  });

  it('is reported as unknown where it is', async () => {
    const { key } = await service.createUser('pioneer');
    await clientWith(key).chat.completions.create({ model: 'custom-model-7', messages });
    expect(await transactions(1, key)).toMatchObject([
      {
        reason: 'Not charged, because the price is unknown: custom-model-7.',
        amount: { usd: '0' },
        usage: { costUsd: null },
      },
    ]);
  });

  it('is nothing where the provider refused', async () => {
    const { key } = await service.createUser('refused');
    upstream.respondWith(json({ error: { message: 'no' } }, 400));
    await expect(clientWith(key).chat.completions.create(gpt)).rejects.toThrow('no');
    upstream.respondWith(json(completion()));
    await clientWith(key).chat.completions.create({ model: 'echo', messages });
    expect(await transactions(1, key)).toMatchObject([{ description: 'echo/echo', amount: { usd: '0' } }]);
  });
});

describe('a project', () => {
  it('beyond its limit refuses with 402, and refused calls reserve nothing', async () => {
    const { id } = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Poor' } })).body;
    const set =
      'mutation ($id: Int!, $limit: Decimal) { projectBudgetSet(projectId: $id, limitUsd: $limit) { project { id } } }';
    const budget = async () => {
      const { data } = await service.graphql(`{ project(id: ${id}) { budget { reserved { usd } spent { usd } } } }`);
      return data.project.budget;
    };
    await service.graphql(set, { id, limit: '0.01' });
    const client = clientWith(service.key, id);
    await client.chat.completions.create({ ...gpt, max_tokens: 10 });
    await transactions(1, service.key, id);
    expect(await budget()).toEqual({ reserved: { usd: '0' }, spent: { usd: PRICE } });
    const tooDear = await failureOf(client.chat.completions.create({ ...gpt, max_tokens: 100_000 }));
    expect([tooDear.status, tooDear.code, tooDear.type]).toEqual([402, 'budget_exceeded', 'insufficient_quota']);
    upstream.respondWith(json({ error: { message: 'busy' } }, 503));
    expect((await failureOf(client.chat.completions.create({ ...gpt, max_tokens: 10 }))).status).toBe(503);
    expect(await budget()).toEqual({ reserved: { usd: '0' }, spent: { usd: PRICE } });
    await service.graphql(set, { id, limit: PRICE });
    expect((await failureOf(client.chat.completions.create({ model: 'echo', messages }))).status).toBe(402);
    await transactions(1, service.key, id);
  });

  it('is used by its editors', async () => {
    const [viewer, outsider] = [await service.createUser('looker'), await service.createUser('outsider')];
    await joinProject(service, project, viewer.email, 'viewer');
    const ask = (key: string, id: number) =>
      failureOf(clientWith(key, id).chat.completions.create({ model: 'echo', messages }));
    expect(await ask(viewer.key, project)).toMatchObject({ status: 403, code: 'permission_denied' });
    const [there, nowhere] = [await ask(outsider.key, project), await ask(outsider.key, 2_000_000_000)];
    expect([there.status, there.param, there.error]).toEqual([400, 'X-Project-Id', nowhere.error]);
    const odd = await fetch(`${service.url}/v1/models`, {
      headers: { Authorization: `Bearer ${service.key}`, 'X-Project-Id': 'x' },
    });
    expect([odd.status, await odd.json()]).toMatchObject([400, { error: { param: 'X-Project-Id' } }]);
  });
});

it('many simultaneous streams lose no event, and each is on the ledger', async () => {
  const { key } = await service.createUser('crowd');
  const words = Array.from({ length: 40 }, (_, at) => `${at} `);
  upstream.respondWith(async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const word of words) {
      response.write(eventOf(chunk({ content: word })));
      await new Promise(resolve => setImmediate(resolve));
    }
    response.end(eventOf('[DONE]'));
  });
  const client = clientWith(key);
  const texts = await Promise.all(
    Array.from({ length: 50 }, async () => {
      let text = '';
      for await (const event of await client.chat.completions.create({ ...gpt, stream: true }))
        text += event.choices[0]?.delta.content ?? '';
      return text;
    }),
  );
  expect(new Set(texts)).toEqual(new Set([words.join('')]));
  await transactions(50, key);
});

describe('fallbacks and retries of the operator', () => {
  it('are tried in their order when a provider fails, and charged by the model that answered', async () => {
    const other = await startTestService(
      {
        role: 'api',
        openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' },
        chatFallbacks: ['gpt-4o', 'echo'],
        chatRetries: 1,
      },
      service.database,
    );
    const asked: string[] = [];
    upstream.respondWith((response, one) => {
      asked.push(one.body.model);
      const status = { 'gpt-4o-mini': 503, 'gpt-4o': asked.length > 3 ? 200 : 429 }[one.body.model as string] ?? 400;
      return json(status === 200 ? completion() : { error: { message: 'no' } }, status, { 'retry-after-ms': '1' })(
        response,
        one,
      );
    });
    const { key } = await service.createUser('fallen');
    const client = clientOf({ url: other.url, key });
    await client.chat.completions.create(gpt);
    expect(asked).toEqual(['gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o', 'gpt-4o']);
    await expect(client.chat.completions.create({ ...gpt, model: 'bad' })).rejects.toThrow('no');
    expect(asked).toHaveLength(5);
    expect((await transactions(1, key))[0].description).toBe('openai/gpt-4o');
    await other.stop();
  });

  it('are reserved with the model that costs most, and left out when a limit does not permit that', async () => {
    const other = await startTestService(
      {
        role: 'api',
        openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' },
        chatFallbacks: ['gpt-4'],
      },
      service.database,
    );
    const answer = json({ error: { message: 'no' } }, 429);
    upstream.respondWith((response, one) =>
      one.body.model === 'gpt-4' ? json(completion())(response, one) : answer(response, one),
    );
    const limited = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Limited' } })).body.id;
    const setLimit = `mutation ($input: OperatorLimitInput!) { operatorLimitSet(input: $input) { errors { message } } }`;
    const limit = async (limitUsd: string) =>
      expect(
        (await service.graphql(setLimit, { input: { holder: { projectId: limited }, limitUsd } })).data.operatorLimitSet
          .errors,
      ).toEqual([]);
    const client = projectClientOf({ url: other.url, key: service.key }, limited);
    const ask = () => client.chat.completions.create({ ...gpt, max_tokens: 1_000 });

    // 1,000 output tokens of gpt-4 cost 0.06.
    await limit('0.01');
    const refused = await Promise.allSettled(Array.from({ length: 5 }, ask));
    expect(refused.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(upstream.requests.filter(({ body }) => body.model === 'gpt-4')).toHaveLength(0);
    await limit('0.1');
    expect((await ask()).choices).toHaveLength(1);
    await other.stop();
  });
});
