import { randomUUID } from 'node:crypto';
import { callingGraph, type HiddenIdCase } from './case.js';

const history = (workflow: number, run: string, rest = '') => `/api/v1/workflows/${workflow}/history/${run}/${rest}`;
const approval = (run: string, request: string, verb: string) =>
  `/api/v1/workflows/workflow_run/${run}/agent-approval/${request}/${verb}/`;
const text = (value: unknown) => JSON.stringify(value);

export const REST_CASES: HiddenIdCase[] = [
  [
    'the project of a new workflow',
    o => ({
      method: 'POST',
      path: '/api/v1/workflows/',
      body: { project: o.project, title: 'x', data: callingGraph({}) },
    }),
  ],
  ['the project of a list of workflows', o => ({ path: `/api/v1/workflows/?project=${o.project}` })],
  ['the project of a page past the end', o => ({ path: `/api/v1/workflows/?project=${o.project}&page=2&size=1` })],
  ['the project of a page of no size', o => ({ path: `/api/v1/workflows/?project=${o.project}&size=0` })],
  ['the project of a search', o => ({ path: `/api/v1/workflows/?project=${o.project}&title=${o.mark}` })],
  ['a title', o => ({ path: `/api/v1/workflows/?title=${o.mark}` })],
  ['a name', o => ({ path: `/api/v1/projects/?name__icontains=${o.mark}` })],
  [
    'the project of a graph',
    o => ({
      method: 'POST',
      path: `/api/v1/workflows/run/?task_id=${randomUUID()}`,
      body: { data: callingGraph({}), project: o.project },
    }),
  ],
  [
    'the workflow of stored tools',
    o => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: o.workflow, node_id: o.node },
    }),
  ],
  [
    'the workflow of a node of mine',
    (o, mine) => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: o.workflow, node_id: mine.node },
    }),
  ],
  [
    'the node of a workflow of mine',
    (o, mine) => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: mine.workflow, node_id: o.node },
    }),
  ],
  ['the run of a poll', o => ({ path: `/api/v1/workflows/workflow_result/?id=${o.run}` })],
  ['the run of a poll, as task_id', o => ({ path: `/api/v1/workflows/workflow_result/?task_id=${o.run}` })],
  ['the run of a poll for a node', o => ({ path: `/api/v1/workflows/workflow_result/?id=${o.run}&node_id=${o.node}` })],
  [
    'the node of a poll of a run of mine',
    (o, mine) => ({ path: `/api/v1/workflows/workflow_result/?id=${mine.run}&node_id=${o.node}` }),
  ],
  ['the workflow of the earlier history', o => ({ path: `/api/v1/workflows/history/?workflow_id=${o.workflow}` })],
  [
    'the workflow of the earlier history, by cost',
    o => ({ path: `/api/v1/workflows/history/?workflow_id=${o.workflow}&ordering=cost&limit=50&page=3` }),
  ],
  ['a run under a workflow of mine', (o, mine) => ({ path: history(mine.workflow, o.run) })],
  ['the workflow above a run of mine', (o, mine) => ({ path: history(o.workflow, mine.run) })],
  [
    'a run to repeat under a workflow of mine',
    (o, mine) => ({ method: 'POST', path: history(mine.workflow, o.run, 're-run/') }),
  ],
  [
    'the workflow above a run of mine to repeat',
    (o, mine) => ({ method: 'POST', path: history(o.workflow, mine.run, 're-run/') }),
  ],
  [
    'a run to cancel under a workflow of mine',
    (o, mine) => ({ method: 'POST', path: history(mine.workflow, o.run, 'cancel/') }),
  ],
  [
    'the workflow above a run of mine to cancel',
    (o, mine) => ({ method: 'POST', path: history(o.workflow, mine.run, 'cancel/') }),
  ],
  [
    'a run to mark under a workflow of mine',
    (o, mine) => ({
      method: 'POST',
      path: history(mine.workflow, o.run, 'toggle-api-run/'),
      body: { is_api_run: true },
    }),
  ],
  [
    'the workflow above a run of mine to mark',
    (o, mine) => ({
      method: 'POST',
      path: history(o.workflow, mine.run, 'toggle-api-run/'),
      body: { is_api_run: true },
    }),
  ],
  [
    'the project of an event',
    o => ({ method: 'POST', path: `/api/v1/projects/${o.project}/workflow-events/`, body: { name: 'paid' } }),
  ],
  ['the project of requests', o => ({ path: `/api/v1/projects/${o.project}/agent-approvals/` })],
  [
    'a request to approve with a comment under a run of mine',
    (o, mine) => ({
      method: 'POST',
      path: `/api/v1/runs/${mine.run}/agent-approvals/${o.approval}/approve/`,
      body: { comment: 'x' },
    }),
  ],
  [
    'a request to approve under a run of mine',
    (o, mine) => ({ method: 'POST', path: approval(mine.run, o.approval, 'approve') }),
  ],
  [
    'a request to reject under a run of mine',
    (o, mine) => ({ method: 'POST', path: approval(mine.run, o.approval, 'reject') }),
  ],
  [
    'the run above a request of mine to approve',
    (o, mine) => ({ method: 'POST', path: approval(o.run, mine.approval, 'approve') }),
  ],
  [
    'the run above a request of mine to reject',
    (o, mine) => ({ method: 'POST', path: approval(o.run, mine.approval, 'reject') }),
  ],
  [
    'a member to change under a project of mine',
    (o, mine) => ({
      method: 'PATCH',
      path: `/api/v1/projects/${mine.project}/members/${o.member}/`,
      body: { role: 'viewer' },
    }),
  ],
  [
    'the project above a member of mine to change',
    (o, mine) => ({
      method: 'PATCH',
      path: `/api/v1/projects/${o.project}/members/${mine.member}/`,
      body: { role: 'viewer' },
    }),
  ],
  [
    'a member to remove under a project of mine',
    (o, mine) => ({ method: 'DELETE', path: `/api/v1/projects/${mine.project}/members/${o.member}/` }),
  ],
  [
    'the project above a member of mine to remove',
    (o, mine) => ({ method: 'DELETE', path: `/api/v1/projects/${o.project}/members/${mine.member}/` }),
  ],
  ['the project of members past the end', o => ({ path: `/api/v1/projects/${o.project}/members/?page=99` })],
  ['a key to delete', o => ({ method: 'DELETE', path: `/api/v1/api-keys/${o.apiKey}/` })],
  ['the user of a new key', o => ({ method: 'POST', path: '/api/v1/api-keys/', body: { name: 'x', user: o.user } })],
  ['the run of a bill', o => ({ path: `/api/v1/billing-history/workflowrun/${o.run}/?page=2` })],
  [
    'the workflow inside a graph to check',
    o => ({
      method: 'POST',
      path: '/api/v1/workflows/check_workflow/',
      body: fixed(callingGraph({ workflow_id: o.workflow })),
    }),
  ],
];

/** Ids of edges are generated anew for every graph. */
function fixed(value: ReturnType<typeof callingGraph>): unknown {
  const [first, , last] = value.nodes as [{ id: string }, unknown, { id: string }];
  return JSON.parse(
    text({ ...value, edges: [] })
      .replaceAll(first.id, 'first')
      .replaceAll(last.id, 'last'),
  );
}
