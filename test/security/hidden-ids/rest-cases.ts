import { randomUUID } from 'node:crypto';
import { callingGraph, type HiddenIdCase } from './case.js';

const history = (workflow: number, run: string, rest = '') => `/api/v1/workflows/${workflow}/history/${run}/${rest}`;
const approval = (run: string, request: string, verb: string) =>
  `/api/v1/workflows/workflow_run/${run}/agent-approval/${request}/${verb}/`;

export const REST_CASES: HiddenIdCase[] = [
  [
    'the project of a new workflow',
    other => ({
      method: 'POST',
      path: '/api/v1/workflows/',
      body: { project: other.project, title: 'x', data: callingGraph({}) },
    }),
  ],
  ['the project of a list of workflows', other => ({ path: `/api/v1/workflows/?project=${other.project}` })],
  [
    'the project of a page past the end',
    other => ({ path: `/api/v1/workflows/?project=${other.project}&page=2&size=1` }),
  ],
  ['the project of a page of no size', other => ({ path: `/api/v1/workflows/?project=${other.project}&size=0` })],
  ['the project of a search', other => ({ path: `/api/v1/workflows/?project=${other.project}&title=${other.mark}` })],
  ['a title', other => ({ path: `/api/v1/workflows/?title=${other.mark}` })],
  ['a name', other => ({ path: `/api/v1/projects/?name__icontains=${other.mark}` })],
  [
    'the project of a graph',
    other => ({
      method: 'POST',
      path: `/api/v1/workflows/run/?task_id=${randomUUID()}`,
      body: { data: callingGraph({}), project: other.project },
    }),
  ],
  [
    'the workflow of stored tools',
    other => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: other.workflow, node_id: other.node },
    }),
  ],
  [
    'the workflow of a node of mine',
    (other, mine) => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: other.workflow, node_id: mine.node },
    }),
  ],
  [
    'the node of a workflow of mine',
    (other, mine) => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: mine.workflow, node_id: other.node },
    }),
  ],
  ['the run of a poll', other => ({ path: `/api/v1/workflows/workflow_result/?id=${other.run}` })],
  ['the run of a poll, as task_id', other => ({ path: `/api/v1/workflows/workflow_result/?task_id=${other.run}` })],
  [
    'the run of a poll for a node',
    other => ({ path: `/api/v1/workflows/workflow_result/?id=${other.run}&node_id=${other.node}` }),
  ],
  [
    'the node of a poll of a run of mine',
    (other, mine) => ({ path: `/api/v1/workflows/workflow_result/?id=${mine.run}&node_id=${other.node}` }),
  ],
  [
    'the workflow of the earlier history',
    other => ({ path: `/api/v1/workflows/history/?workflow_id=${other.workflow}` }),
  ],
  [
    'the workflow of the earlier history, by cost',
    other => ({ path: `/api/v1/workflows/history/?workflow_id=${other.workflow}&ordering=cost&limit=50&page=3` }),
  ],
  ['a run under a workflow of mine', (other, mine) => ({ path: history(mine.workflow, other.run) })],
  ['the workflow above a run of mine', (other, mine) => ({ path: history(other.workflow, mine.run) })],
  [
    'a run to repeat under a workflow of mine',
    (other, mine) => ({ method: 'POST', path: history(mine.workflow, other.run, 're-run/') }),
  ],
  [
    'the workflow above a run of mine to repeat',
    (other, mine) => ({ method: 'POST', path: history(other.workflow, mine.run, 're-run/') }),
  ],
  [
    'a run to cancel under a workflow of mine',
    (other, mine) => ({ method: 'POST', path: history(mine.workflow, other.run, 'cancel/') }),
  ],
  [
    'the workflow above a run of mine to cancel',
    (other, mine) => ({ method: 'POST', path: history(other.workflow, mine.run, 'cancel/') }),
  ],
  [
    'a run to mark under a workflow of mine',
    (other, mine) => ({
      method: 'POST',
      path: history(mine.workflow, other.run, 'toggle-api-run/'),
      body: { is_api_run: true },
    }),
  ],
  [
    'the workflow above a run of mine to mark',
    (other, mine) => ({
      method: 'POST',
      path: history(other.workflow, mine.run, 'toggle-api-run/'),
      body: { is_api_run: true },
    }),
  ],
  [
    'the project of an event',
    other => ({ method: 'POST', path: `/api/v1/projects/${other.project}/workflow-events/`, body: { name: 'paid' } }),
  ],
  ['the project of approval requests', other => ({ path: `/api/v1/projects/${other.project}/agent-approvals/` })],
  [
    'an approval to grant with a comment under a run of mine',
    (other, mine) => ({
      method: 'POST',
      path: `/api/v1/runs/${mine.run}/agent-approvals/${other.approval}/approve/`,
      body: { comment: 'x' },
    }),
  ],
  [
    'an approval to grant under a run of mine',
    (other, mine) => ({ method: 'POST', path: approval(mine.run, other.approval, 'approve') }),
  ],
  [
    'an approval to reject under a run of mine',
    (other, mine) => ({ method: 'POST', path: approval(mine.run, other.approval, 'reject') }),
  ],
  [
    'the run of an approval of mine to grant',
    (other, mine) => ({ method: 'POST', path: approval(other.run, mine.approval, 'approve') }),
  ],
  [
    'the run of an approval of mine to reject',
    (other, mine) => ({ method: 'POST', path: approval(other.run, mine.approval, 'reject') }),
  ],
  [
    'a member to change under a project of mine',
    (other, mine) => ({
      method: 'PATCH',
      path: `/api/v1/projects/${mine.project}/members/${other.member}/`,
      body: { role: 'viewer' },
    }),
  ],
  [
    'the project above a member of mine to change',
    (other, mine) => ({
      method: 'PATCH',
      path: `/api/v1/projects/${other.project}/members/${mine.member}/`,
      body: { role: 'viewer' },
    }),
  ],
  [
    'a member to remove under a project of mine',
    (other, mine) => ({ method: 'DELETE', path: `/api/v1/projects/${mine.project}/members/${other.member}/` }),
  ],
  [
    'the project above a member of mine to remove',
    (other, mine) => ({ method: 'DELETE', path: `/api/v1/projects/${other.project}/members/${mine.member}/` }),
  ],
  ['the project of members past the end', other => ({ path: `/api/v1/projects/${other.project}/members/?page=99` })],
  ['a key to delete', other => ({ method: 'DELETE', path: `/api/v1/api-keys/${other.apiKey}/` })],
  [
    'the user of a new key',
    other => ({ method: 'POST', path: '/api/v1/api-keys/', body: { name: 'x', user: other.user } }),
  ],
  ['the run of a bill', other => ({ path: `/api/v1/billing-history/workflowrun/${other.run}/?page=2` })],
  [
    'the workflow inside a graph to check',
    other => ({
      method: 'POST',
      path: '/api/v1/workflows/check_workflow/',
      body: withStableIds(callingGraph({ workflow_id: other.workflow })),
    }),
  ],
];

/**
 * Ids of nodes and edges are generated anew for every graph. Equal requests need equal ids, because the response contains
 * them.
 */
function withStableIds(value: ReturnType<typeof callingGraph>): unknown {
  const [first, , last] = value.nodes as [{ id: string }, unknown, { id: string }];
  return JSON.parse(
    JSON.stringify({ ...value, edges: [] })
      .replaceAll(first.id, 'first')
      .replaceAll(last.id, 'last'),
  );
}
