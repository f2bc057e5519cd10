import { randomUUID } from 'node:crypto';
import { chain, field, graph, node, output, trigger } from '../../support/graphs.js';
import type { TestService } from '../../support/service.js';

/** Ids that a request can name, all of one project. */
export interface Ids {
  project: number;
  workflow: number;
  node: string;
  run: string;
  draft: string;
  ended: string;
  approval: string;
  member: number;
  user: number;
  apiKey: number;
  /** Part of every name and text of the project. */
  mark: string;
}

/** Creates a project of a user with one object of each kind; their names and texts contain `mark`. */
export async function createIds(
  service: TestService,
  { email, key }: { email: string; key: string },
  mark: string,
): Promise<Ids> {
  const post = async (path: string, body: unknown) => (await service.rest('POST', path, { key, body })).body;
  const { id: project } = await post('/api/v1/projects/', { name: mark });
  const wait = { ...node('delay-node', { seconds: 3_600, label: mark }, `node-${mark}`) };
  const mcp = node('mcp-node', { endpoint_url: 'http://127.0.0.1:1/mcp', tool: 'x' }, `mcp-${mark}`);
  const line = chain(trigger(field('topic', { default_value: mark })), wait, output(mark));
  const { id: workflow } = await post('/api/v1/workflows/', {
    project,
    title: mark,
    data: graph([...line.nodes, mcp], line.edges),
  });
  const start = async () => (await post(`/api/v1/workflows/${workflow}/run/`, { topic: mark })).data.id;
  const run = await start();
  const drafted = await service.graphql(
    'mutation ($id: Int!) { workflowRunStart(workflowId: $id, draft: true) { receipt { data { id: runId } } } }',
    { id: workflow },
    key,
  );
  const ended = await start();
  await service.rest('POST', `/api/v1/workflows/${workflow}/history/${ended}/cancel/`, { key });
  const [asked] = await service.sql(
    `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
     values (gen_random_uuid(), $1, $2, 'agent', 'start', now(), now() + interval '1 day') returning id`,
    [run, project],
  );
  const [member] = await service.sql(
    `select m.id, m.user_id, k.id as key from project_member m join api_key k on k.user_id = m.user_id
       join app_user u on u.id = m.user_id where m.project_id = $1 and u.email = $2`,
    [project, email],
  );
  return {
    project,
    workflow,
    node: `mcp-${mark}`,
    run,
    draft: drafted.data.workflowRunStart.receipt.data.id,
    ended,
    approval: asked?.id,
    member: member?.id,
    user: member?.user_id,
    apiKey: member?.key,
    mark,
  };
}

/** Ids that no row has. */
export function unusedIds(): Ids {
  const nothing = { run: randomUUID(), draft: randomUUID(), ended: randomUUID(), approval: randomUUID() };
  const id = 2_000_000_000;
  return { ...nothing, project: id, workflow: id, node: 'no-node', member: id, user: id, apiKey: id, mark: 'Nowhere' };
}
