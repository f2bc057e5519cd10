import { randomUUID } from 'node:crypto';
import { toGlobalId } from '../../../src/graphql/global-ids.js';
import { pureGraph } from '../../support/run-graphs.js';
import { PASSWORD } from '../../support/sessions.js';
import { GRAPHQL_CHAT_ROWS } from './graphql-chat-rows.js';
import { GRAPHQL_DOCUMENT_ROWS } from './graphql-document-rows.js';
import { GRAPHQL_KEYWORD_ROWS } from './graphql-keyword-rows.js';
import { GRAPHQL_MARKET_ROWS } from './graphql-market-rows.js';
import { GRAPHQL_PART_ROWS } from './graphql-part-rows.js';
import { GRAPHQL_SCENARIO_RUN_ROWS } from './graphql-scenario-run-rows.js';
import type { Place } from './places/places.js';
import { GRAPHQL_REHEARSAL_ROWS } from './rehearsals/graphql-rows.js';
import { type GraphQLRow, type GraphQLRowOptions, graphqlRow as row } from './rows.js';
import { GRAPHQL_API_DEFINITION_ROWS } from './values/api-definition-rows.js';
import { GRAPHQL_CONNECTION_ROWS } from './values/connection-rows.js';
import { GRAPHQL_KEY_VALUE_ENTRY_ROWS } from './values/key-value-entry-rows.js';
import { GRAPHQL_PROJECT_VARIABLE_ROWS } from './values/project-variable-rows.js';

const read = { action: 'project.read' } as const;
const run = { action: 'workflow.run' } as const;
const theTrigger = (place: Place) => ({ id: place.trigger });
const project = (place: Place) => ({ id: place.project });
const ofProject = (place: Place) => ({ projectId: place.project });
const ofWorkflow = (place: Place) => ({ workflowId: place.workflow });
const firstRevision = (place: Place) => ({ workflowId: place.workflow, number: 1 });
const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const workflow = (place: Place) => ({ id: place.workflow });
const theRun = (place: Place) => ({ id: place.run });
const approvalArgs = (place: Place) => ({ runId: place.run, requestId: place.approval });
/** An input member that names an object the caller cannot access is a bad value. */
const named: GraphQLRowOptions = { missing: 'BAD_USER_INPUT' };

/** Every field of the query, mutation and subscription types. */
export const GRAPHQL_ROWS: GraphQLRow[] = [
  row('agentApprovals', read, place => ({ projectId: place.project, runId: place.run })),
  row('apiKeys', 'administrator', place => ({ userId: place.bystander })),
  row('auditLog', { action: 'audit.read' }, ofProject, { outlives: true }),
  row('auditLogConnection', { action: 'audit.read' }, ofProject, { outlives: true }),
  row('billingTransactions', read, place => ({ runId: place.run })),
  row('billingTransactionsConnection', read, place => ({ runId: place.run })),
  row('mcpTools', read, place => ({ endpointUrl: place.mcpUrl, workflowId: place.workflow, nodeId: 'tools' }), named),
  row('mcpServerTool', read, ofWorkflow),
  row('mcpServerTools', read, ofProject),
  row('costSummary', read, place => ({ projectId: place.project, ...RANGE })),
  row('runSummary', read, place => ({ projectId: place.project, ...RANGE })),
  row('me', 'user'),
  row('node', read, place => ({ globalId: toGlobalId('Workflow', place.workflow) })),
  row('expressionFunctions', 'user'),
  row('expressionReferences', 'user'),
  row('nodeKinds', 'user'),
  row('project', read, project),
  row('projectInvitations', { action: 'invitation.read' }, ofProject),
  row('projectInvitationsReceived', 'user'),
  row('projectMembers', read, ofProject),
  row('projectStorage', read, ofProject),
  row('projects', 'user'),
  row('sessions', 'user'),
  row('signInOptions', 'public'),
  row('user', 'administrator', place => ({ id: place.bystander })),
  row('users', 'administrator'),
  row('workflow', read, workflow),
  row('workflowCheck', 'user', () => ({ data: pureGraph() })),
  row('workflowRun', read, theRun),
  row('workflowRunDiff', read, place => ({ leftId: place.ended, rightId: place.run })),
  row('workflowRunEffects', run, place => ({ id: place.ended, action: 'FORK', nodeId: 'if' })),
  row('workflowRunResult', read, theRun),
  row('workflowRuns', read, place => ({ workflowId: place.workflow })),
  row('workflowRunsConnection', read, place => ({ workflowId: place.workflow })),
  row('workflows', 'user', place => ({ filter: { projectId: place.project } })),

  row('agentApprovalApprove', { action: 'agent.approve' }, approvalArgs),
  row('workflowRunTagsSet', run, place => ({ id: place.run, tags: ['urgent'] })),
  row('agentApprovalReject', { action: 'agent.approve' }, approvalArgs),
  row('mcpServerToolSave', { action: 'mcp-server-tool.update' }, place => ({
    ...ofWorkflow(place),
    input: { name: 'new' },
  })),
  row('mcpServerToolDelete', { action: 'mcp-server-tool.delete' }, ofWorkflow),
  row('apiKeyCreate', 'user', () => ({ input: { name: 'New' } })),
  row('apiKeyDelete', 'own', place => ({ id: place.apiKey })),
  row('apiKeyBudgetSet', 'administrator', place => ({ id: place.apiKey, limitUsd: '5' })),
  row('apiKeyUpdate', 'administrator', place => ({ id: place.apiKey, input: { rateLimit: 10 } })),
  // A password that is too short is refused before anything changes.
  row('passwordChange', 'user', () => ({ currentPassword: PASSWORD, newPassword: 'short' }), {
    success: 'BAD_USER_INPUT',
  }),
  row('passwordReset', 'public', ({ refresh }) => ({ token: refresh, newPassword: 'short' }), {
    success: 'BAD_USER_INPUT',
  }),
  row('passwordResetLinkCreate', 'administrator', place => ({ userId: place.editor })),
  // No mail server is configured.
  row('passwordResetRequest', 'public', () => ({ email: 'the-owner@example.com' }), { success: 'CONFLICT' }),
  row('operatorLimitSet', 'administrator', place => ({
    input: { holder: { projectId: place.project }, limitUsd: '5' },
  })),
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
  row('sessionCreate', 'public', () => ({ email: 'the-owner@example.com', password: PASSWORD })),
  row('sessionCreateFromLink', 'public', ({ refresh }) => ({ token: refresh })),
  row('sessionEnd', 'public', () => ({ refresh: 'none of ours' })),
  row('sessionRevoke', 'own', place => ({ ids: [place.session] })),
  row('sessionRefresh', 'public', ({ refresh }) => ({ refresh })),
  row('userCreate', 'administrator', () => ({ input: { email: `${randomUUID()}@example.com` } })),
  row('userDelete', 'administrator', place => ({ id: place.leaver })),
  row('userUpdate', 'administrator', place => ({ id: place.bystander, input: { name: 'New' } })),
  row(
    'workflowCreate',
    { action: 'workflow.create' },
    place => ({ input: { projectId: place.project, title: 'New', data: pureGraph() } }),
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
  row('workflowRunReport', 'service', place => ({ id: place.run, input: { status: 'QUEUED', sequence: 1 } }), {
    namesSomething: true,
  }),
  row('workflowRunRestart', run, place => ({ workflowId: place.workflow, id: place.run })),
  row('workflowRunStart', run, place => ({ workflowId: place.workflow, input: { topic: 'cats' } })),
  row('workflowRunAndWait', run, place => ({ workflowId: place.workflow, input: { topic: 'cats' } })),
  row(
    'workflowRunStartGraph',
    run,
    place => ({ id: randomUUID(), data: pureGraph(), input: { topic: 'cats' }, projectId: place.project }),
    named,
  ),
  row('projectDraftsSet', { action: 'project.update' }, place => ({ projectId: place.project, usesDrafts: false })),
  ...GRAPHQL_REHEARSAL_ROWS,
  row('workflowPublications', read, ofWorkflow),
  row('workflowRevision', read, firstRevision),
  row('workflowRevisionDescribe', { action: 'workflow.update' }, place => ({ ...firstRevision(place), name: 'First' })),
  row('workflowRevisionDiff', read, place => ({ workflowId: place.workflow, leftNumber: 1, rightNumber: 1 })),
  row('workflowRevisionPublish', { action: 'workflow.publish-revision' }, firstRevision, { success: 'CONFLICT' }),
  row('workflowRevisionRestore', { action: 'workflow.update' }, firstRevision),
  row('workflowRevisions', read, ofWorkflow),
  row('workflowPause', { action: 'trigger.update' }, place => ({ id: place.workflow })),
  row('workflowResume', { action: 'trigger.update' }, place => ({ id: place.workflow })),
  row('workflowTrigger', read, theTrigger),
  row('memberForm', { action: 'form.submit' }, theTrigger, { success: 'CONFLICT' }),
  row(
    'memberFormSubmit',
    { action: 'form.submit' },
    place => ({ id: place.trigger, submission: { submissionId: randomUUID(), input: {} } }),
    { success: 'CONFLICT' },
  ),
  row('memberChat', { action: 'conversation.send' }, theTrigger, { success: 'CONFLICT' }),
  row(
    'memberChatSend',
    { action: 'conversation.send' },
    place => ({ id: place.trigger, message: { conversationId: randomUUID(), messageId: randomUUID(), text: 'Hi' } }),
    { success: 'CONFLICT' },
  ),
  row('workflowRunStartMany', run, place => ({ workflowId: place.workflow, items: [{ input: { topic: 'cats' } }] })),
  row('workflowEventSend', run, place => ({ projectId: place.project, name: 'paid' })),
  row('workflowTriggerCreate', { action: 'trigger.create' }, place => ({
    input: { workflowId: place.workflow, name: 'Hourly', schedule: { cron: '0 * * * *' } },
  })),
  row('workflowTriggerDelete', { action: 'trigger.delete' }, theTrigger),
  row('workflowTriggerRotate', { action: 'trigger.update' }, theTrigger),
  row('workflowTriggerUpdate', { action: 'trigger.update' }, place => ({ id: place.trigger, input: { name: 'New' } })),
  row('workflowTriggers', read, place => ({ workflowId: place.workflow })),
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
  row('serviceHealth', 'administrator'),
  // When maintenance is on, all other requests are refused.
  row('maintenanceSet', 'administrator', () => ({ isOn: false })),

  ...GRAPHQL_PART_ROWS,
  ...GRAPHQL_SCENARIO_RUN_ROWS,
  ...GRAPHQL_DOCUMENT_ROWS,
  ...GRAPHQL_KEYWORD_ROWS,
  ...GRAPHQL_MARKET_ROWS,
  ...GRAPHQL_CHAT_ROWS,
  ...GRAPHQL_PROJECT_VARIABLE_ROWS,
  ...GRAPHQL_KEY_VALUE_ENTRY_ROWS,
  ...GRAPHQL_API_DEFINITION_ROWS,
  ...GRAPHQL_CONNECTION_ROWS,
];
