import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.js';
import { createWorkflow, echoGraph, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

const ACTIVITY = `subscription ($project: Int!, $after: String) {
  projectActivity(projectId: $project, after: $after) {
    cursor kind id: subjectId state at title workflowId scenarioId documentId runId
  }
}`;

type Refusal = { readonly extensions?: Record<string, unknown> };

interface Activity {
  cursor: string;
  kind: string;
  id: string;
  state: string;
  [more: string]: unknown;
}

let service: TestService;
/** Another process on the same database, which executes nothing. */
let other: TestService;
let upstream: StubUpstream;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  other = await startTestService({ role: 'api', openai: { baseUrl: upstream.url, apiKey: 'k' } }, service.database);
});
afterAll(async () => {
  await other?.stop();
  await service?.stop();
  await upstream?.stop();
});

async function startRun(workflowId: number, input: object = {}): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflowId}/run/`, { body: input });
  return body.data.id;
}

async function projectOf(workflowId: number): Promise<number> {
  return (await service.rest('GET', `/api/v1/workflows/${workflowId}/`)).body.project;
}

/** Follows a project until it is stopped or refused. */
class Listener {
  readonly received: Activity[] = [];
  readonly refused: Promise<readonly Refusal[]>;
  readonly #client: Client;

  constructor(by: TestService, project: number, { after, key = by.key }: { after?: string; key?: string } = {}) {
    this.#client = createClient({
      url: `${by.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-Api-Key': key },
      retryAttempts: 0,
    });
    this.refused = new Promise(resolve => {
      this.#client.subscribe<{ projectActivity: Activity }>(
        { query: ACTIVITY, variables: { project, after } },
        {
          next: ({ data, errors }) =>
            data ? this.received.push(data.projectActivity) : resolve((errors ?? []) as readonly Refusal[]),
          error: errors => resolve((errors ?? []) as readonly Refusal[]),
          complete: () => resolve([]),
        },
      );
    });
  }

  until(isEnough: (received: Activity[]) => boolean): Promise<Activity[]> {
    return eventually(async () => this.received, isEnough);
  }

  async stop(): Promise<void> {
    await this.#client.dispose();
  }
}

const states = (received: Activity[], id: string) => received.filter(one => one.id === id).map(({ state }) => state);

describe('projectActivity', () => {
  it('streams activities in progress, then each change, through a process that executes nothing', async () => {
    const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
    const project = await projectOf(workflow);
    const held = upstream.hold();
    const first = await startRun(workflow, { topic: 'cats' });
    await held.arrived;
    const listener = new Listener(other, project);
    await listener.until(received => states(received, first).includes('RUNNING'));
    expect(listener.received).toEqual([
      {
        cursor: expect.stringMatching(/^\d+/),
        kind: 'WORKFLOW_RUN',
        id: first,
        state: 'RUNNING',
        at: expect.any(String),
        title: expect.any(String),
        workflowId: workflow,
        scenarioId: null,
        documentId: null,
        runId: null,
      },
    ]);
    held.release();
    await listener.until(received => states(received, first).includes('SUCCEEDED'));
    const second = await startRun(workflow);
    await listener.until(received => states(received, second).includes('FAILED'));
    expect(states(listener.received, first)).toEqual(['RUNNING', 'SUCCEEDED']);
    await listener.stop();
  });

  it('continues after a cursor with the changes in between, and misses no end', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const project = await projectOf(workflow);
    const listener = new Listener(service, project);
    const before = await startRun(workflow, { topic: 'a' });
    const received = await listener.until(all => states(all, before).at(-1) === 'SUCCEEDED');
    await listener.stop();
    const missed = await Promise.all(['b', 'c', 'd'].map(topic => startRun(workflow, { topic })));
    const again = new Listener(other, project, { after: received.at(-1)!.cursor });
    await again.until(all => missed.every(id => states(all, id).at(-1) === 'SUCCEEDED'));
    await again.stop();
    // Without a cursor, runs that ended before the subscription are not sent.
    await service.sql(`update workflow_run set updated_at = now() - interval '1 minute' where project_id = $1`, [
      project,
    ]);
    const laterEvents = new Listener(other, project);
    const next = await startRun(workflow, { topic: 'e' });
    await laterEvents.until(all => states(all, next).at(-1) === 'SUCCEEDED');
    expect(new Set(laterEvents.received.map(({ id }) => id))).toEqual(new Set([next]));
    await laterEvents.stop();
  });

  it('reads again for a subscriber that is further behind than the feed keeps', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const project = await projectOf(workflow);
    const start = new Listener(service, project);
    const run = await startRun(workflow, { topic: 'a' });
    const { cursor } = (await start.until(all => states(all, run).at(-1) === 'SUCCEEDED')).at(-1)!;
    await start.stop();
    // More entries with one timestamp than a page holds and than the feed keeps.
    await service.sql(
      `insert into workflow_run (id, project_id, workflow_id, revision_id, state, run_finished_at)
       select gen_random_uuid(), project_id, workflow_id, revision_id, 'cancelled', now()
         from workflow_run, generate_series(1, 1500) where id = $1`,
      [run],
    );
    const late = new Listener(service, project, { after: cursor });
    const cancelled = await late.until(all => all.filter(({ state }) => state === 'CANCELLED').length >= 1500);
    expect(new Set(cancelled.filter(({ state }) => state === 'CANCELLED').map(({ id }) => id)).size).toBe(1500);
    // A cursor in the middle of that timestamp does not lose the rest either.
    const sent = cancelled.filter(({ state }) => state === 'CANCELLED');
    const remaining = sent.slice(701).map(({ id }) => id);
    await late.stop();
    const rest = new Listener(other, project, { after: sent[700]!.cursor });
    await rest.until(all => {
      const ids = new Set(all.map(({ id }) => id));
      return remaining.every(id => ids.has(id));
    });
    await rest.stop();
  });

  it('streams every kind of run, and approval requests with their decisions', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const project = await projectOf(workflow);
    const listener = new Listener(other, project);
    const next = await startRun(workflow, { topic: 'b' });
    await listener.until(all => states(all, next).at(-1) === 'SUCCEEDED');
    const [document] = await service.sql<{ id: number }>(
      `insert into document (project_id, key, filename, result_file, content_type, size, sha256)
       values ($1, 'k', 'a.txt', 'activity.txt', 'text/plain', 1, '') returning id`,
      [project],
    );
    const [recognition] = await service.sql<{ id: number }>(
      `insert into recognition_run (project_id, document_id, chunk_size, state) values ($1, $2, 100, 'in_progress') returning id`,
      [project, document!.id],
    );
    const [keyword] = await service.sql<{ id: number }>(
      `insert into keyword_run (project_id, topic, preset, status)
       values ($1, 'cats', 1, 'in_progress') returning id`,
      [project],
    );
    const [scenario] = await service.sql<{ id: number }>(
      `insert into scenario_run (billing_id, project_id, status)
       values (gen_random_uuid(), $1, 'in_progress') returning id`,
      [project],
    );
    // One approval request is approved below, the other has expired.
    const [waiting] = await service.sql<{ id: string }>(
      `insert into workflow_run (id, project_id, workflow_id, revision_id, state)
       select gen_random_uuid(), project_id, workflow_id, revision_id, 'waiting' from workflow_run where id = $1 returning id`,
      [next],
    );
    const approvals = await service.sql<{ id: string }>(
      `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
       select gen_random_uuid(), $1, $2, 'agent', 'start', now(), now() + make_interval(secs => s)
         from unnest(array[3600, -1]) as s returning id`,
      [waiting!.id, project],
    );
    await service.sql(`select pg_notify('scenarium', 'activity:' || $1::text)`, [project]);
    await listener.until(all => approvals.every(({ id }) => states(all, id).length === 1));
    await service.sql(`update workflow_run_approval set decision = 'approved', decided_at = now() where id = $1`, [
      approvals[0]!.id,
    ]);
    await service.sql(`update recognition_run set state = 'finished', updated_at = now() where id = $1`, [
      recognition!.id,
    ]);
    await service.sql(`update keyword_run set status = 'error', updated_at = now() where id = $1`, [keyword!.id]);
    await service.sql(`update scenario_run set status = 'cancelled', updated_at = now() where id = $1`, [scenario!.id]);
    const done = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'APPROVED', 'EXPIRED'];
    const kinds = ['RECOGNITION_RUN', 'KEYWORD_RUN', 'SCENARIO_RUN', 'AGENT_APPROVAL'];
    const summaries = (all: Activity[]) =>
      all.filter(({ kind }) => kinds.includes(kind)).map(({ kind, state, title }) => [kind, state, title]);
    const all = await listener.until(
      received => summaries(received).filter(([, state]) => done.includes(String(state))).length === 5,
    );
    const title = all.find(({ kind }) => kind === 'WORKFLOW_RUN')?.title;
    expect(summaries(all).toSorted()).toEqual([
      ['AGENT_APPROVAL', 'APPROVED', title],
      ['AGENT_APPROVAL', 'EXPIRED', title],
      ['AGENT_APPROVAL', 'PENDING', title],
      ['KEYWORD_RUN', 'FAILED', 'cats'],
      ['KEYWORD_RUN', 'RUNNING', 'cats'],
      ['RECOGNITION_RUN', 'RUNNING', 'a.txt'],
      ['RECOGNITION_RUN', 'SUCCEEDED', 'a.txt'],
      ['SCENARIO_RUN', 'CANCELLED', null],
      ['SCENARIO_RUN', 'RUNNING', null],
    ]);
    expect(all.find(({ kind }) => kind === 'AGENT_APPROVAL')).toMatchObject({
      workflowId: workflow,
      runId: waiting!.id,
    });
    await listener.stop();
  });

  it('treats an inaccessible project like a missing one, and refuses an invalid cursor', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const project = await projectOf(workflow);
    const { key } = await service.createUser('outsider');
    const foreign = await new Listener(service, project, { key }).refused;
    const none = await new Listener(service, 2_000_000_000, { key }).refused;
    expect(foreign[0]?.extensions?.code).toBe('NOT_FOUND');
    expect(none).toEqual(foreign);
    for (const after of ['', 'x', '12.', '1.workflow_run:x', '9'.repeat(30)])
      expect((await new Listener(service, project, { after }).refused)[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: { after: [expect.any(String)] },
      });
  });

  it('ends for a removed member before the next change', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const project = await projectOf(workflow);
    const { key, email } = await service.createUser('member');
    const member = `insert into project_member (project_id, user_id, role)
      select $1, id, 'viewer' from app_user where email = $2`;
    await service.sql(member, [project, email]);
    const listener = new Listener(service, project, { key });
    const seen = await startRun(workflow, { topic: 'seen' });
    await listener.until(all => states(all, seen).at(-1) === 'SUCCEEDED');
    await service.sql(
      'delete from project_member where project_id = $1 and user_id = (select id from app_user where email = $2)',
      [project, email],
    );
    const unseen = await startRun(workflow, { topic: 'unseen' });
    expect((await listener.refused)[0]?.extensions?.code).toBe('NOT_FOUND');
    expect(states(listener.received, unseen)).toEqual([]);
  });
});
