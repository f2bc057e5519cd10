import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/eventually.js';
import { chain, edge, field, graph, type Json, node, output, trigger } from '../../../support/graphs.js';
import { joinProject } from '../../../support/members.js';
import { startTestService, type TestService } from '../../../support/service.js';

const LIST = `query ($project: Int!, $run: UUID, $statuses: [AgentApprovalStatus!]) {
  agentApprovals(projectId: $project, runId: $run, statuses: $statuses) {
    items {
      requestId kind tool arguments argumentsSchema editedArguments status comment decidedBy { email }
      question { title message deciders userIds requiredApprovalCount requiredRejectionCount }
      votes { decision comment decidedAt decidedBy { userId email } }
    }
  }
}`;
const APPROVE = `mutation ($runId: UUID!, $requestId: UUID!, $comment: String, $edited: JSON) {
  agentApprovalApprove(runId: $runId, requestId: $requestId, comment: $comment, editedArguments: $edited) {
    errors { code message path }
  }
}`;
const REJECT = `mutation ($runId: UUID!, $requestId: UUID!) {
  agentApprovalReject(runId: $runId, requestId: $requestId) { errors { code message path } }
}`;
const ALL = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'];

describe('an approval node', () => {
  let service: TestService;
  let project: number;
  let editors: { email: string; key: string; user: number }[];

  beforeAll(async () => {
    service = await startTestService();
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Decisions' } })).body.id;
    editors = [];
    for (const name of ['ada', 'bob', 'cyd']) {
      const { email, key } = await service.createUser(name);
      const { user } = await joinProject(service, project, email, 'editor');
      editors.push({ email, key, user });
    }
  });
  afterAll(() => service.stop());

  async function ask(data: Json, input: Json = {}) {
    const asking = node('approval-node', { title: 'Pay {{ input.amount }}?', message: '', ...data });
    const body = {
      project,
      title: 'Ask',
      data: chain(trigger(field('amount')), asking, output('{{ previous.content }}')),
    };
    for (const edge of body.data.edges) if (edge.source === asking.id) edge.sourceHandle = 'approved';
    const created = await service.rest('POST', '/api/v1/workflows/', { body });
    const run = (await service.rest('POST', `/api/v1/workflows/${created.body.id}/run/`, { body: input })).body.data.id;
    const [request] = await eventually(
      () => list(run),
      items => items.length > 0,
    );
    await stateOf(run, 'waiting');
    return { runId: run as string, requestId: request.requestId as string };
  }
  const list = async (run: string) =>
    (await service.graphql(LIST, { project, run, statuses: ALL })).data.agentApprovals.items;
  const stateOf = (run: string, wanted: string) =>
    eventually(
      async () => (await service.sql('select state from workflow_run where id = $1', [run]))[0]?.state,
      state => state === wanted,
    );
  const contentOf = async (run: string) => {
    await stateOf(run, 'succeeded');
    const { output: text } = (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`)).body.data;
    return text === null ? null : JSON.parse(text);
  };
  const approve = (variables: Json, key?: string) => service.graphql(APPROVE, variables, key);
  const reject = (variables: Json, key?: string) => service.graphql(REJECT, variables, key);

  it('waits without a worker, also after a restart, until enough people have approved', async () => {
    const fields = [
      { name: 'amount', title: 'Amount', type: 'number', is_required: true },
      { name: 'reason', type: 'text' },
    ];
    const asked = await ask({ message: 'For {{ input.amount }}.', fields, approvals: 2 }, { amount: '20' });
    expect(await list(asked.runId)).toEqual([
      expect.objectContaining({
        ...{ kind: 'DECISION', tool: null, arguments: {}, status: 'PENDING', votes: [] },
        question: {
          ...{ title: 'Pay 20?', message: 'For 20.', deciders: 'MEMBERS', userIds: [] },
          ...{ requiredApprovalCount: 2, requiredRejectionCount: 1 },
        },
        argumentsSchema: expect.objectContaining({ required: ['amount'] }),
      }),
    ]);
    await service.stop();
    service = await startTestService({}, service.database);

    const [ada, bob] = editors;
    expect((await approve(asked, ada!.key)).data.agentApprovalApprove.errors).toEqual([
      expect.objectContaining({ code: 'BAD_USER_INPUT', path: ['editedArguments', 'amount'] }),
    ]);
    const first = { ...asked, edited: { amount: 20 }, comment: 'Fine.' };
    expect((await approve(first, ada!.key)).data.agentApprovalApprove.errors).toEqual([]);
    expect((await approve(first, ada!.key)).data.agentApprovalApprove.errors).toEqual([]);
    const refused = await reject(asked, ada!.key);
    expect(refused.data.agentApprovalReject.errors).toEqual([
      expect.objectContaining({ code: 'CONFLICT', message: 'You have already approved the request.' }),
    ]);
    expect(await list(asked.runId)).toEqual([
      expect.objectContaining({
        ...{ status: 'PENDING', editedArguments: { amount: 20 } },
        votes: [
          {
            ...{ decision: 'APPROVED', comment: 'Fine.', decidedAt: expect.any(String) },
            decidedBy: { userId: ada!.user, email: ada!.email },
          },
        ],
      }),
    ]);
    await stateOf(asked.runId, 'waiting');
    const path = `/api/v1/runs/${asked.runId}/agent-approvals/${asked.requestId}/approve/`;
    expect((await service.rest('POST', path, { key: bob!.key, body: {} })).status).toBe(200);
    expect(await contentOf(asked.runId)).toEqual({
      ...{ decision: 'approved', comment: null, values: { amount: 20 } },
      votes: [
        { user_id: ada!.user, decision: 'approved', comment: 'Fine.', decided_at: expect.any(String) },
        { user_id: bob!.user, decision: 'approved', comment: null, decided_at: expect.any(String) },
      ],
    });
    const listed = await service.rest('GET', `/api/v1/projects/${project}/agent-approvals/?status=approved`);
    expect(listed.body.items[0]).toMatchObject({
      ...{ kind: 'decision', status: 'approved', question: { deciders: 'members', required_approval_count: 2 } },
      votes: [{ decision: 'approved' }, { decided_by: { id: bob!.user } }],
    });
  });

  it('counts exactly one of concurrent opposite decisions', async () => {
    const asked = await ask({});
    const answers = await Promise.all(
      editors.map(({ key }, index) => (index % 2 === 0 ? approve(asked, key) : reject(asked, key))),
    );
    const errors = answers.map(({ data }) => Object.values<Json>(data)[0]!.errors as Json[]);
    await stateOf(asked.runId, 'succeeded');
    const [{ status, votes }] = await list(asked.runId);
    expect(votes).toEqual([expect.objectContaining({ decision: status })]);
    expect(new Set(errors.flat().map(({ code }) => code))).toEqual(new Set(['CONFLICT']));
  });

  it('is decided only by listed users, or only by the owner', async () => {
    const [ada, bob] = editors;
    const listed = await ask({ deciders: 'users', user_ids: [bob!.user] });
    expect((await approve(listed, ada!.key)).errors?.[0]).toMatchObject({
      message: 'Only the users that the approval node lists decide this request.',
      extensions: { code: 'FORBIDDEN' },
    });
    expect((await approve(listed, bob!.key)).data.agentApprovalApprove.errors).toEqual([]);
    const owned = await ask({ deciders: 'owners' });
    expect((await approve(owned, ada!.key)).errors?.[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect((await approve(owned)).data.agentApprovalApprove.errors).toEqual([]);
    expect((await contentOf(owned.runId)).decision).toBe('approved');
  });

  it('follows its output `expired` after the time, and is then not decided any more', async () => {
    const asking = node('approval-node', { title: 'Now?', approval_timeout_seconds: 1 });
    const [start, late] = [trigger(), output('late')];
    const data = graph([start, asking, late], [edge(start, asking), edge(asking, late, 'expired')]);
    const { id } = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'Late', data } })).body;
    const run = (await service.rest('POST', `/api/v1/workflows/${id}/run/`, { body: {} })).body.data.id;
    await stateOf(run, 'succeeded');
    const [{ requestId, status }] = await list(run);
    expect(status).toBe('EXPIRED');
    const { body: result } = await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`);
    expect(result.data.output).toBe('late');
    expect((await approve({ runId: run, requestId })).data.agentApprovalApprove.errors).toEqual([
      expect.objectContaining({ code: 'CONFLICT' }),
    ]);
  });
});
