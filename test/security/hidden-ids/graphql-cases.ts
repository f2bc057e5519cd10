import { randomUUID } from 'node:crypto';
import { toGlobalId } from '../../../src/graphql/global-ids.js';
import type { HiddenIdCase } from './case.js';

export const GRAPHQL_CASES: HiddenIdCase[] = [
  ['a project', o => ({ query: `{ project(id: ${o.project}) { id name stopwords canEdit } }` })],
  [
    'a project together with one of mine',
    (o, mine) => ({ query: `{ a: project(id: ${mine.project}) { id } b: project(id: ${o.project}) { id name } }` }),
  ],
  ['the project of members', o => ({ query: `{ projectMembers(projectId: ${o.project}) { total items { email } } }` })],
  ['the project of a log', o => ({ query: `{ auditLog(projectId: ${o.project}) { total items { action } } }` })],
  [
    'the project of an event',
    o => ({ query: `mutation { workflowEventSend(projectId: ${o.project}, name: "paid") { event { id } } }` }),
  ],
  ['the project of requests', o => ({ query: `{ agentApprovals(projectId: ${o.project}) { total } }` })],
  [
    'the run of requests of a project of mine',
    (o, mine) => ({
      query: `{ agentApprovals(projectId: ${mine.project}, runId: "${o.run}") { total items { requestId } } }`,
    }),
  ],
  [
    'the project of a run of mine with requests',
    (o, mine) => ({ query: `{ agentApprovals(projectId: ${o.project}, runId: "${mine.run}") { total } }` }),
  ],
  ['a global id', o => ({ query: `{ node(globalId: "${toGlobalId('WorkflowRun', o.run)}") { globalId } }` })],
  [
    'a cursor list of a foreign workflow',
    o => ({ query: `{ workflowRunsConnection(workflowId: ${o.workflow}, last: 2) { totalCount nodes { id } } }` }),
  ],
  ['a workflow', o => ({ query: `{ workflow(id: ${o.workflow}) { title data project { name } } }` })],
  [
    'the project of a filter',
    o => ({ query: `{ workflows(filter: {projectId: ${o.project}}) { total items { title } } }` }),
  ],
  ['a run', o => ({ query: `{ workflowRun(id: "${o.run}") { state inputData workflow { title } } }` })],
  [
    'a run with a workflow of mine',
    (o, mine) => ({ query: `{ workflowRun(id: "${o.run}", workflowId: ${mine.workflow}) { state } }` }),
  ],
  [
    'the workflow with a run of mine',
    (o, mine) => ({ query: `{ workflowRun(id: "${mine.run}", workflowId: ${o.workflow}) { state } }` }),
  ],
  [
    'the second run of a difference',
    (o, mine) => ({
      query: `{ workflowRunDiff(leftId: "${mine.ended}", rightId: "${o.ended}") { sameGraph inputs { right } } }`,
    }),
  ],
  [
    'the first run of a difference',
    (o, mine) => ({
      query: `{ workflowRunDiff(leftId: "${o.ended}", rightId: "${mine.ended}") { sameGraph inputs { left } } }`,
    }),
  ],
  ['the run of a result', o => ({ query: `{ workflowRunResult(id: "${o.ended}") { data { status } } }` })],
  ['the workflow of runs', o => ({ query: `{ workflowRuns(workflowId: ${o.workflow}, page: 2) { total } }` })],
  ['the run of a bill', o => ({ query: `{ billingTransactions(runId: "${o.run}") { total } }` })],
  [
    'the workflow of stored tools',
    o => ({
      query: `{ mcpTools(endpointUrl: "http://127.0.0.1:1/mcp", workflowId: ${o.workflow}, nodeId: "${o.node}") }`,
    }),
  ],
  [
    'a run to fork',
    o => ({ query: `mutation { workflowRunFork(id: "${o.ended}", nodeId: "${o.node}") { receipt { status } } }` }),
  ],
  [
    'the node of a run of mine to fork',
    (o, mine) => ({
      query: `mutation { workflowRunFork(id: "${mine.ended}", nodeId: "${o.node === 'no-node' ? 'no-node' : `node-${o.mark}`}") { receipt { status } } }`,
    }),
  ],
  [
    'a run whose effects are previewed',
    o => ({ query: `{ workflowRunEffects(id: "${o.ended}", action: RESTART) { unknownCostCount } }` }),
  ],
  [
    'a workflow to check',
    o => ({
      query: `mutation { workflowPublishCheck(workflowId: ${o.workflow}, budgetUsd: "0") { rehearsal { id } } }`,
    }),
  ],
  [
    'runs of a foreign workflow to bisect in one of mine',
    (o, mine) => ({
      query: `mutation { workflowBisect(workflowId: ${mine.workflow}, budgetUsd: "0", goodRunId: "${o.ended}", badRunId: "${mine.ended}") { rehearsal { id } } }`,
    }),
  ],
  ['the workflow of rehearsals', o => ({ query: `{ workflowRehearsals(workflowId: ${o.workflow}) { total } }` })],
  ['a draft to release', o => ({ query: `mutation { workflowRunRelease(id: "${o.draft}") { receipt { status } } }` })],
  ['a run to cancel', o => ({ query: `mutation { workflowRunCancel(id: "${o.run}") { workflowRun { state } } }` })],
  [
    'a run to cancel with a workflow of mine',
    (o, mine) => ({
      query: `mutation { workflowRunCancel(id: "${o.run}", workflowId: ${mine.workflow}) { workflowRun { state } } }`,
    }),
  ],
  [
    'a run to repeat',
    (o, mine) => ({
      query: `mutation { workflowRunRestart(workflowId: ${mine.workflow}, id: "${o.ended}") { receipt { status } } }`,
    }),
  ],
  [
    'a run to mark',
    (o, mine) => ({
      query: `mutation { workflowRunApiRunSet(workflowId: ${mine.workflow}, id: "${o.ended}", isApiRun: true) { workflowRun { state } } }`,
    }),
  ],
  [
    'a workflow to run',
    o => ({ query: `mutation { workflowRunStart(workflowId: ${o.workflow}) { receipt { status } } }` }),
  ],
  [
    'a workflow to run with an idempotency key',
    o => ({
      query: `mutation { workflowRunStart(workflowId: ${o.workflow}, idempotencyKey: "k${o.workflow}") { receipt { status } } }`,
    }),
  ],
  [
    'the project of a graph to run',
    o => ({
      query: `mutation { workflowRunStartGraph(id: "${randomUUID()}", data: {nodes: []}, project: ${o.project}) { receipt { status } } }`,
    }),
  ],
  [
    'the project of a new workflow',
    o => ({
      query: `mutation { workflowCreate(input: {projectId: ${o.project}, title: "x", data: {nodes: []}}) { workflow { id } } }`,
    }),
  ],
  [
    'a workflow to change',
    o => ({ query: `mutation { workflowUpdate(id: ${o.workflow}, input: {title: "mine now"}) { workflow { id } } }` }),
  ],
  [
    'a workflow to copy',
    o => ({ query: `mutation { workflowDuplicate(id: ${o.workflow}) { workflow { id data } } }` }),
  ],
  [
    'a workflow to move',
    o => ({ query: `mutation { workflowReorder(id: ${o.workflow}, sortId: 1) { workflow { id } } }` }),
  ],
  ['a workflow to delete', o => ({ query: `mutation { workflowDelete(id: ${o.workflow}) { workflow { id } } }` })],
  [
    'a member to change',
    o => ({ query: `mutation { projectMemberUpdate(id: ${o.member}, role: VIEWER) { projectMember { role } } }` }),
  ],
  [
    'a member to change in a project of mine',
    (o, mine) => ({
      query: `mutation { projectMemberUpdate(id: ${o.member}, projectId: ${mine.project}, role: VIEWER) { projectMember { role } } }`,
    }),
  ],
  [
    'a member to remove',
    o => ({ query: `mutation { projectMemberRemove(id: ${o.member}) { projectMember { email } } }` }),
  ],
  [
    'the next owner of a project of mine',
    (o, mine) => ({
      query: `mutation { projectOwnershipTransfer(projectId: ${mine.project}, userId: ${o.user}) { projectMember { email } } }`,
    }),
  ],
  [
    'the project to hand over to me',
    (o, mine) => ({
      query: `mutation { projectOwnershipTransfer(projectId: ${o.project}, userId: ${mine.user}) { projectMember { email } } }`,
    }),
  ],
  [
    'the project of a spending limit',
    o => ({ query: `mutation { projectBudgetSet(projectId: ${o.project}, limitUsd: null) { project { name } } }` }),
  ],
  [
    'the project of stopwords',
    o => ({ query: `mutation { projectStopwordsSet(id: ${o.project}, stopwords: []) { project { name } } }` }),
  ],
  [
    'a project to change',
    o => ({ query: `mutation { projectUpdate(id: ${o.project}, input: {name: "mine now"}) { project { name } } }` }),
  ],
  ['a project to delete', o => ({ query: `mutation { projectDelete(id: ${o.project}) { project { name } } }` })],
  ['a key to delete', o => ({ query: `mutation { apiKeyDelete(id: ${o.apiKey}) { apiKey { name prefix } } }` })],
  [
    'a key to change',
    o => ({ query: `mutation { apiKeyUpdate(id: ${o.apiKey}, input: {rateLimit: 1}) { apiKey { name } } }` }),
  ],
  [
    'a key to set a budget of',
    o => ({ query: `mutation { apiKeyBudgetSet(id: ${o.apiKey}, limitUsd: null) { apiKey { name } } }` }),
  ],
  ['the user of keys', o => ({ query: `{ apiKeys(userId: ${o.user}) { total items { name } } }` })],
  [
    'the user of a new key',
    o => ({ query: `mutation { apiKeyCreate(input: {name: "x", userId: ${o.user}}) { apiKey { key } } }` }),
  ],
  ['a user', o => ({ query: `{ user(id: ${o.user}) { email } }` })],
  [
    'a user to change',
    o => ({ query: `mutation { userUpdate(id: ${o.user}, input: {name: "x"}) { user { email } } }` }),
  ],
  [
    'a request to approve',
    o => ({
      query: `mutation { agentApprovalApprove(runId: "${o.run}", requestId: "${o.approval}") { receipt { status } } }`,
    }),
  ],
  [
    'a request to approve under a run of mine',
    (o, mine) => ({
      query: `mutation { agentApprovalApprove(runId: "${mine.run}", requestId: "${o.approval}") { receipt { status } } }`,
    }),
  ],
  [
    'the run to report on',
    o => ({
      query: `mutation { workflowRunReport(id: "${o.run}", input: {status: FAILED, sequence: 9}) { delivery { status } } }`,
    }),
  ],
];
