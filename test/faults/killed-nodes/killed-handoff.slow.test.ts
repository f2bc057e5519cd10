import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pollRun } from '../../rest/workflows/finished-run.js';
import { testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { graph, node, output, trigger } from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { faultPoints } from '../../support/processes/fault-points.js';
import { startProcess } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const PENDING = `query ($project: Int!) {
  agentApprovals(projectId: $project) { items { runId requestId } } }`;
const APPROVE = `mutation ($run: UUID!, $request: UUID!) {
  agentApprovalApprove(runId: $run, requestId: $request) { errors { code } } }`;

/** The first agent hands over to the second one, which calls a tool and answers. */
describe('a worker that dies while agents hand over', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;
  const openai = () => ({ baseUrl: upstream.url, apiKey: 'k' });

  beforeAll(async () => {
    upstream = await startStubUpstream();
    upstream.respondWith(({ model, messages }) => {
      const call = (name: string, args: string) => ({
        content: null,
        tool_calls: [{ id: name, type: 'function', function: { name, arguments: args } }],
      });
      if (model === 'gpt-4o') return call('handoff_to_Billing', '{"reason":"money"}');
      const hasNoted = messages.some((message: { tool_call_id?: string }) => message.tool_call_id === 'note');
      return hasNoted ? { content: 'paid' } : call('note', '{"word":"tea"}');
    });
    service = await startTestService({ role: 'api', openai: openai() }, await createDatabase());
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Handoffs' } })).body.id;
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  async function createWorkflow(approval: string): Promise<number> {
    const note = {
      kind: 'http',
      name: 'note',
      parameters: { type: 'object', properties: { word: { type: 'string' } } },
      request: { method: 'POST', url: `${upstream.origin}/note`, body: '{{ args.word }}' },
    };
    const messages = [{ role: 'user', message: 'Go.' }];
    const [start, end] = [trigger(), output()];
    const billing = node('agent-node', {
      ...{ label: 'Billing', messages, settings: { model_name: 'gpt-4o-mini' }, tools: [note], approval },
    });
    const triage = node('agent-node', { messages, settings: { model_name: 'gpt-4o' }, handoffs: [billing.id] });
    const edges = [
      { id: 'a', type: 'custom-edge', source: start.id, target: triage.id },
      { id: 'b', type: 'custom-edge', source: triage.id, target: end.id },
    ];
    const data = graph([start, triage, billing, end], edges);
    return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'H', data } })).body.id;
  }

  /** Approves every request until the promise is settled. Returns the ids of the approved requests. */
  async function approveUntil(end: Promise<unknown>): Promise<string[]> {
    const approved: string[] = [];
    let isOver = false;
    void end.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const { data } = await service.graphql(PENDING, { project });
      for (const { runId: run, requestId: request } of data.agentApprovals.items) {
        const { data: decided } = await service.graphql(APPROVE, { run, request });
        if (decided.agentApprovalApprove.errors.length === 0) approved.push(request);
      }
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    return approved;
  }

  // Without approvals the records are: the call of the first model, the handoff, two calls of the second model with the tool between.
  const plain = [1, 2, 3, 4, 5].flatMap(nth => [`record.before:${nth}`, `record.after:${nth}`]);
  // The requests for the handoff and for the tool suspend the run.
  const approved = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(nth => [`record.before:${nth}`, `record.after:${nth}`]);

  it.each([
    ...faultPoints(plain).map(point => [point, 'never', 0] as const),
    ...faultPoints(approved).map(point => [point, 'always', 2] as const),
  ])('leaves its run to the next worker (%s, approval %s)', async (point, approval, requests) => {
    const workflow = await createWorkflow(approval);
    upstream.requests.length = 0;
    upstream.calls.length = 0;
    const { id } = (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} })).body.data;
    const environment = { ...testEnvironment(service.database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
    const killed = await startProcess({ ...environment, ROLE: 'worker', CRASH_AT: point }, { ready: false });
    const end = eventually(
      () => pollRun(service, id),
      ({ status }) => status === 'succeed' || status === 'failed',
    );
    const firstEvent = Promise.race([killed.exited.then(() => 'death'), end.then(() => 'end')]);
    const before = await approveUntil(firstEvent).finally(() => killed.child.kill('SIGKILL'));
    expect(await firstEvent).toBe('death');
    await expireJobs(service);
    const successor = await startTestService({ role: 'worker', openai: openai() }, service.database);
    const after = await approveUntil(end);
    const result = await end;
    await successor.stop();

    expect(result).toMatchObject({ status: 'succeed', output: 'paid' });
    // Each approval is requested once, whatever was lost.
    expect(new Set([...before, ...after]).size).toBe(requests);
    const rows = await service.sql('select id from workflow_run_approval where run_id = $1', [id]);
    expect(rows).toHaveLength(requests);
    // Only a call that was answered but not yet recorded may be repeated.
    const calls = (model: string) => upstream.requests.filter(request => request.model === model).length;
    const asked = [calls('gpt-4o'), calls('gpt-4o-mini'), upstream.calls.length];
    const repeated = asked.map((times, index) => times - [1, 2, 1][index]!);
    expect(repeated.every(times => times >= 0)).toBe(true);
    expect(repeated.reduce((sum, times) => sum + times)).toBeLessThanOrEqual(point.startsWith('record.before') ? 1 : 0);
    const billed = await service.sql(
      `select operation, usage::text as usage from billing_transaction where run_id = $1 order by 1`,
      [id],
    );
    expect(billed.map(row => row.operation)).toEqual(['agent-node', 'output-node', 'trigger-node']);
    expect(JSON.parse(billed[0]?.usage ?? '[]')).toHaveLength(3);
  });
});
