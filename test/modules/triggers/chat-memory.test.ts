import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, field, node, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { rehearsalSample, WHAT_IF } from '../rehearsals/rehearsal-sample.js';

const MODEL = 'gpt-4o-mini';
const TOKEN = 'a-very-secret-token';
const AGENT = randomUUID();

describe('an agent that remembers a chat', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
    project = await createProject();
  });
  beforeEach(() => {
    upstream.requests.length = 0;
    upstream.respondWith(({ messages }) => ({ content: `Answer to ${messages.at(-1).content}` }));
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  const createProject = async (): Promise<number> =>
    (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Memory' } })).body.id;

  const agentGraph = (memory: unknown, fields = [field('message')]) =>
    chain(
      trigger(...fields),
      node('agent-node', { messages: messagesWith('Be short.'), settings: { model_name: MODEL }, memory }, AGENT),
      output(),
    );
  const messagesWith = (instructions: string) => [
    { role: 'system', message: instructions },
    { role: 'user', message: '{{ input.message }}' },
  ];

  const createWorkflow = async (data: unknown, inProject = project): Promise<number> =>
    (await service.rest('POST', '/api/v1/workflows/', { body: { project: inProject, title: 'M', data } })).body.id;

  async function createChat(data: unknown, chat: object = {}): Promise<string> {
    return addChat(await createWorkflow(data), chat);
  }

  async function addChat(workflow: number, chat: object = {}): Promise<string> {
    const body = { name: 'Help', chat };
    return (await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, { body })).body.path;
  }

  async function send(path: string, conversation: string, text: string) {
    const body = JSON.stringify({ conversation_id: conversation, message_id: randomUUID(), text });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}${path}/messages`, { method: 'POST', headers, body });
    const [, data] = [...(await answer.text()).matchAll(/^event: answer\ndata: (.*)$/gm)].at(-1) ?? [];
    return JSON.parse(data!) as { id: string; answer: string; state: string };
  }

  const resultOf = (id: string) =>
    eventually(
      async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data,
      ({ status }: { status: string }) => ['succeed', 'failed'].includes(status),
    );
  const sent = () => upstream.requests.map(({ messages }) => messages);
  const system = { role: 'system', content: 'Be short.' };
  const user = (content: string) => ({ role: 'user', content });
  const assistant = (content: string) => ({ role: 'assistant', content });

  it('sends the first exchange with the second message, and not that of another visitor', async () => {
    // The mapping passes no history.
    const path = await createChat(agentGraph({}), { mapping: { message: '{{ input.message }}' } });
    const conversation = randomUUID();
    await send(path, randomUUID(), 'I am Bob.');
    await send(path, conversation, 'I am Ada.');
    const { answer } = await send(path, conversation, 'Who am I?');
    expect(answer).toBe('Answer to Who am I?');
    expect(sent().slice(1)).toEqual([
      [system, user('I am Ada.')],
      [system, user('I am Ada.'), assistant('Answer to I am Ada.'), user('Who am I?')],
    ]);
  });

  it('sends the newest messages only', async () => {
    const path = await createChat(agentGraph({ max_messages: 3 }));
    const conversation = randomUUID();
    for (const text of ['One', 'Two', 'Three']) await send(path, conversation, text);
    expect(sent().at(-1)).toEqual([system, user('Two'), assistant('Answer to Two'), user('Three')]);
  });

  it('sends the same messages when a run is forked or rehearsed after later ones', async () => {
    const workflow = await createWorkflow(agentGraph({}));
    const path = await addChat(workflow);
    const conversation = randomUUID();
    await send(path, conversation, 'One');
    const second = await send(path, conversation, 'Two');
    await send(path, conversation, 'Three');
    let original = second.id;
    for (let forks = 0; forks < 2; forks++) {
      const { data, errors } = await service.graphql(FORK, { id: original, nodeId: AGENT });
      expect(errors).toBeUndefined();
      original = data.workflowRunFork.receipt.data.id;
      expect(await resultOf(original)).toMatchObject({ status: 'succeed' });
      expect(sent().at(-1)).toEqual(sent()[1]);
    }
    expect(sent()).toHaveLength(5);
    // Rehearses the newest run, which is the fork of the fork.
    const change = { nodeId: AGENT, settings: { messages: messagesWith('Be long.') } };
    await rehearsalSample(service).rehearse(WHAT_IF, { id: workflow, change, runs: { last: 1 } });
    expect(sent().slice(5)).toEqual([[{ role: 'system', content: 'Be long.' }, ...sent()[1].slice(1)]]);
  });

  it('reads the conversation that it names, and fails for one of another project and for an unknown one', async () => {
    const chat = await createChat(agentGraph({}));
    const path = await createChat(chain(trigger(field('message')), output('{{ input.conversation_id }}')));
    const { answer: id } = await send(path, randomUUID(), 'I am Ada.');
    await send(chat, randomUUID(), 'Hi');
    const fields = [field('message'), field('conversation')];
    const graph = agentGraph({ conversation: '{{ input.conversation }}' }, fields);
    const start = async (workflow: number, conversation: string) => {
      const input = { message: 'Who?', conversation };
      const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input });
      return resultOf(body.data.id);
    };
    const own = await createWorkflow(graph);
    expect(await start(own, id)).toMatchObject({ status: 'succeed' });
    expect(sent().at(-1)).toEqual([system, user('I am Ada.'), assistant(id), user('Who?')]);
    const calls = sent().length;
    const foreign = await createWorkflow(graph, await createProject());
    for (const [workflow, conversation] of [
      [foreign, id],
      [own, randomUUID()],
      [own, 'x'],
    ] as const) {
      const refused = await start(workflow, conversation);
      expect(refused).toMatchObject({ status: 'failed' });
      expect(JSON.stringify(refused)).toContain('conversation_not_found');
    }
    expect(sent()).toHaveLength(calls);
    // A run without a chat has no messages to add.
    const none = await createWorkflow(agentGraph({}));
    expect(await start(none, '')).toMatchObject({ status: 'succeed' });
    expect(sent().at(-1)).toEqual([system, user('Who?')]);
  });

  it('masks the secrets of the run in earlier messages', async () => {
    const body = { project, name: 'TOKEN', value: TOKEN, is_secret: true };
    expect((await service.rest('POST', '/api/v1/project-variables/', { body })).status).toBe(201);
    // The graph reads the variable, so that it is a secret of the run.
    const [start, agent, end] = agentGraph({}).nodes;
    const path = await createChat(chain(start!, template('{{ env.TOKEN }}'), agent!, end!));
    const conversation = randomUUID();
    await send(path, conversation, `It is ${TOKEN}.`);
    const second = await send(path, conversation, 'Which?');
    expect(sent()[1]).toContainEqual(user('It is ********.'));
    expect(JSON.stringify(sent()[1])).not.toContain(TOKEN);
    expect(JSON.stringify(await resultOf(second.id))).not.toContain(TOKEN);
  });
});

const FORK = `mutation ($id: UUID!, $nodeId: String) {
  workflowRunFork(id: $id, nodeId: $nodeId) { receipt { data { id: runId } } }
}`;
