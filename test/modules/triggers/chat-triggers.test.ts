import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, edge, field, graph, http, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let project: number;
let echo: number;

beforeAll(async () => {
  service = await startTestService();
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Chats' } })).body.id;
  const value = '{{ input.message }} after {{ input.history | json }}';
  echo = await createWorkflow(chain(trigger(field('message')), output(value)));
});
afterAll(() => service?.stop());

async function createWorkflow(data: unknown): Promise<number> {
  return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
}

async function createChat(chat: object = {}, workflow = echo) {
  const body = { name: 'Help', chat };
  const answer = await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ kind: 'chat' })]);
  return answer.body as { id: number; path: string };
}

async function send(path: string, conversation: string, text: unknown, message: string = randomUUID()) {
  const body = JSON.stringify({ conversation_id: conversation, message_id: message, text });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${service.url}${path}/messages`, { method: 'POST', headers, body });
  const content = await answer.text();
  const events = [...content.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => ({
    event,
    data: JSON.parse(data!),
  }));
  return { status: answer.status, events, last: events.at(-1)?.data, content };
}

async function read(path: string, conversation?: string) {
  const headers = conversation === undefined ? {} : { 'X-Conversation': conversation };
  const answer = await fetch(`${service.url}${path}/conversation`, { headers: headers as Record<string, string> });
  return { status: answer.status, body: (await answer.json()) as any };
}

const log = async (id: number) => (await service.rest('GET', `/api/v1/triggers/${id}/log/`)).body.items;
const policyOf = (answer: Response) => answer.headers.get('content-security-policy');

describe('a chat', () => {
  it('has a page that only allowed origins may frame, and a script that embeds it', async () => {
    const { path } = await createChat({ allowed_origins: ['https://shop.example', 'http://localhost:8080'] });
    expect(path).toMatch(/^\/chats\/[\w-]{43}$/);
    const page = await fetch(service.url + path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(policyOf(page)).toContain("default-src 'none'; script-src 'self'");
    expect(policyOf(page)).toMatch(/frame-ancestors https:\/\/shop\.example http:\/\/localhost:8080$/);
    const script = await fetch(`${service.url}${path}/embed.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(await script.text()).toContain('iframe');
  });

  it('without allowed origins cannot be embedded', async () => {
    const { path } = await createChat();
    expect(policyOf(await fetch(service.url + path))).toMatch(/frame-ancestors 'none'$/);
    expect((await fetch(`${service.url}${path}/embed.js`)).status).toBe(404);
    const unknown = await fetch(`${service.url}/chats/unknown`);
    expect([unknown.status, policyOf(unknown)]).toEqual([404, expect.stringMatching(/frame-ancestors 'none'$/)]);
    expect((await read('/chats/unknown')).status).toBe(404);
  });

  it('answers messages with their history, once each, and keeps them', async () => {
    const { id, path } = await createChat({ title: 'Ask us', greeting: 'Hello!' });
    expect((await read(path)).body).toEqual({ title: 'Ask us', greeting: 'Hello!', messages: [] });
    const [conversation, message] = [randomUUID(), randomUUID()];
    const first = await send(path, conversation, ' One ', message);
    expect(first.events.map(({ event }) => event)).toEqual(['message', 'answer']);
    expect(first.last).toMatchObject({ text: 'One', state: 'answered', answer: 'One after []' });
    expect((await send(path, conversation, 'One', message)).last).toEqual(first.last);
    const second = await send(path, conversation, 'Two');
    const history = [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'One after []' },
    ];
    expect(JSON.parse(second.last.answer.replace('Two after ', ''))).toEqual(history);
    const { messages } = (await read(path, conversation)).body;
    expect(messages).toEqual([first.last, second.last]);
    expect((await read(path, randomUUID())).body.messages).toEqual([]);
    const entries = await log(id);
    expect(entries.map((entry: { outcome: string; run_id: string }) => [entry.outcome, entry.run_id])).toEqual([
      ['started', second.last.id],
      ['started', first.last.id],
    ]);
  });

  it('maps messages to the input, and gives runs another conversation id', async () => {
    const value = '{{ input.question }} {{ input.conversation }}';
    const workflow = await createWorkflow(chain(trigger(field('question')), output(value)));
    const mapping = { question: 'Q: {{ input.message }}', conversation: '{{ input.conversation_id }}' };
    const { path } = await createChat({ mapping }, workflow);
    const conversation = randomUUID();
    const { last } = await send(path, conversation, 'Why?');
    expect(last.answer).toMatch(/^Q: Why\? [0-9a-f-]{36}$/);
    expect(last.answer).not.toContain(conversation);
  });

  it('shows steps if its settings say so, answers later, and has at most three unanswered messages', async () => {
    const [start, wait, end] = [
      trigger(),
      node('wait-node', { event: 'go', label: 'Ask a colleague' }),
      output('done'),
    ];
    const waiting = await createWorkflow(graph([start, wait, end], [edge(start, wait), edge(wait, end, 'received')]));
    const { path } = await createChat({ wait_seconds: 6, shows_steps: true }, waiting);
    const conversation = randomUUID();
    const { events, last } = await send(path, conversation, 'Hi');
    expect(events).toContainEqual({ event: 'step', data: { label: 'Ask a colleague' } });
    expect(last).toMatchObject({ state: 'pending', answer: null });
    expect((await read(path, conversation)).body.messages).toMatchObject([{ state: 'pending' }]);
    const more = await Promise.all([send(path, conversation, 'And?'), send(path, conversation, 'And?')]);
    expect(more.map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(path, conversation, 'And?')).status).toBe(409);
    await service.rest('POST', `/api/v1/projects/${project}/workflow-events/`, { body: { name: 'go', payload: {} } });
    await eventually(
      async () => (await read(path, conversation)).body.messages,
      messages => messages.every((each: { answer: string }) => each.answer === 'done'),
    );
  });

  it('counts the bytes of messages and answers', async () => {
    const { id, path } = await createChat();
    const { last } = await send(path, randomUUID(), 'Hi');
    const counted = await service.sql('select byte_count from trigger_conversation where trigger_id = $1', [id]);
    expect(counted).toEqual([{ byte_count: 'Hi'.length + last.answer.length }]);
  });

  it('says that a run failed or was refused', async () => {
    const conversation = randomUUID();
    const required = await createWorkflow(chain(trigger(field('must', { input_requirements: true })), output('x')));
    const refusing = await createChat({}, required);
    expect((await send(refusing.path, conversation, 'Hi')).last).toMatchObject({ state: 'failed', answer: null });
    expect((await log(refusing.id))[0]).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
    const failing = await createChat(
      {},
      await createWorkflow(chain(trigger(), http('http://127.0.0.1:1/'), output('x'))),
    );
    expect((await send(failing.path, conversation, 'Hi')).last).toMatchObject({ state: 'failed', answer: null });
  });

  it('refuses wrong messages and those of a closed chat', async () => {
    const { id, path } = await createChat();
    const conversation = randomUUID();
    expect((await send(path, 'x', '')).status).toBe(400);
    expect((await send(path, conversation, 'x'.repeat(8_001))).status).toBe(400);
    expect((await send(path, conversation, '\u0000')).status).toBe(400);
    const form = await fetch(`${service.url}${path}/messages`, { method: 'POST', body: 'text=x' });
    expect(form.status).toBe(400);
    await service.rest('POST', `/api/v1/workflows/${echo}/pause/`);
    expect(await send(path, conversation, 'Hi')).toMatchObject({
      status: 409,
      content: expect.stringContaining('closed'),
    });
    await service.rest('POST', `/api/v1/workflows/${echo}/resume/`);
    const rotated = await service.rest('POST', `/api/v1/triggers/${id}/rotate/`);
    expect(rotated.body.path).not.toBe(path);
    expect((await send(path, conversation, 'Hi')).status).toBe(404);
  });

  it('is refused with all its wrong settings when it is saved', async () => {
    const chat = {
      allowed_origins: ['https://shop.example/path'],
      wait_seconds: 61,
      mapping: { a: '{{ input.body }}' },
    };
    const body = { name: 'C', chat };
    const answer = await service.rest('POST', `/api/v1/workflows/${echo}/triggers/`, { body });
    expect([answer.status, Object.keys(answer.body).toSorted()]).toEqual([
      400,
      ['chat.allowed_origins', 'chat.mapping', 'chat.wait_seconds'],
    ]);
  });
});
