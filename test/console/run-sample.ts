import { eventually } from '../support/eventually.js';
import { chain, edge, field, graph, http, llm, node, output, template, trigger } from '../support/graphs.js';
import type { TestService } from '../support/service.js';
import { bearer, createLogin } from '../support/sessions.js';
import type { StubUpstream } from '../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';

/** A project whose runs show loops, branches, retries, tools and approvals. */
export interface RunSample {
  email: string;
  project: number;
  workflows: Record<'answer' | 'orders' | 'refund' | 'broken', number>;
  start(workflow: keyof RunSample['workflows'], input?: object): Promise<string>;
  state(run: string): Promise<string>;
  /** Waits until the run has the state, in capitals such as `SUCCEEDED`. */
  awaitState(run: string, state: string): Promise<unknown>;
  /** Approves the pending request of a run, the only one of the project. */
  approve(run: string): Promise<void>;
}

const PENDING = 'query ($projectId: Int!) { agentApprovals(projectId: $projectId) { items { requestId } } }';
const APPROVE = `mutation ($runId: UUID!, $requestId: UUID!) {
  agentApprovalApprove(runId: $runId, requestId: $requestId) { errors { code } }
}`;

const CUSTOMERS = JSON.stringify([
  { name: 'Ada', orders: 7, city: 'London' },
  { name: 'Linus', orders: 2, city: 'Helsinki' },
  { name: 'Grace', orders: 12, city: 'New York' },
]);

const START = `mutation ($workflowId: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflowId, input: $input) { run { id } errors { code message path } }
}`;

function labeled<T extends { data: object }>(label: string, one: T): T {
  return { ...one, data: { ...one.data, label, name: label } };
}

function graphs(upstream: StubUpstream): Record<keyof RunSample['workflows'], unknown> {
  const ask = labeled('Write an answer', llm('Answer **{{ input.question }}** with:\n\n- one fact\n- one link'));
  const check = labeled(
    'Is it urgent?',
    node('if-else-node', { condition: { left: '{{ input.urgent }}', operator: '==', right: 'yes' } }),
  );
  const page = labeled('Inform the team', template('Urgent: {{ input.question }}'));
  const start = labeled(
    'Question',
    trigger(field('question', { title: 'Question' }), field('urgent', { title: 'Urgent' })),
  );
  const end = labeled('Answer', output(`{{ nodes.${ask.id}.content }}`));
  const answer = graph(
    [start, check, page, ask, end],
    [
      edge(start, check),
      edge(check, page, 'condition-true'),
      edge(check, ask, 'condition-false'),
      edge(page, ask),
      edge(ask, end),
    ],
  );
  const list = labeled('Customers', template(CUSTOMERS));
  const body = chain(
    trigger(),
    labeled('Greet', template('Dear {{ input.name }}, you have {{ input.orders }} orders.')),
    output(),
  );
  const loop = labeled(
    'For each customer',
    node('loop-node', { items: `{{ nodes.${list.id}.content }}`, body, concurrency: 2 }),
  );
  const orders = chain(labeled('Start', trigger()), list, loop, labeled('Letters', output()));
  const tool = {
    kind: 'http',
    name: 'pay_refund',
    description: 'Pays money back.',
    parameters: { type: 'object', properties: { customer: { type: 'string' }, amount: { type: 'number' } } },
    request: { method: 'POST', url: `${upstream.origin}/refunds`, body: { amount: '{{ args.amount }}' } },
  };
  const agent = labeled(
    'Refund agent',
    node('agent-node', {
      messages: [{ role: 'user', message: 'Handle the complaint: {{ input.complaint }}' }],
      settings: { model_name: MODEL },
      tools: [tool],
      approval: 'tools',
    }),
  );
  const refund = chain(
    labeled('Complaint', trigger(field('complaint', { title: 'Complaint' }))),
    agent,
    labeled('Reply', output()),
  );
  const failing = labeled(
    'Fetch the stock',
    // No server listens on port 9.
    http('http://127.0.0.1:9/stock', { on_error: 'retry', retry: { attempts: 3, delay_seconds: 0 } }),
  );
  const broken = chain(labeled('Start', trigger()), failing, labeled('Stock', output()));
  return { answer, orders, refund, broken };
}

const TITLES = {
  answer: 'Answer questions',
  orders: 'Letters to customers',
  refund: 'Refund with approval',
  broken: 'Report the stock',
};

/** Makes the model call the tool `pay_refund` once and then answer. */
export function respondWithRefundCall(upstream: StubUpstream): void {
  upstream.respondWith((request: { messages: { role: string }[] }) => {
    if (request.messages.some(({ role }) => role === 'tool')) return { content: 'The refund of 24.90 is paid.' };
    const args = { customer: 'Ada Lovelace', amount: 24.9, reason: 'The parcel arrived broken.' };
    const call = { id: 'call_1', type: 'function', function: { name: 'pay_refund', arguments: JSON.stringify(args) } };
    return { content: null, tool_calls: [call] };
  });
}

/** `current` returns the service, which a test may restart. */
export async function createRunSample(current: () => TestService, upstream: StubUpstream): Promise<RunSample> {
  const service = current();
  const user = await createLogin(service, 'grace', { name: 'Grace Hopper' });
  const asUser = bearer(user.access);
  const create = async (route: string, body: object) =>
    (await service.rest('POST', route, { ...asUser, body })).body.id as number;
  const project = await create('/api/v1/projects/', { name: 'Customer support' });
  const workflows = {} as RunSample['workflows'];
  for (const [name, data] of Object.entries(graphs(upstream)) as [keyof RunSample['workflows'], unknown][])
    workflows[name] = await create('/api/v1/workflows/', { project, title: TITLES[name], data });
  const state = async (run: string) =>
    (await current().sql('select upper(state) as state from workflow_run where id = $1', [run]))[0]?.state as string;
  return {
    email: user.email,
    project,
    workflows,
    state,
    awaitState: (run, wanted) =>
      eventually(
        () => state(run),
        now => now === wanted,
      ),
    approve: async run => {
      const { data: pending } = await current().graphql(PENDING, { projectId: project });
      const [{ requestId }] = pending.agentApprovals.items;
      const { data } = await current().graphql(APPROVE, { runId: run, requestId });
      if (data.agentApprovalApprove.errors.length > 0) throw new Error(JSON.stringify(data));
    },
    start: async (workflow, input = {}) => {
      const { data } = await current().graphql(START, { workflowId: workflows[workflow], input });
      const { run, errors } = data.workflowRunStart;
      if (!run) throw new Error(JSON.stringify(errors));
      return run.id;
    },
  };
}
