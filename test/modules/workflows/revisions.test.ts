import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArchiveRetention } from '../../../src/modules/workflow-runs/retention/archive-retention.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { chain, node, output } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

const BASE = chain(node('trigger-node'), { ...output(''), id: 'out' });

/** A graph whose output is `text`. */
const graphOf = (text: string) => ({
  ...BASE,
  nodes: BASE.nodes.map(each => (each.id === 'out' ? { ...each, data: { ...each.data, value: text } } : each)),
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const createProject = async (): Promise<number> =>
  (await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' } })).body.id;

async function createWorkflow(project: number, data: unknown = graphOf('1')): Promise<number> {
  const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
  return body.id;
}

const save = (id: number, text: string, headers: Record<string, string> = {}) =>
  service.rest('PATCH', `/api/v1/workflows/${id}/`, { headers, body: { data: graphOf(text) } });
const revisions = async (id: number) => (await service.rest('GET', `/api/v1/workflows/${id}/revisions/?size=50`)).body;
const publish = (id: number, number: number, note?: string) =>
  service.rest('POST', `/api/v1/workflows/${id}/revisions/${number}/publish/`, { body: { note } });
const setDrafts = (project: number, uses_drafts: boolean) =>
  service.rest('PUT', `/api/v1/projects/${project}/drafts/`, { body: { uses_drafts } });
const run = (id: number, path = 'run/') => service.rest('POST', `/api/v1/workflows/${id}/${path}`, { body: {} });

const REVISION_OF = 'query ($id: UUID!) { workflowRun(id: $id) { state revision { number } } }';
const numberOf = async (runId: string): Promise<number> =>
  (await service.graphql(REVISION_OF, { id: runId })).data.workflowRun.revision.number;

describe('the revisions of a workflow', () => {
  let project: number;
  beforeAll(async () => {
    project = await createProject();
  });

  it('are numbered, and each run names its own', async () => {
    const id = await createWorkflow(project);
    await save(id, '2');
    // An equal graph is not a new revision.
    await save(id, '2');
    const first = await run(id);
    await save(id, '3');
    const { total, items } = await revisions(id);
    expect([total, items.map((item: any) => [item.number, item.is_current, item.is_published])]).toEqual([
      3,
      [
        [3, true, false],
        [2, false, false],
        [1, false, false],
      ],
    ]);
    expect(items[0]).toMatchObject({ workflow: id, name: '', note: '', user_name: expect.any(String) });
    expect(await numberOf(first.body.data.id)).toBe(2);
    const again = await service.graphql(
      `mutation ($id: Int!, $run: UUID!) { workflowRunRestart(workflowId: $id, id: $run, revisionNumber: 1) { run { id } errors { message } } }`,
      { id, run: first.body.data.id },
    );
    expect(await numberOf(again.data.workflowRunRestart.run.id)).toBe(1);
    const page = await service.rest('GET', `/api/v1/workflows/${id}/revisions/?size=2&page=2`);
    expect(page.body.items.map((item: any) => item.number)).toEqual([1]);
  });

  it('are compared by nodes, settings and edges; positions apart', async () => {
    const id = await createWorkflow(project);
    const { data } = (await service.rest('GET', `/api/v1/workflows/${id}/revisions/1/`)).body;
    const [trigger, out] = data.nodes;
    const next = {
      ...data,
      nodes: [
        { ...trigger, position: { x: 500, y: 5 } },
        { ...out, data: { ...out.data, value: '2' } },
        node('note-node', { text: 'new' }),
      ],
    };
    await service.rest('PATCH', `/api/v1/workflows/${id}/`, { body: { data: next } });
    const { status, body } = await service.rest('GET', `/api/v1/workflows/${id}/revisions/1/diff/?to=2`);
    expect(status).toBe(200);
    expect(body.nodes).toMatchObject([
      { node_id: trigger.id, change: 'changed', is_moved_only: true, settings: [] },
      {
        ...{ node_id: 'out', change: 'changed', is_moved_only: false },
        settings: [{ path: 'data.value', before: '1', after: '2' }],
      },
      { change: 'added', settings: [] },
    ]);
    expect((await service.rest('GET', `/api/v1/workflows/${id}/revisions/2/diff/?to=2`)).body).toMatchObject({
      ...{ nodes: [], edges: [], settings: [] },
    });
    expect((await service.rest('GET', `/api/v1/workflows/${id}/revisions/1/diff/?to=9`)).status).toBe(404);
  });

  it('have a name and a note, and one with a name outlives the retention', async () => {
    const id = await createWorkflow(project);
    await save(id, '2');
    await save(id, '3');
    const named = await service.rest('PATCH', `/api/v1/workflows/${id}/revisions/1/`, {
      body: { name: 'First', note: 'As agreed.' },
    });
    expect(named.body).toMatchObject({ number: 1, name: 'First', note: 'As agreed.' });
    const long = await service.rest('PATCH', `/api/v1/workflows/${id}/revisions/1/`, {
      body: { name: 'x'.repeat(256) },
    });
    expect(long.status).toBe(400);
    expect((await service.rest('PATCH', `/api/v1/workflows/${id}/revisions/9/`, { body: { name: 'x' } })).status).toBe(
      404,
    );
    await service.sql(`update workflow_revision set created_at = now() - interval '31 days' where workflow_id = $1`, [
      id,
    ]);
    const database = await openDatabase(service.database);
    await new ArchiveRetention(database, { archive: 90, result: 30 }).run();
    await database.close();
    expect((await revisions(id)).items.map((item: any) => item.number)).toEqual([3, 1]);
  });

  it('are restored as a new one, with their secrets', async () => {
    const secret = 'restored-secret-value';
    const field = { id: 'token', title: 'Token', type: 'text', is_secret: true, default_value: secret };
    const withSecret = chain(node('trigger-node', { input_fields: [field] }), output('1'));
    const id = await createWorkflow(project, withSecret);
    await save(id, 'no secret');
    const { status, body } = await service.rest('POST', `/api/v1/workflows/${id}/revisions/1/restore/`);
    expect([status, body.number, body.is_current, body.note]).toEqual([201, 3, true, 'Restored from revision 1.']);
    const { status: inner } = (await run(id)).body;
    expect(inner).toBe(201);
    const rows = await service.sql(
      'select sealed_secrets is not null as has_secret from workflow_revision where workflow_id = $1 order by number',
      [id],
    );
    expect(rows.map(row => row.has_secret)).toEqual([true, false, true]);
    expect(JSON.stringify((await service.rest('GET', `/api/v1/workflows/${id}/`)).body)).not.toContain(secret);
    expect((await service.rest('POST', `/api/v1/workflows/${id}/revisions/9/restore/`)).status).toBe(400);
  });

  it('are not overwritten by a second user who saves at the same time', async () => {
    const id = await createWorkflow(project);
    const saves = await Promise.all(['a', 'b', 'c', 'd'].map(text => save(id, text, { 'If-Match': '"1"' })));
    expect(saves.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    expect(saves.find(({ status }) => status === 412)?.body.detail).toMatch(/^Revision 2 was saved since/);
    expect((await revisions(id)).total).toBe(2);
    const UPDATE = `mutation ($id: Int!, $n: Int) { workflowUpdate(id: $id, input: { title: "New", expectedRevisionNumber: $n }) {
      workflow { title currentRevision { number } publishedRevision { number } } errors { code message } } }`;
    const stale = await service.graphql(UPDATE, { id, n: 1 });
    expect(stale.data.workflowUpdate).toMatchObject({ workflow: null, errors: [{ code: 'CONFLICT' }] });
    const fresh = await service.graphql(UPDATE, { id, n: 2 });
    expect(fresh.data.workflowUpdate.workflow).toEqual({
      ...{ title: 'New', currentRevision: { number: 2 }, publishedRevision: null },
    });
  });
});

describe('in a project with drafts', () => {
  let project: number;
  let id: number;
  beforeAll(async () => {
    project = await createProject();
    id = await createWorkflow(project);
    expect((await publish(id, 1)).status).toBe(409);
    expect((await setDrafts(project, true)).body).toEqual({ id: project, uses_drafts: true });
    await save(id, '2');
  });

  it('runs use the published revision, and a draft only on purpose', async () => {
    expect(await numberOf((await run(id)).body.data.id)).toBe(1);
    expect(await numberOf((await run(id, 'revisions/2/run/')).body.data.id)).toBe(2);
    expect((await run(id, 'revisions/7/run/')).status).toBe(400);
    expect((await publish(id, 2, 'Better answers')).body).toMatchObject({ number: 2, is_published: true });
    expect(await numberOf((await run(id)).body.data.id)).toBe(2);
    expect((await publish(id, 1, 'Back')).status).toBe(200);
    expect(await numberOf((await run(id)).body.data.id)).toBe(1);
    const { items } = (await service.rest('GET', `/api/v1/workflows/${id}/publications/`)).body;
    expect(items.map((item: any) => [item.revision, item.note])).toEqual([
      [1, 'Back'],
      [2, 'Better answers'],
      [1, 'Drafts were switched on.'],
    ]);
  });

  it('a workflow that was never published does not run', async () => {
    const draft = await createWorkflow(project);
    const { status, body } = await run(draft);
    expect([status, body.detail]).toEqual([409, expect.stringMatching(/^The workflow has no published revision/)]);
    const parent = await createWorkflow(
      project,
      chain(node('trigger-node'), node('subworkflow-node', { workflow_id: draft }), output('x')),
    );
    await publish(parent, 1);
    const { body: receipt } = await run(parent);
    const failed = await eventually(
      () => service.rest('GET', `/api/v1/workflows/${parent}/history/${receipt.data.id}/`),
      ({ body: stored }) => stored.status === 'Error',
    );
    expect(JSON.stringify(failed)).toContain('has no published revision');
  });

  it('runs use the saved revisions again after drafts are switched off', async () => {
    await setDrafts(project, false);
    expect(await numberOf((await run(id)).body.data.id)).toBe(2);
    expect((await revisions(id)).items.some((item: any) => item.is_published)).toBe(false);
    await setDrafts(project, true);
    expect((await revisions(id)).items[0]).toMatchObject({ number: 2, is_published: true });
  });
});
