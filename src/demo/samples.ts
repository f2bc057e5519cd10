import { setTimeout as delay } from 'node:timers/promises';
import { graph, node } from './graph.js';
import type { RestClient } from './rest-client.js';
import { DEMO_INPUT } from './workflow.js';

/** Id of the run of a graph without a workflow, the only run whose id a caller chooses. */
const GRAPH_RUN = '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10';
const OUTPUT = '0de00000-0000-4000-8000-00000000000a';

const POLL_EVERY_MS = 500;
const TIMEOUT_MS = 30_000;
const ENDED = ['finished', 'error', 'cancelled'];

/** An OpenAPI document with one operation. */
const ORDERS_API = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://example.com/api' }],
  paths: {
    '/orders/{number}': {
      get: {
        operationId: 'getOrder',
        summary: 'Read an order',
        parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'The order.' } },
      },
    },
  },
};

/**
 * Creates one prompt, variable, message, keyword, document, disabled trigger, connection, tool for MCP clients, API
 * definition, scenario and run of each kind unless the project has prompts. On an empty database their ids are 1, as in
 * the examples of the OpenAPI document.
 */
export async function createSamples(rest: RestClient, project: number, workflow: number): Promise<void> {
  const { total } = await rest.get<{ total: number }>(`/api/v1/prompts/?project=${project}&size=0`);
  if (total > 0) return;
  const create = (resource: string, body: object) => rest.post<{ id: number }>(`/api/v1/${resource}/`, body);
  const prompt = await create('prompts', { project, key: 'question', role: 'user', content: 'Write about refunds.' });
  await create('variables', { project, key: 'topic', variable_names: [{ name: 'first', value: 'refunds' }] });
  const parameters = { model_name: 'echo' };
  const message = await create('messages', { project, key: 'answer', parameters, prompts: [prompt.id] });
  await create('keywords', { project, name: 'refund policy' });
  const form = new FormData();
  form.append('project', String(project));
  form.append('file1', new Blob(['Refunds are paid within 14 days.']), 'refunds.txt');
  const [document] = await rest.post<{ id: number }[]>('/api/v1/documents/', form);
  const schedule = { cron: '30 9 * * 1-5', time_zone: 'UTC' };
  const trigger = { name: 'Every weekday morning', is_enabled: false, input: DEMO_INPUT, schedule };
  await rest.post(`/api/v1/workflows/${workflow}/triggers/`, trigger);
  const account = {
    project,
    name: 'Example service',
    kind: 'basic',
    settings: { username: 'demo', base_url: 'https://example.com' },
  };
  await create('connections', account);
  const tool = { name: 'write_about', description: 'Writes a short text about a topic.' };
  await rest.put(`/api/v1/workflows/${workflow}/mcp-server-tool/`, tool);
  await create('api-definitions', { project, name: 'Orders', document: JSON.stringify(ORDERS_API) });
  await createScenario(rest, project, message.id);
  await createRuns(rest, project, document!.id);
}

async function createScenario(rest: RestClient, project: number, message: number): Promise<void> {
  const { items } = await rest.get<{ items: { id: number }[] }>('/api/v1/categories/?size=1');
  const [category] = items;
  // Only an administrator can create a category again.
  if (!category) return;
  const scenario = await rest.post<{ id: number }>('/api/v1/scenarios/', {
    ...{ project, name: 'Write about refunds', category: category.id, messages: [message] },
    ...{ run_fee: 0, free_runs_per_user: 0 },
  });
  await rest.post('/api/v1/scenarioruns/run/', { scenario: scenario.id });
}

async function createRuns(rest: RestClient, project: number, document: number): Promise<void> {
  await createAndWait(rest, 'recognitionruns', { project, document });
  // Without a model provider the keywords come from the chunks of the recognition run.
  await createAndWait(rest, 'keywordruns', { project, topic: 'refunds' });
  const data = graph([node(OUTPUT, 'output-node', 'Answer', { value: 'About refunds' })]);
  await rest.post(`/api/v1/workflows/run/?task_id=${GRAPH_RUN}`, { project, data });
}

async function createAndWait(rest: RestClient, resource: string, body: object): Promise<void> {
  const { id } = await rest.post<{ id: number }>(`/api/v1/${resource}/`, body);
  const until = Date.now() + TIMEOUT_MS;
  while (Date.now() < until) {
    const { status } = await rest.get<{ status: string }>(`/api/v1/${resource}/${id}/`);
    if (ENDED.includes(status)) return;
    await delay(POLL_EVERY_MS);
  }
  throw new Error(`${resource}: run ${id} did not end within ${TIMEOUT_MS / 1000} s.`);
}

/** Publishes the workflow on the marketplace, with its finished run as template and example. No effect on a published one. */
export async function publishSample(rest: RestClient, workflow: number, run: string): Promise<void> {
  const address = `/api/v1/workflows/${workflow}/`;
  const { is_published: isPublished } = await rest.get<{ is_published: boolean }>(address);
  if (isPublished) return;
  const history = `${address}history/${run}/`;
  await rest.patch(address, {
    ...{ market_title: 'Thank a customer', short_description: 'Writes a note to a customer.' },
    ...{ available_languages: ['en'], run_fee: 0, free_runs_per_user: 0 },
  });
  await rest.post(`${history}toggle-marketplace-use/`, { use_as_marketplace_template: true });
  await rest.post(`${history}toggle-marketplace-example/`, { use_in_marketplace_example: true });
  await rest.post(`${address}publish-on-marketplace/`, {});
}
