import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, llm, node, output, trigger } from '../support/graphs.js';
import { createWorkflow, echoGraph, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import { RawSocket } from './raw-socket.js';

const CHANGES = `subscription ($id: UUID!, $after: Int) {
  workflowRunChanged(id: $id, afterSequence: $after) {
    sequence kind state at
    node { id: nodeId iteration status content error { code message } attempts { number startedAt endedAt } }
    nodes { id: nodeId status } run { id state sequence }
  }
}`;

describe('workflowRunChanged', () => {
  let service: TestService;
  let upstream: StubUpstream;
  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  async function startRun(workflowId: number, input: object): Promise<string> {
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflowId}/run/`, { body: input });
    expect(body.status).toBe(201);
    return body.data.id;
  }

  async function changesOf(id: string, after?: number) {
    const changes = [];
    for await (const { data, errors } of service.subscribe(CHANGES, { id, after }))
      changes.push(data?.workflowRunChanged ?? errors);
    return changes;
  }

  it('streams each change once and in order, from a snapshot to the end, and completes', async () => {
    const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
    const held = upstream.hold();
    const id = await startRun(workflow, { topic: 'cats' });
    await held.arrived;
    const changes = service.subscribe(CHANGES, { id });
    const { value: first } = await changes.next();
    expect(first.data.workflowRunChanged).toMatchObject({ kind: 'SNAPSHOT', state: 'RUNNING' });
    held.release();
    const rest = [];
    for await (const { data } of changes) rest.push(data.workflowRunChanged);

    const sequences = rest.map(change => change.sequence);
    const from = first.data.workflowRunChanged.sequence;
    expect(sequences).toEqual(sequences.map((_, index) => from + 1 + index));
    expect(rest.at(-1)).toMatchObject({ kind: 'RUN_SUCCEEDED', state: 'SUCCEEDED', run: { id, state: 'SUCCEEDED' } });
    expect(rest.find(change => change.kind === 'NODE_SUCCEEDED' && change.node.id === 'llm')).toMatchObject({
      node: { status: 'SUCCEEDED', content: 'stub answer' },
    });
  });

  it('continues the attempts of nodes in loops that started before the snapshot, for every subscriber', async () => {
    const asking = llm('hello', 'gpt-4o-mini');
    const loop = node('loop-node', { items: '["a"]', body: chain(trigger(), asking, output()) });
    const workflow = await createWorkflow(service, { ...chain(trigger(), loop, output()) });
    const held = upstream.hold();
    const id = await startRun(workflow, {});
    await held.arrived;
    const changes = service.subscribe(CHANGES, { id });
    const { sequence, nodes } = (await changes.next()).value.data.workflowRunChanged;
    expect(nodes.map((each: { id: string }) => each.id)).not.toContain(asking.id);
    const resumed = service.subscribe(CHANGES, { id, after: sequence });
    const received: any[] = [];
    const other: any[] = [];
    const readAll = async (from: typeof changes, to: any[]) => {
      for await (const { data } of from) to.push(data.workflowRunChanged);
    };
    const reads = Promise.all([readAll(changes, received), readAll(resumed, other)]);
    held.release();
    await reads;

    const answered = received.find(({ kind, node }) => kind === 'NODE_SUCCEEDED' && node.id === asking.id);
    expect(answered.node).toMatchObject({
      iteration: '0',
      attempts: [{ number: 1, startedAt: expect.any(String), endedAt: answered.at }],
    });
    expect(received).toEqual(await changesOf(id, sequence));
    expect(other).toEqual(received);
  });

  it('continues after the last sequence number of a subscriber', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const id = await startRun(workflow, { topic: 'cats' });
    const snapshot = (await changesOf(id)).at(-1);
    const all = await changesOf(id, 0);
    expect(all.length).toBeGreaterThan(3);
    expect(all.map(change => change.sequence)).toEqual(all.map((_, index) => index + 1));
    expect(await changesOf(id, 3)).toEqual(all.slice(3));
    expect(await changesOf(id, all.length)).toEqual([]);
    expect(snapshot.state).toBe('SUCCEEDED');
  });

  it('sends the final state at once to a subscriber that comes after the end', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const id = await startRun(workflow, { topic: 'dogs' });
    await changesOf(id);
    expect(await changesOf(id)).toMatchObject([{ kind: 'SNAPSHOT', state: 'SUCCEEDED', run: { state: 'SUCCEEDED' } }]);
  });

  it('treats an inaccessible run like a missing one', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const id = await startRun(workflow, { topic: 'cats' });
    const { key } = await service.createUser('outsider');
    const answers = [];
    for (const runId of [id, '01a1fccb-0000-7000-8000-000000000000']) {
      for await (const answer of service.subscribe(CHANGES, { id: runId }, key)) answers.push(answer);
    }
    expect(answers).toHaveLength(2);
    expect(answers[0]?.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(answers[1]).toEqual(answers[0]);
  });

  it('refuses a socket with a wrong key', async () => {
    const attempt = async () => {
      for await (const _ of service.subscribe(CHANGES, { id: '01a1fccb-0000-7000-8000-000000000000' }, 'sk-wrong'))
        break;
    };
    await expect(attempt()).rejects.toMatchObject({ code: 4403 });
  });
});

describe('a socket', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const QUERY = '{ projects { total } }';

  /** The error of an operation. Fails if the socket does not execute another one afterwards. */
  async function refusal(query: string, variables: Record<string, unknown> = {}): Promise<unknown> {
    const socket = await RawSocket.open(service.url, service.key);
    socket.subscribe('refused', query, variables);
    await socket.until(() => socket.of('refused').length > 0);
    socket.subscribe('next', QUERY);
    await socket.until(() => socket.of('next').length === 2);
    expect(socket.of('next')[0]).toMatchObject({ type: 'next', payload: { data: { projects: { total: 0 } } } });
    socket.socket.terminate();
    return socket.of('refused')[0]?.payload[0];
  }

  it('runs queries like HTTP does', async () => {
    const answers = [];
    for await (const answer of service.subscribe(QUERY)) answers.push(answer);
    expect(answers.map(({ data }) => data)).toEqual([{ projects: { total: 0 } }]);
  });

  it.each([
    [
      'variables that nest too deep',
      'mutation ($d: JSON!) { workflowCreate(input: { projectId: 1, title: "t", data: $d }) { workflow { id } } }',
      { d: JSON.parse(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`) },
    ],
    [
      'a null character',
      'mutation ($n: String!) { projectCreate(input: { name: $n }) { project { id } } }',
      { n: 'a\u0000b' },
    ],
  ])('refuses %s as bad input, and stays open', async (_what, query, variables) => {
    expect(await refusal(query, variables)).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });

  it.each([
    ['a syntax error', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('refuses %s with its code, and stays open', async (_what, query, code) => {
    expect(await refusal(query)).toMatchObject({ extensions: { code } });
  });

  it('refuses thousands of tokens as too complex, and stays open', async () => {
    const refused = await refusal(`{ ${'a: __typename '.repeat(2_000)} }`);
    expect(refused).toMatchObject({ extensions: { code: 'QUERY_TOO_COMPLEX' } });
  });
});
