import { randomUUID } from 'node:crypto';
import { pureGraph } from '../../support/run-graphs.js';
import { PASSWORD } from '../../support/sessions.js';
import type { Fixture } from './fixtures/fixtures.js';
import { REST_REHEARSAL_ROWS } from './rehearsals/rest-rows.js';
import { REST_CHAT_ROWS } from './rest-chat-rows.js';
import { REST_DOCUMENT_ROWS } from './rest-document-rows.js';
import { REST_KEYWORD_ROWS } from './rest-keyword-rows.js';
import { REST_MARKET_ROWS } from './rest-market-rows.js';
import { REST_PART_ROWS } from './rest-part-rows.js';
import { REST_SCENARIO_RUN_ROWS } from './rest-scenario-run-rows.js';
import { BAD_REQUEST_IF_FORBIDDEN, type RestRow, type RestRowOptions, restRow as row } from './rows.js';
import { REST_API_DEFINITION_ROWS } from './values/api-definition-rows.js';
import { REST_CONNECTION_ROWS } from './values/connection-rows.js';
import { REST_KEY_VALUE_ENTRY_ROWS } from './values/key-value-entry-rows.js';
import { REST_PROJECT_VARIABLE_ROWS } from './values/project-variable-rows.js';

const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const project = { id: (fixture: Fixture) => fixture.project };
const invited = { id: (fixture: Fixture) => fixture.invitation };
const member = { id: (fixture: Fixture) => fixture.project, member_id: (fixture: Fixture) => fixture.member };
const workflow = { id: (fixture: Fixture) => fixture.workflow };
const revision = { id: (fixture: Fixture) => fixture.workflow, number: () => 1 };
const trigger = { id: (fixture: Fixture) => fixture.trigger };
const run = { id: (fixture: Fixture) => fixture.workflow, run_id: (fixture: Fixture) => fixture.run };
const endedRun = { run_id: (fixture: Fixture) => fixture.ended };
const approval = {
  workflow_run_id: (fixture: Fixture) => fixture.run,
  request_id: (fixture: Fixture) => fixture.approval,
};
const body = (value: unknown): RestRowOptions => ({ body: () => value });
const READ_RULE = { action: 'project.read' } as const;
const update = { action: 'workflow.update' } as const;

/** Every route of the generated REST layer. */
export const REST_ROWS: RestRow[] = [
  row('POST /api/v1/token/', 'public', {}, body({ email: 'the-owner@example.com', password: PASSWORD })),
  row('POST /api/v1/token/refresh/', 'public', {}, { body: ({ refresh }) => ({ refresh }) }),

  // A password that is too short is refused before anything changes.
  row(
    'POST /api/v1/password/',
    'user',
    {},
    { ...body({ current_password: PASSWORD, new_password: 'short' }), status: 400 },
  ),

  // Refused for the same reason: the token would be used up.
  row(
    'POST /api/v1/password/reset/',
    'public',
    {},
    { body: ({ refresh }) => ({ token: refresh, new_password: 'short' }), status: 400 },
  ),
  // No mail server is configured.
  row(
    'POST /api/v1/password/reset-request/',
    'public',
    {},
    { ...body({ email: 'the-owner@example.com' }), status: 409 },
  ),
  row('GET /api/v1/sign-in-options/', 'public'),
  row('POST /api/v1/users/{id}/password-reset-link/', 'administrator', { id: fixture => fixture.editor }),

  row('GET /api/v1/api-keys/', 'user'),
  row('POST /api/v1/api-keys/', 'user', {}, body({ name: 'New' })),
  row('DELETE /api/v1/api-keys/{id}/', 'own', { id: fixture => fixture.apiKey }),
  row('GET /api/v1/sessions/', 'user'),
  row('DELETE /api/v1/sessions/{id}/', 'own', { id: fixture => fixture.session }),

  row('GET /api/v1/projects/', 'user'),
  row('POST /api/v1/projects/', 'user', {}, body({ name: 'New' })),
  row('GET /api/v1/projects/{id}/', READ_RULE, project),
  row('PATCH /api/v1/projects/{id}/', { action: 'project.update' }, project, body({ name: 'New', webhook_url: '' })),
  row('DELETE /api/v1/projects/{id}/', { action: 'project.delete' }, project),
  row('GET /api/v1/projects/{id}/get-stopwords/', READ_RULE, project),
  row('GET /api/v1/projects/{id}/storage/', READ_RULE, project),
  row('GET /api/v1/projects/{id}/cost-summary/', READ_RULE, project, { query: () => RANGE }),
  row('GET /api/v1/projects/{id}/run-summary/', READ_RULE, project, { query: () => RANGE }),
  row(
    'POST /api/v1/projects/{id}/set-stopwords/',
    { action: 'stopwords.update' },
    project,
    body({ stopwords: ['the'] }),
  ),

  row('GET /api/v1/projects/{id}/members/', READ_RULE, project),
  row('POST /api/v1/projects/{id}/members/', { action: 'member.add' }, project, {
    ...body({ email: 'newcomer@example.com', role: 'viewer' }),
    status: 202,
    administrators: 201,
  }),
  row(
    'PATCH /api/v1/projects/{id}/members/{member_id}/',
    { action: 'member.update' },
    member,
    body({ role: 'editor' }),
  ),
  row('DELETE /api/v1/projects/{id}/members/{member_id}/', { action: 'member.remove' }, member),
  row('GET /api/v1/projects/{id}/invitations/', { action: 'invitation.read' }, project),
  row(
    'POST /api/v1/projects/{id}/invitations/',
    { action: 'invitation.create' },
    project,
    body({ email: 'newcomer@example.com', role: 'viewer' }),
  ),
  row(
    'DELETE /api/v1/projects/{id}/invitations/{invitation_id}/',
    { action: 'invitation.revoke' },
    { id: fixture => fixture.project, invitation_id: fixture => fixture.invitation },
  ),
  row('GET /api/v1/invitations/', 'user'),
  row('POST /api/v1/invitations/{id}/accept/', 'invited', invited),
  row('POST /api/v1/invitations/{id}/decline/', 'invited', invited),

  row('GET /api/v1/workflows/', 'user'),
  row(
    'POST /api/v1/workflows/',
    { action: 'workflow.create' },
    {},
    {
      body: fixture => ({ project: fixture.project, title: 'New', data: pureGraph() }),
      namesObject: true,
      missing: '400',
    },
  ),
  row('GET /api/v1/expression-functions/', 'user'),
  row('GET /api/v1/expression-references/', 'user'),
  row('GET /api/v1/workflows/get_nodes/', 'user'),
  row('POST /api/v1/workflows/check_workflow/', 'user', {}, body(pureGraph())),
  row(
    'POST /api/v1/workflows/mcp-tools/',
    READ_RULE,
    {},
    {
      body: fixture => ({ endpoint_url: fixture.mcpUrl, workflow_id: fixture.workflow, node_id: 'tools' }),
      namesObject: true,
      missing: '400',
    },
  ),
  row('GET /api/v1/workflows/{id}/', READ_RULE, workflow),
  row('PATCH /api/v1/workflows/{id}/', update, workflow, body({ title: 'New' })),
  row('DELETE /api/v1/workflows/{id}/', { action: 'workflow.delete' }, workflow),
  row('POST /api/v1/workflows/{id}/duplicate/', { action: 'workflow.duplicate' }, workflow, BAD_REQUEST_IF_FORBIDDEN),
  row('POST /api/v1/workflows/{id}/reorder/', { action: 'workflow.reorder' }, workflow, {
    ...BAD_REQUEST_IF_FORBIDDEN,
    ...body({ sort_id: 1 }),
  }),
  row('GET /api/v1/workflows/{id}/input-fields/', READ_RULE, workflow),
  row('GET /api/v1/workflows/{id}/check_workflow/', READ_RULE, workflow),

  row('GET /api/v1/projects/{id}/drafts/', READ_RULE, project),
  row('PUT /api/v1/projects/{id}/drafts/', { action: 'project.update' }, project, body({ uses_drafts: false })),
  row('GET /api/v1/workflows/{id}/publications/', READ_RULE, workflow),
  ...REST_REHEARSAL_ROWS,
  row('GET /api/v1/workflows/{id}/revisions/', READ_RULE, workflow),
  row('GET /api/v1/workflows/{id}/revisions/{number}/', READ_RULE, revision),
  row('GET /api/v1/workflows/{id}/revisions/{number}/diff/', READ_RULE, revision, { query: () => ({ to: 1 }) }),
  row('PATCH /api/v1/workflows/{id}/revisions/{number}/', update, revision, body({ name: 'First' })),
  row('POST /api/v1/workflows/{id}/revisions/{number}/restore/', update, revision),
  // The project uses no drafts.
  row('POST /api/v1/workflows/{id}/revisions/{number}/publish/', { action: 'workflow.publish-revision' }, revision, {
    ...body({}),
    status: 409,
  }),
  row(
    'POST /api/v1/workflows/{id}/revisions/{number}/run/',
    { action: 'workflow.run' },
    revision,
    body({ topic: 'cats' }),
  ),
  row('GET /api/v1/workflows/{id}/triggers/', READ_RULE, workflow),
  row(
    'POST /api/v1/workflows/{id}/triggers/',
    { action: 'trigger.create' },
    workflow,
    body({ name: 'Hourly', schedule: { cron: '0 * * * *' } }),
  ),
  row('POST /api/v1/workflows/{id}/pause/', { action: 'trigger.update' }, workflow),
  row('POST /api/v1/workflows/{id}/resume/', { action: 'trigger.update' }, workflow),
  row('GET /api/v1/triggers/{id}/', READ_RULE, trigger),
  row('PATCH /api/v1/triggers/{id}/', { action: 'trigger.update' }, trigger, body({ name: 'New' })),
  row('DELETE /api/v1/triggers/{id}/', { action: 'trigger.delete' }, trigger),
  row('GET /api/v1/projects/{project}/mcp-server-tools/', READ_RULE, { project: fixture => fixture.project }),
  row('GET /api/v1/workflows/{id}/mcp-server-tool/', READ_RULE, workflow),
  row(
    'PUT /api/v1/workflows/{id}/mcp-server-tool/',
    { action: 'mcp-server-tool.update' },
    workflow,
    body({ name: 'new' }),
  ),
  row('DELETE /api/v1/workflows/{id}/mcp-server-tool/', { action: 'mcp-server-tool.delete' }, workflow),
  row('POST /api/v1/triggers/{id}/rotate/', { action: 'trigger.update' }, trigger),
  row('GET /api/v1/triggers/{id}/log/', READ_RULE, trigger),
  row('GET /api/v1/triggers/{id}/conversations/', { action: 'conversation.read' }, trigger),
  row('DELETE /api/v1/conversations/{id}/', { action: 'conversation.delete' }, { id: fixture => fixture.conversation }),
  // The trigger of a fixture is a webhook: it has neither a form nor a chat.
  row('GET /api/v1/triggers/{id}/form/', { action: 'form.submit' }, trigger, { status: 409 }),
  row('POST /api/v1/triggers/{id}/form/submissions/', { action: 'form.submit' }, trigger, {
    status: 409,
    ...body({ submission_id: randomUUID(), input: {} }),
  }),
  row('GET /api/v1/triggers/{id}/chat/', { action: 'conversation.send' }, trigger, { status: 409 }),
  row('POST /api/v1/triggers/{id}/chat/messages/', { action: 'conversation.send' }, trigger, {
    status: 409,
    ...body({ conversation_id: randomUUID(), message_id: randomUUID(), text: 'Hi' }),
  }),
  row(
    'POST /api/v1/workflows/{id}/run-many/',
    { action: 'workflow.run' },
    workflow,
    body({ items: [{ input: { topic: 'cats' } }] }),
  ),
  row('POST /api/v1/workflows/{id}/run/', { action: 'workflow.run' }, workflow, body({ topic: 'cats' })),
  row(
    'POST /api/v1/workflows/run/',
    { action: 'workflow.run' },
    {},
    {
      query: () => ({ task_id: randomUUID() }),
      body: fixture => ({ data: pureGraph(), input_data: { topic: 'cats' }, project: fixture.project }),
      namesObject: true,
      missing: '400',
    },
  ),
  row(
    'GET /api/v1/workflows/workflow_result/',
    READ_RULE,
    {},
    { query: fixture => ({ id: fixture.run }), namesObject: true, missing: '400 not_found' },
  ),
  row(
    'GET /api/v1/workflows/history/',
    READ_RULE,
    {},
    { query: fixture => ({ workflow_id: fixture.workflow }), namesObject: true },
  ),
  row('GET /api/v1/workflows/{id}/history/', READ_RULE, workflow),
  row('GET /api/v1/workflows/{id}/history/{run_id}/', READ_RULE, run),
  row('POST /api/v1/workflows/{id}/history/{run_id}/re-run/', { action: 'workflow.run' }, run, body({ topic: 'dogs' })),
  row(
    'POST /api/v1/workflows/{id}/history/{run_id}/restart/',
    { action: 'workflow.run' },
    run,
    body({ revision: 'saved' }),
  ),
  row('POST /api/v1/runs/{run_id}/fork/', { action: 'workflow.run' }, endedRun, body({ node_id: 'if' })),
  row('GET /api/v1/runs/{run_id}/effects/', { action: 'workflow.run' }, endedRun, {
    query: () => ({ action: 'fork', node_id: 'if' }),
  }),
  row('POST /api/v1/workflows/{id}/history/{run_id}/cancel/', { action: 'workflow.run' }, run),
  row('POST /api/v1/workflows/{id}/history/{run_id}/toggle-api-run/', { action: 'workflow.mark-api-run' }, run, {
    ...BAD_REQUEST_IF_FORBIDDEN,
    ...body({ is_api_run: true }),
  }),
  row('PUT /api/v1/workflows/{id}/history/{run_id}/tags/', { action: 'workflow.run' }, run, body({ tags: ['urgent'] })),
  row('GET /api/v1/billing-history/workflowrun/{run_id}/', READ_RULE, { run_id: fixture => fixture.run }),
  row('GET /api/v1/projects/{id}/agent-approvals/', READ_RULE, project),
  row('POST /api/v1/projects/{id}/workflow-events/', { action: 'workflow.run' }, project, body({ name: 'paid' })),
  ...['approve', 'reject'].map(decision =>
    row(
      `POST /api/v1/runs/{run_id}/agent-approvals/{request_id}/${decision}/`,
      { action: 'agent.approve' },
      { run_id: fixture => fixture.run, request_id: fixture => fixture.approval },
      body({ comment: 'Seen.' }),
    ),
  ),
  ...['approve', 'reject'].map(decision =>
    row(
      `POST /api/v1/workflows/workflow_run/{workflow_run_id}/agent-approval/{request_id}/${decision}/`,
      { action: 'agent.approve' },
      approval,
    ),
  ),
  row(
    'POST /api/v1/workflows/execution-update/{workflow_run_id}/',
    'service',
    { workflow_run_id: fixture => fixture.run },
    body({ status: 'in queue', sequence: 1 }),
  ),

  ...REST_PART_ROWS,
  ...REST_SCENARIO_RUN_ROWS,
  ...REST_DOCUMENT_ROWS,
  ...REST_KEYWORD_ROWS,
  ...REST_MARKET_ROWS,
  ...REST_CHAT_ROWS,
  ...REST_PROJECT_VARIABLE_ROWS,
  ...REST_KEY_VALUE_ENTRY_ROWS,
  ...REST_API_DEFINITION_ROWS,
  ...REST_CONNECTION_ROWS,
];
