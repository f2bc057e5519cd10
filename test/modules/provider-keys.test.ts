import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { eventually } from '../support/eventually.js';
import { chain, llm, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type ChatUpstream, completion, json, startChatUpstream } from '../support/upstreams/chat-upstream.js';

let service: TestService;
let upstream: ChatUpstream;
let project: number;
let other: number;

const ATTACH = `mutation ($id: Int!, $input: ProviderKeyInput!) { providerKeyAttach(projectId: $id, input: $input) { providerKey {
  id provider name last4 baseUrl createdAt } } }`;
const KEYS = 'query ($id: Int!) { project(id: $id) { attachedProviderKeys { id provider name last4 baseUrl } } }';
const TEST = 'mutation ($id: Int!) { providerKeyTest(id: $id) { providerKeyTest { isAccepted modelsCount error } } }';
const DETACH = 'mutation ($id: Int!) { providerKeyDetach(id: $id) { providerKey { id name } } }';
const SERVICE_KEY = 'sk-service-0123456789';

beforeAll(async () => {
  upstream = await startChatUpstream();
  upstream.respondWith((response, asked) =>
    asked.path.endsWith('/models')
      ? json({ data: [{ id: 'm' }] })(response, asked)
      : json(completion())(response, asked),
  );
  service = await startTestService({ openai: { baseUrl: `${upstream.origin}/v1`, apiKey: SERVICE_KEY } });
  const make = async (name: string) => (await service.rest('POST', '/api/v1/projects/', { body: { name } })).body.id;
  [project, other] = [await make('Keys'), await make('Other')];
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

async function attach(input: object, id = project) {
  return service.graphql(ATTACH, { id, input: { provider: 'OPENAI', name: 'Ours', ...input } });
}

function headersFor(id: number): Record<string, string> {
  return { Authorization: `Bearer ${service.key}`, 'X-Project-Id': String(id), 'Content-Type': 'application/json' };
}

function chat(model: string, projectId: number): Promise<Response> {
  return fetch(`${service.url}/v1/chat/completions`, {
    method: 'POST',
    headers: headersFor(projectId),
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });
}

async function run(model: string, id = project) {
  const data = chain(trigger(), llm('Hello', model), output());
  const made = await service.rest('POST', '/api/v1/workflows/', { body: { project: id, title: 'W', data } });
  const check = await service.rest('GET', `/api/v1/workflows/${made.body.id}/check_workflow/`);
  const started = await service.rest('POST', `/api/v1/workflows/${made.body.id}/run/`, { body: {} });
  return { isValid: check.body.is_valid, status: started.body.status, id: started.body.data.id };
}

/** The key in the last request to the provider. */
const lastKey = () => upstream.requests.at(-1)?.headers.authorization;

it('a key is attached, shown by its last four characters, used first, tested, and detached', async () => {
  const key = 'sk-project-abcdefgh-1234';
  const { data } = await attach({ key });
  const { id, ...shown } = data.providerKeyAttach.providerKey;
  expect(shown).toEqual({
    provider: 'OPENAI',
    name: 'Ours',
    last4: '1234',
    baseUrl: null,
    createdAt: expect.any(String),
  });
  const listed = await service.graphql(KEYS, { id: project });
  expect(listed.data.project.attachedProviderKeys).toEqual([
    { id, provider: 'OPENAI', name: 'Ours', last4: '1234', baseUrl: null },
  ]);
  const rest = await service.rest('GET', `/api/v1/projects/${project}/`);
  expect(rest.body.attached_provider_keys).toEqual([
    { id, provider: 'openai', name: 'Ours', last4: '1234', created_at: shown.createdAt },
  ]);
  expect(JSON.stringify(await service.sql('select * from provider_key'))).not.toContain(key);

  await chat('gpt-4o-mini', project);
  expect(lastKey()).toBe(`Bearer ${key}`);
  await chat('gpt-4o-mini', other);
  expect(lastKey()).toBe(`Bearer ${SERVICE_KEY}`);
  const { id: runId } = await run('gpt-4o-mini');
  await awaitFinish(service, runId);
  expect(lastKey()).toBe(`Bearer ${key}`);

  const tested = await service.graphql(TEST, { id });
  expect(tested.data.providerKeyTest.providerKeyTest).toEqual({ isAccepted: true, modelsCount: 1, error: null });
  expect(lastKey()).toBe(`Bearer ${key}`);

  expect((await service.graphql(DETACH, { id })).data.providerKeyDetach.providerKey).toEqual({ id, name: 'Ours' });
  await chat('gpt-4o-mini', project);
  expect(lastKey()).toBe(`Bearer ${SERVICE_KEY}`);
  expect((await service.graphql(DETACH, { id })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');

  const log = await service.graphql(`{ auditLog(projectId: ${project}) { items { action objectType detail } } }`);
  expect(log.data.auditLog.items.map((one: { action: string }) => one.action).slice(0, 2)).toEqual([
    'provider-key.detach',
    'provider-key.attach',
  ]);
  expect(JSON.stringify(log.data)).not.toContain(key);
});

it('the newest of several keys for one provider is used', async () => {
  const ids: number[] = [];
  for (const key of ['sk-first-key-1', 'sk-second-key-2'])
    ids.push((await attach({ key })).data.providerKeyAttach.providerKey.id);
  await chat('gpt-4o-mini', project);
  expect(lastKey()).toBe('Bearer sk-second-key-2');
  for (const id of ids) await service.graphql(DETACH, { id });
});

it('a key enables providers that the service has none for: in chats, checks and runs', async () => {
  upstream.respondWith(
    json({
      content: [{ type: 'text', text: 'Hi.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
  const bare = await startTestService({ openai: { baseUrl: undefined, apiKey: undefined } }, service.database);
  const before = service;
  service = bare;
  try {
    expect((await chat('claude-haiku-4-5', other)).status).toBe(400);
    expect(await run('claude-haiku-4-5', other)).toMatchObject({ isValid: false, status: 422 });
    const input = { provider: 'ANTHROPIC', key: 'sk-anthropic-key', baseUrl: `${upstream.origin}/mine` };
    const { id } = (await attach(input, other)).data.providerKeyAttach.providerKey;
    const answer = await chat('claude-haiku-4-5', other);
    expect(((await answer.json()) as any).choices[0].message.content).toBe('Hi.');
    expect(upstream.requests.at(-1)).toMatchObject({
      path: '/mine/v1/messages',
      headers: { 'x-api-key': 'sk-anthropic-key' },
    });
    const started = await run('claude-haiku-4-5', other);
    expect(started).toMatchObject({ isValid: true, status: 201 });
    const result = await awaitFinish(service, started.id);
    expect(result.output).toBe('Hi.');
    // The ledger is written after the response.
    const { data } = await eventually(
      () =>
        service.graphql('query ($id: Int!) { chatTransactions(projectId: $id) { items { reason } } }', { id: other }),
      answered => Boolean(answered.data.chatTransactions.items[0]?.reason),
    );
    expect(data.chatTransactions.items[0].reason).toContain('key of the project');
    await service.graphql(DETACH, { id });
    expect((await chat('claude-haiku-4-5', other)).status).toBe(400);
  } finally {
    service = before;
    await bare.stop();
  }
});

it('a key’s address is subject to the rules for all addresses of users', async () => {
  const guarded = await startTestService({ role: 'api', outboundAllow: [] }, service.database);
  const { id } = (await attach({ key: 'sk-wandering-key', baseUrl: `${upstream.origin}/v1` })).data.providerKeyAttach
    .providerKey;
  const callsBefore = upstream.requests.length;
  const tested = await guarded.graphql(TEST, { id });
  expect(tested.data.providerKeyTest.providerKeyTest).toMatchObject({
    isAccepted: false,
    error: expect.stringContaining('not allowed'),
  });
  const answer = await fetch(`${guarded.url}/v1/chat/completions`, {
    method: 'POST',
    headers: headersFor(project),
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: 'upstream_unreachable' } }]);
  expect(upstream.requests.length).toBe(callsBefore);
  await service.graphql(DETACH, { id });
  await guarded.stop();
});

describe('a key is refused', () => {
  it.each([
    ['a key with spaces', { key: 'sk with spaces' }, 'key'],
    ['a short key', { key: 'sk' }, 'key'],
    ['a key beyond Latin', { key: 'sk-ключ-ключ' }, 'key'],
    ['a blank name', { key: 'sk-0123456789', name: ' ' }, 'name'],
    ['an address of another protocol', { key: 'sk-0123456789', baseUrl: 'ftp://x/' }, 'baseUrl'],
    ['an address with credentials', { key: 'sk-0123456789', baseUrl: 'https://a:b@example.com/' }, 'baseUrl'],
  ])('%s', async (_title, input, field) => {
    const { errors } = await attach(input);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: { [field]: expect.any(Array) } });
  });

  it('beyond twenty of a project', async () => {
    const crowded = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Crowded' } })).body.id;
    const many = await Promise.all(
      Array.from({ length: 22 }, (_, at) => attach({ key: `sk-key-number-${at}` }, crowded)),
    );
    expect(many.filter(({ errors }) => errors?.[0]?.extensions.code === 'CONFLICT')).toHaveLength(2);
  });
});
