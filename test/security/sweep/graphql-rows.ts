import { randomUUID } from 'node:crypto';
import { pureGraph } from '../../support/run-graphs.js';
import { PASSWORD } from '../../support/sessions.js';
import { GRAPHQL_CHAT_ROWS } from './graphql-chat-rows.js';
import { GRAPHQL_DOCUMENT_ROWS } from './graphql-document-rows.js';
import { GRAPHQL_KEYWORD_ROWS } from './graphql-keyword-rows.js';
import { GRAPHQL_MARKET_ROWS } from './graphql-market-rows.js';
import { GRAPHQL_PART_ROWS } from './graphql-part-rows.js';
import { GRAPHQL_SCENARIO_RUN_ROWS } from './graphql-scenario-run-rows.js';
import type { Place } from './places/places.js';
import { type GraphQLMore, type GraphQLRow, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const run = { action: 'workflow.run' } as const;
const project = (place: Place) => ({ id: place.project });
const ofProject = (place: Place) => ({ projectId: place.project });
const workflow = (place: Place) => ({ id: place.workflow });
const theRun = (place: Place) => ({ id: place.run });
const asked = (place: Place) => ({ runId: place.run, requestId: place.approval });
/** An object that an input names is a bad value of the member when it is not the caller's. */
const named: GraphQLMore = { missing: 'BAD_USER_INPUT' };

/** Every field of the query, mutation and subscription types. */
export const GRAPHQL_ROWS: GraphQLRow[] = [
  row('agentApprovals', read, place => ({ projectId: place.project, runId: place.run })),
  row('apiKeys', 'administrator', place => ({ userId: place.bystander })),
  row('auditLog', { action: 'audit.read' }, ofProject, { outlives: true }),
  row('billingTransactions', read, place => ({ runId: place.run })),
  row('mcpTools', read, place => ({ endpointUrl: place.mcpUrl, workflowId: place.workflow, nodeId: 'tools' }), named),
  row('me', 'user'),
  row('nodeKinds', 'user'),
  row('project', read, project),
  row('projectInvitations', { action: 'invitation.read' }, ofProject),
  row('projectInvitationsReceived', 'user'),
  row('projectMembers', read, ofProject),
  row('projectStorage', read, ofProject),
  row('projects', 'user'),
  row('user', 'administrator', place => ({ id: place.bystander })),
  row('users', 'administrator'),
  row('workflow', read, workflow),
  row('workflowCheck', 'user', () => ({ data: pureGraph() })),
  row('workflowRun', read, theRun),
  row('workflowRunDiff', read, place => ({ left: place.ended, right: place.run })),
  row('workflowRunResult', read, theRun),
  row('workflowRuns', read, place => ({ workflowId: place.workflow })),
  row('workflows', 'user', place => ({ filter: { project: place.project } })),

  row('agentApprovalApprove', { action: 'agent.approve' }, asked),
  row('agentApprovalReject', { action: 'agent.approve' }, asked),
  row('apiKeyCreate', 'user', () => ({ input: { name: 'New' } })),
  row('apiKeyDelete', 'own', place => ({ id: place.apiKey })),
  row('apiKeyBudgetSet', 'administrator', place => ({ id: place.apiKey, limitUsd: '5' })),
  row('apiKeyUpdate', 'administrator', place => ({ id: place.apiKey, input: { rateLimit: 10 } })),
  // A password that is too short is refused before anything changes.
  row('passwordChange', 'user', () => ({ currentPassword: PASSWORD, newPassword: 'short' }), {
    success: 'BAD_USER_INPUT',
  }),
  row('operatorLimitSet', 'administrator', place => ({ input: { projectId: place.project, limitUsd: '5' } })),
  row('projectBudgetSet', { action: 'project.set-budget' }, place => ({ projectId: place.project, limitUsd: '5' })),
  row('projectStorageLimitSet', 'administrator', place => ({ projectId: place.project, limitMb: 5 })),
  row('projectCreate', 'user', () => ({ input: { name: 'New' } })),
  row('projectDelete', { action: 'project.delete' }, project),
  row('projectInvitationAccept', 'invited', place => ({ id: place.invitation })),
  row('projectInvitationCreate', { action: 'invitation.create' }, place => ({
    projectId: place.project,
    email: 'newcomer@example.com',
    role: 'VIEWER',
  })),
  row('projectInvitationDecline', 'invited', place => ({ id: place.invitation })),
  row('projectInvitationRevoke', { action: 'invitation.revoke' }, place => ({
    id: place.invitation,
    projectId: place.project,
  })),
  row('projectMemberOffer', { action: 'member.add' }, place => ({
    projectId: place.project,
    email: 'newcomer@example.com',
    role: 'VIEWER',
  })),
  row('projectMemberAdd', 'administrator', place => ({
    projectId: place.project,
    email: 'newcomer@example.com',
    role: 'VIEWER',
  })),
  row('projectMemberRemove', { action: 'member.remove' }, place => ({ id: place.member })),
  row('projectMemberUpdate', { action: 'member.update' }, place => ({ id: place.member, role: 'EDITOR' })),
  row('projectOwnershipTransfer', { action: 'project.transfer' }, place => ({
    projectId: place.project,
    userId: place.editor,
  })),
  row('projectStopwordsSet', { action: 'stopwords.update' }, place => ({ id: place.project, stopwords: ['the'] })),
  row('projectUpdate', { action: 'project.update' }, place => ({ id: place.project, input: { name: 'New' } })),
  row('sessionCreate', 'anybody', () => ({ email: 'the-owner@example.com', password: PASSWORD })),
  row('sessionEnd', 'anybody', () => ({ refresh: 'none of ours' })),
  row('sessionRefresh', 'anybody', ({ refresh }) => ({ refresh })),
  row('userCreate', 'administrator', () => ({ input: { email: `${randomUUID()}@example.com` } })),
  row('userDelete', 'administrator', place => ({ id: place.leaver })),
  row('userUpdate', 'administrator', place => ({ id: place.bystander, input: { name: 'New' } })),
  row(
    'workflowCreate',
    { action: 'workflow.create' },
    place => ({ input: { project: place.project, title: 'New', data: pureGraph() } }),
    named,
  ),
  row('workflowDelete', { action: 'workflow.delete' }, workflow),
  row('workflowDuplicate', { action: 'workflow.duplicate' }, workflow),
  row('workflowReorder', { action: 'workflow.reorder' }, place => ({ id: place.workflow, sortId: 1 })),
  row('workflowRunApiRunSet', { action: 'workflow.mark-api-run' }, place => ({
    workflowId: place.workflow,
    id: place.run,
    isApiRun: true,
  })),
  row('workflowRunCancel', run, theRun),
  row('workflowRunFork', run, place => ({ id: place.ended, nodeId: 'if' })),
  row('workflowRunRelease', run, place => ({ id: place.draft })),
  row('workflowRunReport', 'service', place => ({ id: place.run, input: { status: 'in queue', sequence: 1 } }), {
    namesSomething: true,
  }),
  row('workflowRunRestart', run, place => ({ workflowId: place.workflow, id: place.run })),
  row('workflowRunStart', run, place => ({ workflowId: place.workflow, input: { topic: 'cats' } })),
  row(
    'workflowRunStartGraph',
    run,
    place => ({ id: randomUUID(), data: pureGraph(), input: { topic: 'cats' }, project: place.project }),
    named,
  ),
  row('workflowUpdate', { action: 'workflow.update' }, place => ({ id: place.workflow, input: { title: 'New' } })),

  row('agentApprovalRequested', read, ofProject),
  row('projectActivity', read, ofProject),
  row('workflowRunChanged', read, theRun),

  row('webhookDeliveries', { action: 'webhook.read' }, ofProject),
  row('webhookRedeliver', { action: 'webhook.redeliver' }, place => ({ id: place.delivery })),
  row('webhookSecretRotate', { action: 'webhook.rotate-secret' }, ofProject),
  row('webhookTest', { action: 'webhook.test' }, ofProject),
  row('runsDeadLettered', { action: 'dead-letter.read' }, ofProject),
  row('runDeadLetterRedrive', { action: 'dead-letter.redrive' }, place => ({ kind: 'WEBHOOK', id: place.delivery })),

  row('maintenance', 'administrator'),
  // Switched on it would answer all the other requests.
  row('maintenanceSet', 'administrator', () => ({ isOn: false })),

  ...GRAPHQL_PART_ROWS,
  ...GRAPHQL_SCENARIO_RUN_ROWS,
  ...GRAPHQL_DOCUMENT_ROWS,
  ...GRAPHQL_KEYWORD_ROWS,
  ...GRAPHQL_MARKET_ROWS,
  ...GRAPHQL_CHAT_ROWS,
];
