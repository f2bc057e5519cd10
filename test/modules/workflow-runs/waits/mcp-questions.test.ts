import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/eventually.js';
import { chain, type Json, node, output, trigger } from '../../../support/graphs.js';
import { startTestService, type TestService } from '../../../support/service.js';
import { type McpTestServer, startMcpServer } from '../../../support/upstreams/mcp-server.js';

const LIST = `query ($project: Int!, $run: UUID) {
  agentApprovals(projectId: $project, runId: $run) {
    items { requestId kind tool arguments argumentsSchema question { title message deciders } }
  }
}`;
const APPROVE = `mutation ($runId: UUID!, $requestId: UUID!, $edited: JSON) {
  decision: agentApprovalApprove(runId: $runId, requestId: $requestId, editedArguments: $edited) { errors { message path } }
}`;
const REJECT = `mutation ($runId: UUID!, $requestId: UUID!) {
  decision: agentApprovalReject(runId: $runId, requestId: $requestId) { errors { message path } }
}`;
const schema = {
  type: 'object' as const,
  properties: {
    city: { type: 'string' as const, default: 'Oslo' },
    nights: { type: 'integer' as const, minimum: 1 },
  },
  required: ['city', 'nights'],
};

describe('an MCP node whose server asks questions', () => {
  let service: TestService;
  let project: number;
  let server: McpTestServer;
  let answers: unknown[];
  let calls: number;

  beforeAll(async () => {
    service = await startTestService();
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Questions' } })).body.id;
  });
  afterAll(() => service.stop());
  afterEach(() => server.stop());

  async function start(more: Json = {}) {
    answers = [];
    calls = 0;
    server = await startMcpServer({
      call: async (_name, _args, ask) => {
        calls += 1;
        const booking = await ask({ message: 'Which booking?', requestedSchema: schema });
        if ((booking as { action: string }).action !== 'accept')
          return textOf(`not booked: ${JSON.stringify(booking)}`);
        const sure = await ask({ message: 'Really?', requestedSchema: { type: 'object', properties: {} } });
        if ((sure as { action: string }).action === 'accept') answers.push(booking, sure);
        return textOf('booked');
      },
    });
    const call = { endpoint_url: server.url, timeout: 30, tool: 'echo', arguments: { text: 'x' } };
    const settings = { ...call, elicitation: 'ask', ...more };
    const data = chain(trigger(), node('mcp-node', settings), output('{{ previous.content }}'));
    const created = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'Ask', data } });
    const { body } = await service.rest('POST', `/api/v1/workflows/${created.body.id}/run/`, { body: {} });
    return body.data.id as string;
  }
  const textOf = (text: string) => ({ content: [{ type: 'text', text }] });
  const question = async (run: string) => {
    const read = async () => (await service.graphql(LIST, { project, run })).data.agentApprovals.items;
    const [request] = await eventually(read, items => items.length === 1);
    return request;
  };
  const decide = async (mutation: string, run: string, requestId: string, edited?: Json) => {
    const variables = { runId: run, requestId, ...(edited ? { edited } : {}) };
    return (await service.graphql(mutation, variables)).data.decision.errors;
  };
  const resultOf = (run: string) =>
    eventually(
      async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`)).body.data,
      ({ status }) => status === 'succeed' || status === 'failed',
    );

  it('shows each question to members, and repeats the call with their answers', async () => {
    const run = await start();
    const first = await question(run);
    expect(first).toMatchObject({
      ...{ kind: 'DECISION', tool: 'echo', arguments: { city: 'Oslo' }, argumentsSchema: schema },
      question: { title: 'The tool echo asks for input', message: 'Which booking?', deciders: 'MEMBERS' },
    });
    expect(await decide(APPROVE, run, first.requestId)).toEqual([
      { message: 'This value is required.', path: ['editedArguments', 'nights'] },
    ]);
    expect(await decide(APPROVE, run, first.requestId, { city: 'Bergen', nights: 2 })).toEqual([]);
    const second = await eventually(
      () => question(run),
      ({ requestId }) => requestId !== first.requestId,
    );
    expect(second.question.message).toBe('Really?');
    expect(await decide(APPROVE, run, second.requestId)).toEqual([]);
    expect(await resultOf(run)).toMatchObject({ status: 'succeed', output: 'booked' });
    expect(answers).toEqual([
      { action: 'accept', content: { city: 'Bergen', nights: 2 } },
      { action: 'accept', content: {} },
    ]);
    expect(calls).toBe(3);
  });

  it('declines a rejected question, and cancels one without an answer in time', async () => {
    const rejected = await start();
    await decide(REJECT, rejected, (await question(rejected)).requestId);
    expect(await resultOf(rejected)).toMatchObject({ output: 'not booked: {"action":"decline"}' });
    await server.stop();
    const expired = await start({ elicitation_timeout_seconds: 1 });
    expect(await resultOf(expired)).toMatchObject({ output: 'not booked: {"action":"cancel"}' });
  });
});
