import { randomUUID } from 'node:crypto';
import { MESSAGE_BYTES } from '../../../src/durable/assignment/slot-messages.js';
import { eventually } from '../../support/eventually.js';
import { formOf } from '../../support/forms.js';
import { chain, field, llm, node, output, trigger } from '../../support/graphs.js';
import { type Answer, request } from './client.js';
import type { Fixture } from './fixture.js';
import { createTicketWorkflow, type Ticket } from './workload.js';

/** The service on which actions are performed, with a project and a workflow of five nodes. */
export interface ActionTarget {
  fixture: Fixture;
  /** Address of an API that is not killed. */
  url: string;
  workflow: number;
  project: number;
  /** Accepted runs of `workflow`. */
  tickets: Ticket[];
}

/** An action that the service has accepted. */
export interface PendingAction {
  isFinished(): Promise<boolean>;
  /** Describes what is wrong with the outcome. Empty: nothing. */
  faults(): Promise<string[]>;
}

/**
 * A request to the service. It is prepared with the API that is not killed, then sent to `url`, whose process may die
 * meanwhile. Actions whose start must not be doubled send the same idempotency key again.
 */
export type Action = (target: ActionTarget) => Promise<(url: string) => Promise<PendingAction>>;

export async function createActionTarget(fixture: Fixture, url: string): Promise<ActionTarget> {
  const workflow = await createTicketWorkflow(url, fixture.upstream.origin);
  const [row] = await fixture.sql<{ project: number }>('select project_id as project from workflow where id = $1', [
    workflow,
  ]);
  const project = row!.project;
  // The limit is never reached, but it makes every paid call reserve and settle.
  await fixture.sql('update project set budget_usd = 1000 where id = $1', [project]);
  return { fixture, url, workflow, project, tickets: [] };
}

const ticketRunWith =
  (input: object): Action =>
  async target => {
    const name = `ticket-${randomUUID()}`;
    return async url => {
      const answer = await post(url, `workflows/${target.workflow}/run/`, { ...input, ticket: name }, name);
      const { id } = answer.body.data;
      if (!target.tickets.some(ticket => ticket.name === name)) target.tickets.push({ name, runId: id });
      return pendingRun(target, id, 'succeeded');
    };
  };

/** Starts a run of the five nodes. */
export const ticketRun = ticketRunWith({});
/** The same with an input that does not fit into the notification of a worker. */
export const largeTicketRun = ticketRunWith({ attachment: 'x'.repeat(MESSAGE_BYTES) });

/** Starts a run that waits for `seconds` without a worker. */
const waitingRun =
  (seconds: number): Action =>
  async target => {
    const workflow = await createWorkflow(target, chain(trigger(), node('delay-node', { seconds }), output('waited')));
    return async url =>
      pendingRun(target, (await post(url, `workflows/${workflow}/run/`, {})).body.data.id, 'succeeded');
  };

export const delayedRun = waitingRun(2);
export const hourlongRun = waitingRun(3_600);

/** Starts a run that starts another one and waits for its end. */
export const parentRun: Action = async target => {
  const child = await createWorkflow(target, chain(trigger(), output('done by another')));
  const data = chain(
    trigger(),
    node('subworkflow-node', { workflow_id: child, input: {} }),
    output('{{ previous.content }}'),
  );
  const workflow = await createWorkflow(target, data);
  return async url => pendingRun(target, (await post(url, `workflows/${workflow}/run/`, {})).body.data.id, 'succeeded');
};

/** Approves an agent that requires an approval to start. */
export const approval: Action = async target => {
  const settings = { messages: [{ role: 'user', message: 'Hello.' }], settings: { model_name: 'echo' } };
  const agent = node('agent-node', { ...settings, approval: 'always' });
  const workflow = await createWorkflow(target, chain(trigger(), agent, output()));
  const { id } = (await post(target.url, `workflows/${workflow}/run/`, {})).body.data;
  const readApprovals = () =>
    target.fixture.sql<{ id: string }>('select id from workflow_run_approval where run_id = $1', [id]);
  const [request] = await eventually(readApprovals, ({ length }) => length > 0);
  return async url => {
    await post(url, `workflows/workflow_run/${id}/agent-approval/${request!.id}/approve/`, undefined);
    return pendingRun(target, id, 'succeeded');
  };
};

/** Cancels a run that waits for an hour. */
export const cancellation: Action = async target => {
  const workflow = await createWorkflow(target, chain(trigger(), node('delay-node', { seconds: 3600 }), output()));
  const { id } = (await post(target.url, `workflows/${workflow}/run/`, {})).body.data;
  return async url => {
    const query = `mutation { workflowRunCancel(id: "${id}") { workflowRun { id } errors { message } } }`;
    const { body } = await request(url, 'POST', '/graphql', { body: { query } });
    if (!body.data?.workflowRunCancel?.workflowRun) throw new Error(JSON.stringify(body));
    return pendingRun(target, id, 'cancelled');
  };
};

/** Uploads a document. */
export const upload: Action = async target => {
  const name = randomUUID();
  return async url => {
    await sendDocument(target, url, name, `upload-${name}`);
    return {
      isFinished: async () => true,
      faults: async () => {
        const rows = await target.fixture.sql('select id from document where filename = $1', [`${name}.txt`]);
        return rows.length === 1 ? [] : [`there are ${rows.length} documents of one upload`];
      },
    };
  };
};

/** Starts a run that creates a file and reads it. A process that dies between both leaves no second file. */
export const fileRun: Action = async target => {
  const write = node('file-node', { operation: 'write', content: 'kept' });
  const reading = node('file-node', { file: '{{ previous.content }}' });
  const workflow = await createWorkflow(target, chain(trigger(), write, reading, output()));
  return async url => {
    const { id } = (await post(url, `workflows/${workflow}/run/`, {})).body.data;
    const run = pendingRun(target, id, 'succeeded');
    return {
      ...run,
      faults: async () => {
        const files = await target.fixture.sql('select id from project_file where run_id = $1', [id]);
        return [...(await run.faults()), ...(files.length === 1 ? [] : [`run ${id} has ${files.length} files`])];
      },
    };
  };
};

/** Starts a run that adds one to a value. A process that dies with the change adds it once. */
export const countingRun: Action = async target => {
  const key = `count-${randomUUID()}`;
  const add = node('key-value-node', { operation: 'increment', key });
  const workflow = await createWorkflow(target, chain(trigger(), add, output()));
  return async url => {
    const { id } = (await post(url, `workflows/${workflow}/run/`, {})).body.data;
    const run = pendingRun(target, id, 'succeeded');
    return {
      ...run,
      faults: async () => {
        const [entry] = await target.fixture.sql('select value from key_value_entry where key = $1', [key]);
        return [...(await run.faults()), ...(entry?.value === 1 ? [] : [`run ${id} counted ${entry?.value}`])];
      },
    };
  };
};

/** Recognizes a document. */
export const recognition: Action = async target => {
  const document = await sendDocument(target, target.url, randomUUID());
  return async url => {
    const body = { project: target.project, document, chunk_size: 50 };
    const { id } = (await post(url, 'recognitionruns/', body)).body;
    return {
      isFinished: async () =>
        ['finished', 'error'].includes((await read(target, `recognitionruns/${id}/`)).body.status),
      faults: async () => {
        const [row] = await target.fixture.sql<{ state: string; right: boolean }>(
          `select state, chunks_count > 1 and chunks_count = (select count(*) from recognition_chunk c where c.run_id = r.id) as right
             from recognition_run r where id = $1`,
          [id],
        );
        return row?.state === 'finished' && row.right ? [] : [`the document was read as ${JSON.stringify(row)}`];
      },
    };
  };
};

/** Finds keywords of a topic with a model. */
export const keywords: Action = async target => async url => {
  const { id } = (await post(url, 'keywordruns/', { project: target.project, topic: 'tea' })).body;
  const get = async () => (await read(target, `keywordruns/${id}/`)).body;
  return {
    isFinished: async () => ['finished', 'error'].includes((await get()).status),
    faults: async () => {
      const { status, keywords_count, cost } = await get();
      const found = JSON.stringify([status, keywords_count, cost?.USD]);
      return found === '["finished",3,"0.00045"]' ? [] : [`the keyword run is ${found}`];
    },
  };
};

/** Runs a scenario of one message. */
export const scenario: Action = async target => {
  const id = await createScenario(target, 'user', { parameters: { model_name: 'gpt-4o-mini' } });
  const key = randomUUID();
  return async url => {
    const run = (await post(url, 'scenarioruns/run/', { scenario: id }, key)).body.id;
    const count = () => target.fixture.sql('select id from scenario_run where scenario_id = $1', [id]);
    const get = async () => (await read(target, `scenarioruns/${run}/`)).body;
    return {
      isFinished: async () => !['created', 'in_progress'].includes((await get()).status),
      faults: async () => {
        const { status, tokens } = await get();
        const found = JSON.stringify([status, tokens?.total, (await count()).length]);
        return found === '["finished",1500,1]' ? [] : [`the run of the scenario is ${found}`];
      },
    };
  };
};

/** Calls a workflow as a tool of the MCP server. The repeated call has the same session and id, so it is the same run. */
export const toolCall: Action = async target => {
  const workflow = await createWorkflow(target, chain(trigger(), llm('Hello', 'gpt-4o-mini'), output()));
  const tool = { name: `tool_${workflow}`, description: 'Says hello.' };
  const saved = await request(target.url, 'PUT', `/api/v1/workflows/${workflow}/mcp-server-tool/`, { body: tool });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  const initialize = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
  const session = (await sendMcp(target, target.url, initialize)).headers.get('mcp-session-id')!;
  const call = { id: 1, method: 'tools/call', params: { name: tool.name, arguments: {} } };
  return async url => {
    const text = await (await sendMcp(target, url, call, { 'Mcp-Session-Id': session })).text();
    const runId = /"scenarium\/runId":"([^"]+)"/.exec(text)?.[1];
    if (runId === undefined) throw new Error(`tools/call: ${text.slice(-300)}`);
    const run = pendingRun(target, runId, 'succeeded');
    return { ...run, faults: async () => [...(await run.faults()), ...(await startFaults(target, workflow, 1))] };
  };
};

const MCP_TIMEOUT_MS = 100_000;

function sendMcp({ fixture, project }: ActionTarget, url: string, message: object, headers = {}): Promise<Response> {
  return fetch(`${url}/mcp/${project}`, {
    method: 'POST',
    headers: {
      ...{ 'X-Api-Key': fixture.environment.ADMIN_API_KEY!, 'Content-Type': 'application/json' },
      ...{ Accept: 'application/json, text/event-stream', ...headers },
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    signal: AbortSignal.timeout(MCP_TIMEOUT_MS),
  });
}

/** Starts more runs than are started at the same time, in one request. */
export const bulkStart: Action = async target => {
  const name = field('name');
  const workflow = await createWorkflow(target, chain(trigger(name), llm('Hello', 'gpt-4o-mini'), output()));
  const items = Array.from({ length: 60 }, (_, index) => ({
    ...{ input: { name: `row ${index}` }, idempotency_key: `bulk-${workflow}-${index}` },
  }));
  return async url => {
    const { body } = await post(url, `workflows/${workflow}/run-many/`, { items });
    if (body.accepted !== items.length) throw new Error(`run-many: ${JSON.stringify(body).slice(0, 300)}`);
    const count = `select count(*)::int as count from workflow_run where workflow_id = $1 and run_finished_at is not null`;
    return {
      isFinished: async () => (await target.fixture.sql(count, [workflow]))[0]?.count === items.length,
      faults: () => startFaults(target, workflow, items.length),
    };
  };
};

/** Sends a message to a chat. The same message is sent again, so it has one run. */
export const chatMessage: Action = async target => {
  const graph = chain(trigger(field('message')), llm('Hello', 'gpt-4o-mini'), output());
  const workflow = await createWorkflow(target, graph);
  const created = { name: 'Chat', chat: { access: 'members', wait_seconds: 1 } };
  const { body: chat } = await post(target.url, `workflows/${workflow}/triggers/`, created);
  const message = { conversation_id: randomUUID(), message_id: randomUUID(), text: 'Hi' };
  return async url => {
    const { body } = await post(url, `triggers/${chat.id}/chat/messages/`, message);
    const ended = 'select count(*)::int as count from workflow_run where id = $1 and run_finished_at is not null';
    return {
      isFinished: async () => (await target.fixture.sql(ended, [body.run_id]))[0]?.count === 1,
      faults: () => startFaults(target, workflow, 1),
    };
  };
};

/** Describes what is wrong unless the workflow, which has three nodes, has this number of runs, each with one ledger row for each node. */
export async function startFaults({ fixture }: ActionTarget, workflow: number, runs: number): Promise<string[]> {
  const [row] = await fixture.sql(
    `select count(distinct r.id)::int as runs, count(b.node_id)::int as rows, count(distinct (r.id, b.node_id))::int as nodes
       from workflow_run r left join billing_transaction b on b.run_id = r.id
      where r.workflow_id = $1 and r.state = 'succeeded'`,
    [workflow],
  );
  const [found, expected] = [JSON.stringify(row), JSON.stringify({ runs, rows: 3 * runs, nodes: 3 * runs })];
  return found === expected ? [] : [`workflow ${workflow} has ${found}, not ${expected}`];
}

/** Asks for a chat completion in the project. The procedure compares all answers with the ledger, so there is nothing to check here. */
export const chat: Action = async target => {
  const mark = randomUUID();
  return async url => {
    const body = { model: 'gpt-4o-mini', max_tokens: 500, messages: [{ role: 'user', content: mark }] };
    const headers = {
      Authorization: `Bearer ${target.fixture.environment.ADMIN_API_KEY}`,
      'X-Project-Id': String(target.project),
    };
    const answer = await request(url, 'POST', '/v1/chat/completions', { body, headers });
    if (answer.status !== 200) throw new Error(`chat: ${answer.status} ${JSON.stringify(answer.body)}`);
    return { isFinished: async () => true, faults: async () => [] };
  };
};

export async function createWorkflow(target: ActionTarget, data: unknown): Promise<number> {
  return (await post(target.url, 'workflows/', { project: target.project, title: 'Faults', data })).body.id;
}

/** Creates a scenario of one message with one prompt. */
export async function createScenario(target: ActionTarget, role: string, message: object): Promise<number> {
  const create = async (path: string, body: object): Promise<number> =>
    (await post(target.url, path, { project: target.project, ...body })).body.id;
  const prompt = await create('prompts/', { key: randomUUID(), role, content: 'Hello' });
  const messages = [await create('messages/', { key: randomUUID(), prompts: [prompt], ...message })];
  return create('scenarios/', { name: 'Faults', messages, category: 1, run_fee: 0, free_runs_per_user: 0 });
}

export function pendingRun({ fixture }: ActionTarget, id: string, end: string): PendingAction {
  const state = async () =>
    (await fixture.sql<{ state: string }>('select state from workflow_run where id = $1', [id]))[0]?.state ?? 'gone';
  return {
    isFinished: async () => ['succeeded', 'failed', 'cancelled'].includes(await state()),
    faults: async () => ((await state()) === end ? [] : [`run ${id} is ${await state()}`]),
  };
}

async function sendDocument(target: ActionTarget, url: string, name: string, key?: string): Promise<number> {
  const words = Array.from({ length: 400 }, (_, index) => `word ${index} of ${name}.`).join(' ');
  const form = formOf({ project: String(target.project) }, { file1: [`${name}.txt`, words] });
  return (await post(url, 'documents/', form, key)).body[0].id;
}

export function read(target: ActionTarget, path: string): Promise<Answer> {
  return request(target.url, 'GET', `/api/v1/${path}`);
}

/** Throws when the answer is not a success. `apiKey`: of another user than the administrator. */
export async function post(url: string, path: string, body: unknown, key?: string, apiKey?: string): Promise<Answer> {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  if (apiKey !== undefined) headers['X-Api-Key'] = apiKey;
  const answer = await request(url, 'POST', `/api/v1/${path}`, { body, headers });
  if (answer.status >= 300 || (answer.body?.status ?? 200) >= 300)
    throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
