// A typed REST client: creates a workflow, runs it, polls until the run ends and prints its output.
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './openapi.generated.d.ts';

const { SCENARIUM_URL = 'http://127.0.0.1:4000', SCENARIUM_API_KEY = '' } = process.env;
const POLL_MS = 3_000;

const api = createClient<paths>({ baseUrl: SCENARIUM_URL, headers: { 'X-Api-Key': SCENARIUM_API_KEY } });

/** Returns the body of a successful response. Throws an error with the body of any other response. */
async function bodyOf<Body>(request: Promise<{ data?: Body; error?: unknown; response: Response }>) {
  const { data, error, response } = await request;
  if (data === undefined) throw new Error(`HTTP ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

const graph = {
  nodes: [
    {
      id: 'guest',
      type: 'trigger-node',
      data: { next_nodes: ['greeting'], input_fields: [{ id: 'name', type: 'text', input_requirements: true }] },
    },
    { id: 'greeting', type: 'template-node', data: { next_nodes: ['end'], template: 'Welcome, {{ input.name }}!' } },
    { id: 'end', type: 'output-node', data: {} },
  ],
};

const project = await bodyOf(api.POST('/api/v1/projects/', { body: { name: 'Typed REST' } }));
const workflow = await bodyOf(
  api.POST('/api/v1/workflows/', { body: { project: project.id, title: 'Welcome a guest', data: graph } }),
);
console.log(`Workflow ${workflow.id}: ${workflow.title}`);

const receipt = await bodyOf(
  api.POST('/api/v1/workflows/{id}/run/', { params: { path: { id: workflow.id } }, body: { name: 'Ada' } }),
);
if (receipt.status !== 201) throw new Error(`The run was refused: ${JSON.stringify(receipt)}`);

for (;;) {
  const { data: run } = await bodyOf(
    api.GET('/api/v1/workflows/workflow_result/', { params: { query: { id: receipt.data.id } } }),
  );
  console.log(run.status);
  if (run.status === 'failed') throw new Error(JSON.stringify(run));
  if (run.status === 'succeed') {
    console.log(run.output);
    break;
  }
  await sleep(POLL_MS);
}
