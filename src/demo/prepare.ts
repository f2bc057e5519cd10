import { isDeepStrictEqual } from 'node:util';
import type { Graph } from './graph.js';
import type { RestClient } from './rest-client.js';
import { DEMO_PROJECT, DEMO_WORKFLOW } from './workflow.js';

interface Listing<T> {
  items: T[];
}

interface Workflow {
  id: number;
  title: string;
  data: unknown;
}

/** Creates the demo's project and workflow unless they exist. Returns their ids. */
export async function prepareWorkflow(
  rest: RestClient,
  graph: Graph,
): Promise<{ projectId: number; workflowId: number }> {
  const project = await findOrCreateProject(rest);
  const { items } = await rest.get<Listing<Workflow>>(
    `/api/v1/workflows/?project=${project}&title=${encodeURIComponent(DEMO_WORKFLOW)}&size=100`,
  );
  const existing = items.find(({ title }) => title === DEMO_WORKFLOW);
  if (!existing) {
    const created = { project, title: DEMO_WORKFLOW, data: graph };
    return { projectId: project, workflowId: (await rest.post<Workflow>('/api/v1/workflows/', created)).id };
  }
  // Each change of a graph creates a revision, so an unchanged graph is not sent.
  if (!isDeepStrictEqual(existing.data, graph)) await rest.patch(`/api/v1/workflows/${existing.id}/`, { data: graph });
  return { projectId: project, workflowId: existing.id };
}

async function findOrCreateProject(rest: RestClient): Promise<number> {
  const { items } = await rest.get<Listing<{ id: number; name: string }>>(
    `/api/v1/projects/?name__icontains=${encodeURIComponent(DEMO_PROJECT)}&size=100`,
  );
  const existing = items.find(({ name }) => name === DEMO_PROJECT);
  if (existing) return existing.id;
  return (await rest.post<{ id: number }>('/api/v1/projects/', { name: DEMO_PROJECT })).id;
}
