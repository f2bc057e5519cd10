import { randomUUID } from 'node:crypto';
import { toGlobalId } from '../../../src/graphql/global-ids.js';
import type { HiddenIdCase } from './case.js';

export const GRAPHQL_CASES: HiddenIdCase[] = [
  ['a project', other => ({ graphql: `{ project(id: ${other.project}) { id name stopwords canEdit } }` })],
  [
    'a project together with one of mine',
    (other, mine) => ({
      graphql: `{ a: project(id: ${mine.project}) { id } b: project(id: ${other.project}) { id name } }`,
    }),
  ],
  [
    'the project of members',
    other => ({ graphql: `{ projectMembers(projectId: ${other.project}) { total items { email } } }` }),
  ],
  [
    'the project of a log',
    other => ({ graphql: `{ auditLog(projectId: ${other.project}) { total items { action } } }` }),
  ],
  [
    'the project of an event',
    other => ({
      graphql: `mutation { workflowEventSend(projectId: ${other.project}, name: "paid") { event { id } } }`,
    }),
  ],
  [
    'the project of approval requests',
    other => ({ graphql: `{ agentApprovals(projectId: ${other.project}) { total } }` }),
  ],
  [
    'the run of approval requests of a project of mine',
    (other, mine) => ({
      graphql: `{ agentApprovals(projectId: ${mine.project}, runId: "${other.run}") { total items { requestId } } }`,
    }),
  ],
  [
    'the project of a run of mine with approval requests',
    (other, mine) => ({ graphql: `{ agentApprovals(projectId: ${other.project}, runId: "${mine.run}") { total } }` }),
  ],
  ['a global id', other => ({ graphql: `{ node(globalId: "${toGlobalId('WorkflowRun', other.run)}") { globalId } }` })],
  [
    'a cursor list of a foreign workflow',
    other => ({
      graphql: `{ workflowRunsConnection(workflowId: ${other.workflow}, last: 2) { totalCount nodes { id } } }`,
    }),
  ],
  ['a workflow', other => ({ graphql: `{ workflow(id: ${other.workflow}) { title data project { name } } }` })],
  [
    'the project of a filter',
    other => ({ graphql: `{ workflows(filter: {projectId: ${other.project}}) { total items { title } } }` }),
  ],
  ['a run', other => ({ graphql: `{ workflowRun(id: "${other.run}") { state inputData workflow { title } } }` })],
  [
    'a run with a workflow of mine',
    (other, mine) => ({ graphql: `{ workflowRun(id: "${other.run}", workflowId: ${mine.workflow}) { state } }` }),
  ],
  [
    'the workflow with a run of mine',
    (other, mine) => ({ graphql: `{ workflowRun(id: "${mine.run}", workflowId: ${other.workflow}) { state } }` }),
  ],
  [
    'the second run of a difference',
    (other, mine) => ({
      graphql: `{ workflowRunDiff(leftId: "${mine.ended}", rightId: "${other.ended}") { sameGraph inputs { right } } }`,
    }),
  ],
  [
    'the first run of a difference',
    (other, mine) => ({
      graphql: `{ workflowRunDiff(leftId: "${other.ended}", rightId: "${mine.ended}") { sameGraph inputs { left } } }`,
    }),
  ],
  ['the run of a result', other => ({ graphql: `{ workflowRunResult(id: "${other.ended}") { data { status } } }` })],
  [
    'the workflow of runs',
    other => ({ graphql: `{ workflowRuns(workflowId: ${other.workflow}, page: 2) { total } }` }),
  ],
  ['the run of a bill', other => ({ graphql: `{ billingTransactions(runId: "${other.run}") { total } }` })],
  [
    'the workflow of stored tools',
    other => ({
      graphql: `{ mcpTools(endpointUrl: "http://127.0.0.1:1/mcp", workflowId: ${other.workflow}, nodeId: "${other.node}") }`,
    }),
  ],
  [
    'a run to fork',
    other => ({
      graphql: `mutation { workflowRunFork(id: "${other.ended}", nodeId: "${other.node}") { receipt { status } } }`,
    }),
  ],
  [
    'the node of a run of mine to fork',
    (other, mine) => ({
      graphql: `mutation { workflowRunFork(id: "${mine.ended}", nodeId: "${other.node}") { receipt { status } } }`,
    }),
  ],
  [
    'a run whose effects are previewed',
    other => ({ graphql: `{ workflowRunEffects(id: "${other.ended}", action: RESTART) { unknownCostCount } }` }),
  ],
  [
    'a workflow to check',
    other => ({
      graphql: `mutation { workflowPublishCheck(workflowId: ${other.workflow}, budgetUsd: "0") { rehearsal { id } } }`,
    }),
  ],
  [
    'runs of a foreign workflow to bisect in one of mine',
    (other, mine) => ({
      graphql: `mutation { workflowBisect(workflowId: ${mine.workflow}, budgetUsd: "0", goodRunId: "${other.ended}", badRunId: "${mine.ended}") { rehearsal { id } } }`,
    }),
  ],
  [
    'the workflow of rehearsals',
    other => ({ graphql: `{ workflowRehearsals(workflowId: ${other.workflow}) { total } }` }),
  ],
  [
    'a draft to release',
    other => ({ graphql: `mutation { workflowRunRelease(id: "${other.draft}") { receipt { status } } }` }),
  ],
  [
    'a run to cancel',
    other => ({ graphql: `mutation { workflowRunCancel(id: "${other.run}") { workflowRun { state } } }` }),
  ],
  [
    'a run to cancel with a workflow of mine',
    (other, mine) => ({
      graphql: `mutation { workflowRunCancel(id: "${other.run}", workflowId: ${mine.workflow}) { workflowRun { state } } }`,
    }),
  ],
  [
    'a run to repeat',
    (other, mine) => ({
      graphql: `mutation { workflowRunRestart(workflowId: ${mine.workflow}, id: "${other.ended}") { receipt { status } } }`,
    }),
  ],
  [
    'a run to mark',
    (other, mine) => ({
      graphql: `mutation { workflowRunApiRunSet(workflowId: ${mine.workflow}, id: "${other.ended}", isApiRun: true) { workflowRun { state } } }`,
    }),
  ],
  [
    'a workflow to run',
    other => ({ graphql: `mutation { workflowRunStart(workflowId: ${other.workflow}) { receipt { status } } }` }),
  ],
  [
    'a workflow to run with an idempotency key',
    other => ({
      graphql: `mutation { workflowRunStart(workflowId: ${other.workflow}, idempotencyKey: "k${other.workflow}") { receipt { status } } }`,
    }),
  ],
  [
    'the project of a graph to run',
    other => ({
      graphql: `mutation { workflowRunStartGraph(id: "${randomUUID()}", data: {nodes: []}, project: ${other.project}) { receipt { status } } }`,
    }),
  ],
  [
    'the project of a new workflow',
    other => ({
      graphql: `mutation { workflowCreate(input: {projectId: ${other.project}, title: "x", data: {nodes: []}}) { workflow { id } } }`,
    }),
  ],
  [
    'a workflow to change',
    other => ({
      graphql: `mutation { workflowUpdate(id: ${other.workflow}, input: {title: "mine now"}) { workflow { id } } }`,
    }),
  ],
  [
    'a workflow to copy',
    other => ({ graphql: `mutation { workflowDuplicate(id: ${other.workflow}) { workflow { id data } } }` }),
  ],
  [
    'a workflow to move',
    other => ({ graphql: `mutation { workflowReorder(id: ${other.workflow}, sortId: 1) { workflow { id } } }` }),
  ],
  [
    'a workflow to delete',
    other => ({ graphql: `mutation { workflowDelete(id: ${other.workflow}) { workflow { id } } }` }),
  ],
  [
    'a member to change',
    other => ({
      graphql: `mutation { projectMemberUpdate(id: ${other.member}, role: VIEWER) { projectMember { role } } }`,
    }),
  ],
  [
    'a member to change in a project of mine',
    (other, mine) => ({
      graphql: `mutation { projectMemberUpdate(id: ${other.member}, projectId: ${mine.project}, role: VIEWER) { projectMember { role } } }`,
    }),
  ],
  [
    'a member to remove',
    other => ({ graphql: `mutation { projectMemberRemove(id: ${other.member}) { projectMember { email } } }` }),
  ],
  [
    'the next owner of a project of mine',
    (other, mine) => ({
      graphql: `mutation { projectOwnershipTransfer(projectId: ${mine.project}, userId: ${other.user}) { projectMember { email } } }`,
    }),
  ],
  [
    'the project to hand over to me',
    (other, mine) => ({
      graphql: `mutation { projectOwnershipTransfer(projectId: ${other.project}, userId: ${mine.user}) { projectMember { email } } }`,
    }),
  ],
  [
    'the project of a spending limit',
    other => ({
      graphql: `mutation { projectBudgetSet(projectId: ${other.project}, limitUsd: null) { project { name } } }`,
    }),
  ],
  [
    'the project of stopwords',
    other => ({
      graphql: `mutation { projectStopwordsSet(id: ${other.project}, stopwords: []) { project { name } } }`,
    }),
  ],
  [
    'a project to change',
    other => ({
      graphql: `mutation { projectUpdate(id: ${other.project}, input: {name: "mine now"}) { project { name } } }`,
    }),
  ],
  [
    'a project to delete',
    other => ({ graphql: `mutation { projectDelete(id: ${other.project}) { project { name } } }` }),
  ],
  [
    'a key to delete',
    other => ({ graphql: `mutation { apiKeyDelete(id: ${other.apiKey}) { apiKey { name prefix } } }` }),
  ],
  [
    'a key to change',
    other => ({ graphql: `mutation { apiKeyUpdate(id: ${other.apiKey}, input: {rateLimit: 1}) { apiKey { name } } }` }),
  ],
  [
    'a key to set a budget of',
    other => ({ graphql: `mutation { apiKeyBudgetSet(id: ${other.apiKey}, limitUsd: null) { apiKey { name } } }` }),
  ],
  ['the user of keys', other => ({ graphql: `{ apiKeys(userId: ${other.user}) { total items { name } } }` })],
  [
    'the user of a new key',
    other => ({ graphql: `mutation { apiKeyCreate(input: {name: "x", userId: ${other.user}}) { apiKey { key } } }` }),
  ],
  ['a user', other => ({ graphql: `{ user(id: ${other.user}) { email } }` })],
  [
    'a user to change',
    other => ({ graphql: `mutation { userUpdate(id: ${other.user}, input: {name: "x"}) { user { email } } }` }),
  ],
  [
    'a request to approve',
    other => ({
      graphql: `mutation { agentApprovalApprove(runId: "${other.run}", requestId: "${other.approval}") { receipt { status } } }`,
    }),
  ],
  [
    'a request to approve under a run of mine',
    (other, mine) => ({
      graphql: `mutation { agentApprovalApprove(runId: "${mine.run}", requestId: "${other.approval}") { receipt { status } } }`,
    }),
  ],
  [
    'the run to report on',
    other => ({
      graphql: `mutation { workflowRunReport(id: "${other.run}", input: {status: FAILED, sequence: 9}) { delivery { status } } }`,
    }),
  ],
];
