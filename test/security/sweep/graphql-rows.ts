import { randomUUID } from 'node:crypto';
import { toGlobalId } from '../../../src/graphql/global-ids.js';
import { pureGraph } from '../../support/run-graphs.js';
import { PASSWORD } from '../../support/sessions.js';
import type { Fixture } from './fixtures/fixtures.js';
import { GRAPHQL_CHAT_ROWS } from './graphql-chat-rows.js';
import { GRAPHQL_DOCUMENT_ROWS } from './graphql-document-rows.js';
import { GRAPHQL_KEYWORD_ROWS } from './graphql-keyword-rows.js';
import { GRAPHQL_MARKET_ROWS } from './graphql-market-rows.js';
import { GRAPHQL_PART_ROWS } from './graphql-part-rows.js';
import { GRAPHQL_SCENARIO_RUN_ROWS } from './graphql-scenario-run-rows.js';
import { GRAPHQL_REHEARSAL_ROWS } from './rehearsals/graphql-rows.js';
import { BAD_INPUT_IF_MISSING, type GraphQLRow, graphqlRow as row } from './rows.js';
import { GRAPHQL_API_DEFINITION_ROWS } from './values/api-definition-rows.js';
import { GRAPHQL_CONNECTION_ROWS } from './values/connection-rows.js';
import { GRAPHQL_KEY_VALUE_ENTRY_ROWS } from './values/key-value-entry-rows.js';
import { GRAPHQL_PROJECT_VARIABLE_ROWS } from './values/project-variable-rows.js';

const READ_RULE = { action: 'project.read' } as const;
const run = { action: 'workflow.run' } as const;
const theTrigger = (fixture: Fixture) => ({ id: fixture.trigger });
const project = (fixture: Fixture) => ({ id: fixture.project });
const ofProject = (fixture: Fixture) => ({ projectId: fixture.project });
const ofWorkflow = (fixture: Fixture) => ({ workflowId: fixture.workflow });
const firstRevision = (fixture: Fixture) => ({ workflowId: fixture.workflow, number: 1 });
const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const workflow = (fixture: Fixture) => ({ id: fixture.workflow });
const theRun = (fixture: Fixture) => ({ id: fixture.run });
const approvalArgs = (fixture: Fixture) => ({ runId: fixture.run, requestId: fixture.approval });

/** Every field of the query, mutation and subscription types. */
export const GRAPHQL_ROWS: GraphQLRow[] = [
  row('agentApprovals', READ_RULE, fixture => ({ projectId: fixture.project, runId: fixture.run })),
  row('apiKeys', 'administrator', fixture => ({ userId: fixture.bystander })),
  row('auditLog', { action: 'audit.read' }, ofProject, { outlives: true }),
  row('auditLogConnection', { action: 'audit.read' }, ofProject, { outlives: true }),
  row('billingTransactions', READ_RULE, fixture => ({ runId: fixture.run })),
  row('billingTransactionsConnection', READ_RULE, fixture => ({ runId: fixture.run })),
  row(
    'mcpTools',
    READ_RULE,
    fixture => ({ endpointUrl: fixture.mcpUrl, workflowId: fixture.workflow, nodeId: 'tools' }),
    BAD_INPUT_IF_MISSING,
  ),
  row('mcpServerTool', READ_RULE, ofWorkflow),
  row('mcpServerTools', READ_RULE, ofProject),
  row('costSummary', READ_RULE, fixture => ({ projectId: fixture.project, ...RANGE })),
  row('runSummary', READ_RULE, fixture => ({ projectId: fixture.project, ...RANGE })),
  row('me', 'user'),
  row('node', READ_RULE, fixture => ({ globalId: toGlobalId('Workflow', fixture.workflow) })),
  row('expressionFunctions', 'user'),
  row('expressionReferences', 'user'),
  row('nodeKinds', 'user'),
  row('project', READ_RULE, project),
  row('projectInvitations', { action: 'invitation.read' }, ofProject),
  row('projectInvitationsReceived', 'user'),
  row('projectMembers', READ_RULE, ofProject),
  row('projectStorage', READ_RULE, ofProject),
  row('projects', 'user'),
  row('sessions', 'user'),
  row('signInOptions', 'public'),
  row('user', 'administrator', fixture => ({ id: fixture.bystander })),
  row('users', 'administrator'),
  row('workflow', READ_RULE, workflow),
  row('workflowCheck', 'user', () => ({ data: pureGraph() })),
  row('workflowRun', READ_RULE, theRun),
  row('workflowRunDiff', READ_RULE, fixture => ({ leftId: fixture.ended, rightId: fixture.run })),
  row('workflowRunEffects', run, fixture => ({ id: fixture.ended, action: 'FORK', nodeId: 'if' })),
  row('workflowRunResult', READ_RULE, theRun),
  row('workflowRuns', READ_RULE, fixture => ({ workflowId: fixture.workflow })),
  row('workflowRunsConnection', READ_RULE, fixture => ({ workflowId: fixture.workflow })),
  row('workflows', 'user', fixture => ({ filter: { projectId: fixture.project } })),

  row('agentApprovalApprove', { action: 'agent.approve' }, approvalArgs),
  row('workflowRunTagsSet', run, fixture => ({ id: fixture.run, tags: ['urgent'] })),
  row('agentApprovalReject', { action: 'agent.approve' }, approvalArgs),
  row('mcpServerToolSave', { action: 'mcp-server-tool.update' }, fixture => ({
    ...ofWorkflow(fixture),
    input: { name: 'new' },
  })),
  row('mcpServerToolDelete', { action: 'mcp-server-tool.delete' }, ofWorkflow),
  row('apiKeyCreate', 'user', () => ({ input: { name: 'New' } })),
  row('apiKeyDelete', 'own', fixture => ({ id: fixture.apiKey })),
  row('apiKeyBudgetSet', 'administrator', fixture => ({ id: fixture.apiKey, limitUsd: '5' })),
  row('apiKeyUpdate', 'administrator', fixture => ({ id: fixture.apiKey, input: { rateLimit: 10 } })),
  // A password that is too short is refused before anything changes.
  row('passwordChange', 'user', () => ({ currentPassword: PASSWORD, newPassword: 'short' }), {
    success: 'BAD_USER_INPUT',
  }),
  row('passwordReset', 'public', ({ refresh }) => ({ token: refresh, newPassword: 'short' }), {
    success: 'BAD_USER_INPUT',
  }),
  row('passwordResetLinkCreate', 'administrator', fixture => ({ userId: fixture.editor })),
  // No mail server is configured.
  row('passwordResetRequest', 'public', () => ({ email: 'the-owner@example.com' }), { success: 'CONFLICT' }),
  row('operatorLimitSet', 'administrator', fixture => ({
    input: { holder: { projectId: fixture.project }, limitUsd: '5' },
  })),
  row('projectBudgetSet', { action: 'project.set-budget' }, fixture => ({ projectId: fixture.project, limitUsd: '5' })),
  row('projectStorageLimitSet', 'administrator', fixture => ({ projectId: fixture.project, limitMb: 5 })),
  row('projectCreate', 'user', () => ({ input: { name: 'New' } })),
  row('projectDelete', { action: 'project.delete' }, project),
  row('projectInvitationAccept', 'invited', fixture => ({ id: fixture.invitation })),
  row('projectInvitationCreate', { action: 'invitation.create' }, fixture => ({
    projectId: fixture.project,
    email: 'newcomer@example.com',
    role: 'VIEWER',
  })),
  row('projectInvitationDecline', 'invited', fixture => ({ id: fixture.invitation })),
  row('projectInvitationRevoke', { action: 'invitation.revoke' }, fixture => ({
    id: fixture.invitation,
    projectId: fixture.project,
  })),
  row('projectMemberOffer', { action: 'member.add' }, fixture => ({
    projectId: fixture.project,
    email: 'newcomer@example.com',
    role: 'VIEWER',
  })),
  row('projectMemberAdd', 'administrator', fixture => ({
    projectId: fixture.project,
    email: 'newcomer@example.com',
    role: 'VIEWER',
  })),
  row('projectMemberRemove', { action: 'member.remove' }, fixture => ({ id: fixture.member })),
  row('projectMemberUpdate', { action: 'member.update' }, fixture => ({ id: fixture.member, role: 'EDITOR' })),
  row('projectOwnershipTransfer', { action: 'project.transfer' }, fixture => ({
    projectId: fixture.project,
    userId: fixture.editor,
  })),
  row('projectStopwordsSet', { action: 'stopwords.update' }, fixture => ({ id: fixture.project, stopwords: ['the'] })),
  row('projectUpdate', { action: 'project.update' }, fixture => ({ id: fixture.project, input: { name: 'New' } })),
  row('sessionCreate', 'public', () => ({ email: 'the-owner@example.com', password: PASSWORD })),
  row('sessionCreateFromLink', 'public', ({ refresh }) => ({ token: refresh })),
  row('sessionEnd', 'public', () => ({ refresh: 'none of ours' })),
  row('sessionRevoke', 'own', fixture => ({ ids: [fixture.session] })),
  row('sessionRefresh', 'public', ({ refresh }) => ({ refresh })),
  row('userCreate', 'administrator', () => ({ input: { email: `${randomUUID()}@example.com` } })),
  row('userDelete', 'administrator', fixture => ({ id: fixture.leaver })),
  row('userUpdate', 'administrator', fixture => ({ id: fixture.bystander, input: { name: 'New' } })),
  row(
    'workflowCreate',
    { action: 'workflow.create' },
    fixture => ({ input: { projectId: fixture.project, title: 'New', data: pureGraph() } }),
    BAD_INPUT_IF_MISSING,
  ),
  row('workflowDelete', { action: 'workflow.delete' }, workflow),
  row('workflowDuplicate', { action: 'workflow.duplicate' }, workflow),
  row('workflowReorder', { action: 'workflow.reorder' }, fixture => ({ id: fixture.workflow, sortId: 1 })),
  row('workflowRunApiRunSet', { action: 'workflow.mark-api-run' }, fixture => ({
    workflowId: fixture.workflow,
    id: fixture.run,
    isApiRun: true,
  })),
  row('workflowRunCancel', run, theRun),
  row('workflowRunFork', run, fixture => ({ id: fixture.ended, nodeId: 'if' })),
  row('workflowRunRelease', run, fixture => ({ id: fixture.draft })),
  row('workflowRunReport', 'service', fixture => ({ id: fixture.run, input: { status: 'QUEUED', sequence: 1 } }), {
    namesObject: true,
  }),
  row('workflowRunRestart', run, fixture => ({ workflowId: fixture.workflow, id: fixture.run })),
  row('workflowRunStart', run, fixture => ({ workflowId: fixture.workflow, input: { topic: 'cats' } })),
  row('workflowRunAndWait', run, fixture => ({ workflowId: fixture.workflow, input: { topic: 'cats' } })),
  row(
    'workflowRunStartGraph',
    run,
    fixture => ({ id: randomUUID(), data: pureGraph(), input: { topic: 'cats' }, projectId: fixture.project }),
    BAD_INPUT_IF_MISSING,
  ),
  row('projectDraftsSet', { action: 'project.update' }, fixture => ({ projectId: fixture.project, usesDrafts: false })),
  ...GRAPHQL_REHEARSAL_ROWS,
  row('workflowPublications', READ_RULE, ofWorkflow),
  row('workflowRevision', READ_RULE, firstRevision),
  row('workflowRevisionDescribe', { action: 'workflow.update' }, fixture => ({
    ...firstRevision(fixture),
    name: 'First',
  })),
  row('workflowRevisionDiff', READ_RULE, fixture => ({ workflowId: fixture.workflow, leftNumber: 1, rightNumber: 1 })),
  // The project uses no drafts.
  row('workflowRevisionPublish', { action: 'workflow.publish-revision' }, firstRevision, { success: 'CONFLICT' }),
  row('workflowRevisionRestore', { action: 'workflow.update' }, firstRevision),
  row('workflowRevisions', READ_RULE, ofWorkflow),
  row('workflowPause', { action: 'trigger.update' }, fixture => ({ id: fixture.workflow })),
  row('workflowResume', { action: 'trigger.update' }, fixture => ({ id: fixture.workflow })),
  row('workflowTrigger', READ_RULE, theTrigger),
  // The trigger of a fixture is a webhook: it has neither a form nor a chat.
  row('memberForm', { action: 'form.submit' }, theTrigger, { success: 'CONFLICT' }),
  row(
    'memberFormSubmit',
    { action: 'form.submit' },
    fixture => ({ id: fixture.trigger, submission: { submissionId: randomUUID(), input: {} } }),
    { success: 'CONFLICT' },
  ),
  row('memberChat', { action: 'conversation.send' }, theTrigger, { success: 'CONFLICT' }),
  row(
    'memberChatSend',
    { action: 'conversation.send' },
    fixture => ({
      id: fixture.trigger,
      message: { conversationId: randomUUID(), messageId: randomUUID(), text: 'Hi' },
    }),
    { success: 'CONFLICT' },
  ),
  row('workflowRunStartMany', run, fixture => ({
    workflowId: fixture.workflow,
    items: [{ input: { topic: 'cats' } }],
  })),
  row('workflowEventSend', run, fixture => ({ projectId: fixture.project, name: 'paid' })),
  row('workflowTriggerCreate', { action: 'trigger.create' }, fixture => ({
    input: { workflowId: fixture.workflow, name: 'Hourly', schedule: { cron: '0 * * * *' } },
  })),
  row('triggerConversations', { action: 'conversation.read' }, fixture => ({ triggerId: fixture.trigger })),
  row('triggerConversationDelete', { action: 'conversation.delete' }, fixture => ({ id: fixture.conversation })),
  row('workflowTriggerDelete', { action: 'trigger.delete' }, theTrigger),
  row('workflowTriggerRotate', { action: 'trigger.update' }, theTrigger),
  row('workflowTriggerUpdate', { action: 'trigger.update' }, fixture => ({
    id: fixture.trigger,
    input: { name: 'New' },
  })),
  row('workflowTriggers', READ_RULE, fixture => ({ workflowId: fixture.workflow })),
  row('workflowUpdate', { action: 'workflow.update' }, fixture => ({ id: fixture.workflow, input: { title: 'New' } })),

  row('agentApprovalRequested', READ_RULE, ofProject),
  row('projectActivity', READ_RULE, ofProject),
  row('workflowRunChanged', READ_RULE, theRun),

  row('webhookDeliveries', { action: 'webhook.read' }, ofProject),
  row('webhookRedeliver', { action: 'webhook.redeliver' }, fixture => ({ id: fixture.delivery })),
  row('webhookSecretRotate', { action: 'webhook.rotate-secret' }, ofProject),
  row('webhookTest', { action: 'webhook.test' }, ofProject),
  row('runsDeadLettered', { action: 'dead-letter.read' }, ofProject),
  row('runDeadLetterRedrive', { action: 'dead-letter.redrive' }, fixture => ({
    kind: 'WEBHOOK',
    id: fixture.delivery,
  })),

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
