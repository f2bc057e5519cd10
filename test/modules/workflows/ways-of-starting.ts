import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, field, http, node, output, trigger } from '../../support/graphs.js';
import type { TestService } from '../../support/service.js';
import { callsToolOnce } from '../../support/upstreams/calls-tool-once.js';
import type { StubUpstream } from '../../support/upstreams/stub-upstream.js';
import { connect } from '../mcp-server/mcp-fixtures.js';

/** `published`: the run uses the revision that is published. `earlier`: it uses that of the earlier run. */
interface Way {
  uses: 'published' | 'earlier';
  start(): Promise<unknown>;
}

export interface WaysOfStarting {
  /** The workflow that all ways run. Its output is `version 1`. */
  workflow: number;
  /** The graph whose output is `version <number>`. */
  graphOf(number: number): unknown;
  /** Every way in which a run of the workflow starts, other than by the number of a revision. */
  ways: Record<string, Way>;
  /** The kinds of triggers in `ways`. */
  triggerKinds: string[];
  /** A finished run that the ways of repetition repeat. */
  earlierRun: string;
  stop(): Promise<void>;
}

const START = 'mutation ($id: Int!) { workflowRunStart(workflowId: $id, input: {}) { run { id } errors { message } } }';
const RUN_AND_WAIT =
  'mutation ($id: Int!) { workflowRunAndWait(workflowId: $id, input: {}) { run { id } errors { message } } }';
const DRAFT = `mutation ($id: Int!) { workflowRunStart(workflowId: $id, input: {}, draft: true) { run { id } errors { message } } }`;
const RELEASE = 'mutation ($id: UUID!) { workflowRunRelease(id: $id) { run { id } errors { message } } }';
const START_MANY = `mutation ($id: Int!) {
  workflowRunStartMany(workflowId: $id, items: [{ input: {} }, { input: {}, idempotencyKey: "one" }]) { starts { accepted } errors { message } } }`;
const FORK = `mutation ($id: UUID!, $revision: WorkflowRunRevision) {
  workflowRunFork(id: $id, revision: $revision) { receipt { status } errors { message } } }`;
const RESTART = `mutation ($workflow: Int!, $id: UUID!, $revision: WorkflowRunRevision) {
  workflowRunRestart(workflowId: $workflow, id: $id, revision: $revision) { run { id } errors { message } } }`;

function sendToChat(address: string): Promise<Response> {
  const body = JSON.stringify({ conversation_id: randomUUID(), message_id: randomUUID(), text: 'Hi' });
  return fetch(`${address}/messages`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

/** Builds a project with a workflow and everything that can start it: triggers, parents, senders of events, tools. */
export async function waysOfStarting(
  service: TestService,
  upstream: StubUpstream,
  project: number,
): Promise<WaysOfStarting> {
  const out = { ...output(''), id: 'out' };
  const base = chain(trigger(field('topic')), out);
  const graphOf = (number: number) => ({
    ...base,
    nodes: base.nodes.map(each =>
      each.id === 'out' ? { ...each, data: { ...each.data, value: `version ${number}` } } : each,
    ),
  });
  const post = async (path: string, body?: unknown): Promise<any> => {
    const answer = await service.rest('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const mutate = async (mutation: string, variables: Record<string, unknown>): Promise<any> => {
    const { data, errors } = await service.graphql(mutation, variables);
    const [payload] = Object.values<any>(data ?? {});
    expect([errors, payload?.errors]).toEqual([undefined, []]);
    return payload;
  };
  const create = async (data: unknown): Promise<number> =>
    (await post('/api/v1/workflows/', { project, title: 'W', data })).id;
  const workflow = await create(graphOf(1));
  const run = (id: number) => post(`/api/v1/workflows/${id}/run/`, {});
  const triggerOf = (settings: object) => post(`/api/v1/workflows/${workflow}/triggers/`, { name: 'T', ...settings });

  const parent = await create(chain(trigger(), node('subworkflow-node', { workflow_id: workflow }), output('x')));
  const detaching = await create(
    chain(trigger(), node('subworkflow-node', { workflow_id: workflow, detached: true }), output('x')),
  );
  const agent = await create(
    chain(
      trigger(),
      node('agent-node', {
        ...{ messages: [{ role: 'user', message: 'Work.' }], settings: { model_name: 'gpt-4o-mini' } },
        tools: [{ kind: 'workflow', workflow_id: workflow }],
      }),
      output('x'),
    ),
  );
  upstream.respondWith(callsToolOnce(`workflow_${workflow}`, {}));
  const failing = http('http://127.0.0.1:1/');
  const handled = await create(
    chain(node('trigger-node', { input_fields: [], error_workflow_id: workflow }), failing, output('x')),
  );
  const watched = await create(chain(trigger(), { ...failing, id: 'other' }, output('x')));
  const sender = await create(chain(trigger(), node('send-event-node', { event: 'of-run' }), output('x')));

  const hook = (await triggerOf({ webhook: {} })).path;
  const chat = (await triggerOf({ chat: {} })).path;
  const form = (await triggerOf({ form: { title: 'F' } })).path;
  await triggerOf({ event: { name: 'of-api', mapping: {} } });
  await triggerOf({ event: { name: 'of-run', mapping: {} } });
  await triggerOf({ failure: { workflows: [watched] } });
  await service.rest('PUT', `/api/v1/workflows/${workflow}/mcp-server-tool/`, {
    body: { name: 'draft', description: 'D' },
  });
  const client = await connect(service.url, service.key, { project });
  const earlierRun = (await run(workflow)).data.id;
  await awaitFinish(service, earlierRun);
  const history = `/api/v1/workflows/${workflow}/history/${earlierRun}`;
  const published = (start: Way['start']): Way => ({ uses: 'published', start });
  const earlier = (start: Way['start']): Way => ({ uses: 'earlier', start });

  return {
    ...{ workflow, graphOf, earlierRun, triggerKinds: ['CHAT', 'EVENT', 'FAILURE', 'FORM', 'SCHEDULE', 'WEBHOOK'] },
    stop: () => client.close(),
    ways: {
      rest: published(() => run(workflow)),
      graphql: published(() => mutate(START, { id: workflow })),
      runAndWait: published(() => mutate(RUN_AND_WAIT, { id: workflow })),
      many: published(() => mutate(START_MANY, { id: workflow })),
      manyOverRest: published(() => post(`/api/v1/workflows/${workflow}/run-many/`, { items: [{ input: {} }] })),
      draftRun: published(async () => mutate(RELEASE, { id: (await mutate(DRAFT, { id: workflow })).run.id })),
      webhook: published(() => fetch(service.url + hook, { method: 'POST' })),
      form: published(() => fetch(service.url + form, { method: 'POST', body: new FormData() })),
      chat: published(() => sendToChat(service.url + chat)),
      event: published(() => post(`/api/v1/projects/${project}/workflow-events/`, { name: 'of-api' })),
      eventOfRun: published(() => run(sender)),
      failure: published(() => run(watched)),
      errorWorkflow: published(() => run(handled)),
      // Late enough that the time is in the future when a busy service saves the trigger: it would start no run otherwise.
      schedule: published(() => triggerOf({ schedule: { at: new Date(Date.now() + 8_000).toISOString() } })),
      subWorkflow: published(() => run(parent)),
      detachedSubWorkflow: published(() => run(detaching)),
      agentTool: published(() => run(agent)),
      mcpTool: published(() => client.callTool({ name: 'draft', arguments: {} })),
      forkOfPublished: published(() => mutate(FORK, { id: earlierRun, revision: 'PUBLISHED' })),
      restartOfPublished: published(() => mutate(RESTART, { workflow, id: earlierRun, revision: 'PUBLISHED' })),
      restartOverRest: published(() => post(`${history}/restart/`, { revision: 'published' })),
      fork: earlier(() => mutate(FORK, { id: earlierRun })),
      restart: earlier(() => mutate(RESTART, { workflow, id: earlierRun })),
      reRun: earlier(() => post(`${history}/re-run/`, {})),
    },
  };
}
