import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { formOf } from '../../support/forms.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { type Answer, request } from './client.js';
import type { Ground } from './ground.js';
import { createTicketWorkflow, type Ticket } from './workload.js';

/** What deeds are done on: a service with a project, and the workflow of five nodes in it. */
export interface Stage {
  ground: Ground;
  /** Of an API that stays alive. */
  url: string;
  workflow: number;
  project: number;
  /** Runs of `workflow` that were accepted. */
  tickets: Ticket[];
}

/** Something that was asked of the service: whether it is over, and what is wrong with it then. */
export interface Doing {
  isOver(): Promise<boolean>;
  faults(): Promise<string[]>;
}

/**
 * Something to ask of the service: prepared with the API that stays alive, then sent to `url`, which may die over it. The
 * second time it is sent with the same key.
 */
export type Deed = (stage: Stage) => Promise<(url: string) => Promise<Doing>>;

export async function openStage(ground: Ground, url: string): Promise<Stage> {
  const workflow = await createTicketWorkflow(url, ground.upstream.origin);
  const [row] = await ground.sql<{ project: number }>('select project_id as project from workflow where id = $1', [
    workflow,
  ]);
  const project = row!.project;
  // Limited, though far: every paid call is reserved and settled.
  await ground.sql('update project set budget_usd = 1000 where id = $1', [project]);
  return { ground, url, workflow, project, tickets: [] };
}

/** A run of the five nodes. */
export const ticketRun: Deed = async stage => {
  const name = `ticket-${randomUUID()}`;
  return async url => {
    const answer = await post(url, `workflows/${stage.workflow}/run/`, { ticket: name }, name);
    const { id } = answer.body.data;
    if (!stage.tickets.some(ticket => ticket.name === name)) stage.tickets.push({ name, runId: id });
    return runDoing(stage, id, 'succeeded');
  };
};

/** A run that waits, without a worker. */
const waitingRun =
  (seconds: number): Deed =>
  async stage => {
    const workflow = await createWorkflow(stage, chain(trigger(), node('delay-node', { seconds }), output('waited')));
    return async url => runDoing(stage, (await post(url, `workflows/${workflow}/run/`, {})).body.data.id, 'succeeded');
  };

export const delayedRun = waitingRun(2);
export const hourlongRun = waitingRun(3_600);

/** A run that starts another one and waits for its end. */
export const parentRun: Deed = async stage => {
  const child = await createWorkflow(stage, chain(trigger(), output('done by another')));
  const data = chain(
    trigger(),
    node('subworkflow-node', { workflow_id: child, input: {} }),
    output('{{ previous.content }}'),
  );
  const workflow = await createWorkflow(stage, data);
  return async url => runDoing(stage, (await post(url, `workflows/${workflow}/run/`, {})).body.data.id, 'succeeded');
};

/** The approval of an agent that asks before it begins. */
export const approval: Deed = async stage => {
  const settings = { messages: [{ role: 'user', message: 'Hello.' }], settings: { model_name: 'echo' } };
  const agent = node('agent-node', { ...settings, approval: 'always' });
  const workflow = await createWorkflow(stage, chain(trigger(), agent, output()));
  const { id } = (await post(stage.url, `workflows/${workflow}/run/`, {})).body.data;
  const asked = () => stage.ground.sql<{ id: string }>('select id from workflow_run_approval where run_id = $1', [id]);
  while ((await asked()).length === 0) await delay(50);
  const [request] = await asked();
  return async url => {
    await post(url, `workflows/workflow_run/${id}/agent-approval/${request!.id}/approve/`, undefined);
    return runDoing(stage, id, 'succeeded');
  };
};

/** The cancelling of a run that waits for an hour. */
export const cancelled: Deed = async stage => {
  const workflow = await createWorkflow(stage, chain(trigger(), node('delay-node', { seconds: 3600 }), output()));
  const { id } = (await post(stage.url, `workflows/${workflow}/run/`, {})).body.data;
  return async url => {
    const query = `mutation { workflowRunCancel(id: "${id}") { id } }`;
    const { body } = await request(url, 'POST', '/graphql', { body: { query } });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return runDoing(stage, id, 'cancelled');
  };
};

/** The upload of a document. */
export const upload: Deed = async stage => {
  const name = randomUUID();
  return async url => {
    await sendDocument(stage, url, name, `upload-${name}`);
    return {
      isOver: async () => true,
      faults: async () => {
        const rows = await stage.ground.sql('select id from document where filename = $1', [`${name}.txt`]);
        return rows.length === 1 ? [] : [`there are ${rows.length} documents of one upload`];
      },
    };
  };
};

/** The reading of a document. */
export const recognition: Deed = async stage => {
  const document = await sendDocument(stage, stage.url, randomUUID());
  return async url => {
    const body = { project: stage.project, document, chunk_size: 50 };
    const { id } = (await post(url, 'recognitionruns/', body)).body;
    return {
      isOver: async () => ['finished', 'error'].includes((await read(stage, `recognitionruns/${id}/`)).body.status),
      faults: async () => {
        const [row] = await stage.ground.sql<{ state: string; right: boolean }>(
          `select state, chunks_count > 1 and chunks_count = (select count(*) from recognition_chunk c where c.run_id = r.id) as right
             from recognition_run r where id = $1`,
          [id],
        );
        return row?.state === 'finished' && row.right ? [] : [`the document was read as ${JSON.stringify(row)}`];
      },
    };
  };
};

/** Keywords of a topic, by a model. */
export const keywords: Deed = async stage => async url => {
  const { id } = (await post(url, 'keywordruns/', { project: stage.project, topic: 'tea' })).body;
  const get = async () => (await read(stage, `keywordruns/${id}/`)).body;
  return {
    isOver: async () => ['finished', 'error'].includes((await get()).status),
    faults: async () => {
      const { status, keywords_count, cost } = await get();
      const found = JSON.stringify([status, keywords_count, cost?.USD]);
      return found === '["finished",3,"0.00045"]' ? [] : [`the keyword run is ${found}`];
    },
  };
};

/** A run of a scenario of one message. */
export const scenario: Deed = async stage => {
  const made = async (path: string, body: object) =>
    (await post(stage.url, path, { project: stage.project, ...body })).body.id;
  const prompt = await made('prompts/', { key: randomUUID(), role: 'user', content: 'Hello' });
  const parameters = { model_name: 'gpt-4o-mini' };
  const message = await made('messages/', { key: randomUUID(), prompts: [prompt], parameters });
  const more = { category: 1, run_fee: 0, free_runs_per_user: 0 };
  const id = await made('scenarios/', { name: 'Faults', messages: [message], ...more });
  const key = randomUUID();
  return async url => {
    const run = (await post(url, 'scenarioruns/run/', { scenario: id }, key)).body.id;
    const count = () => stage.ground.sql('select id from scenario_run where scenario_id = $1', [id]);
    const get = async () => (await read(stage, `scenarioruns/${run}/`)).body;
    return {
      isOver: async () => !['created', 'in_progress'].includes((await get()).status),
      faults: async () => {
        const { status, tokens } = await get();
        const found = JSON.stringify([status, tokens?.total, (await count()).length]);
        return found === '["finished",1500,1]' ? [] : [`the run of the scenario is ${found}`];
      },
    };
  };
};

/** A chat completion for the project: each that was answered is on the ledger once, or not at all. */
export const chat: Deed = async stage => {
  const mark = randomUUID();
  return async url => {
    const body = { model: 'gpt-4o-mini', max_tokens: 500, messages: [{ role: 'user', content: mark }] };
    const headers = {
      Authorization: `Bearer ${stage.ground.environment.ADMIN_API_KEY}`,
      'X-Project-Id': String(stage.project),
    };
    const answer = await request(url, 'POST', '/v1/chat/completions', { body, headers });
    if (answer.status !== 200) throw new Error(`chat: ${answer.status} ${JSON.stringify(answer.body)}`);
    return { isOver: async () => true, faults: async () => [] };
  };
};

async function createWorkflow(stage: Stage, data: unknown): Promise<number> {
  return (await post(stage.url, 'workflows/', { project: stage.project, title: 'Faults', data })).body.id;
}

function runDoing({ ground }: Stage, id: string, end: string): Doing {
  const state = async () =>
    (await ground.sql<{ state: string }>('select state from workflow_run where id = $1', [id]))[0]?.state ?? 'gone';
  return {
    isOver: async () => ['succeeded', 'failed', 'cancelled'].includes(await state()),
    faults: async () => ((await state()) === end ? [] : [`run ${id} is ${await state()}`]),
  };
}

async function sendDocument(stage: Stage, url: string, name: string, key?: string): Promise<number> {
  const words = Array.from({ length: 400 }, (_, index) => `word ${index} of ${name}.`).join(' ');
  const form = formOf({ project: String(stage.project) }, { file1: [`${name}.txt`, words] });
  return (await post(url, 'documents/', form, key)).body[0].id;
}

function read(stage: Stage, path: string): Promise<Answer> {
  return request(stage.url, 'GET', `/api/v1/${path}`);
}

/** Throws for whatever is not an answer to go on with. */
async function post(url: string, path: string, body: unknown, key?: string): Promise<Answer> {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  const answer = await request(url, 'POST', `/api/v1/${path}`, { body, headers });
  if (answer.status >= 300 || (answer.body?.status ?? 200) >= 300)
    throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
