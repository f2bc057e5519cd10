import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, field, type Json, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let project: number;
beforeAll(async () => {
  service = await startTestService();
  project = await createProject();
});
afterAll(() => service?.stop());

const createProject = async () =>
  (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Events' } })).body.id as number;
const created = async (path: string, body: Json) => {
  const answer = await service.rest('POST', path, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
  return answer.body;
};
const createWorkflow = async (data: unknown, of = project) =>
  (await created('/api/v1/workflows/', { project: of, title: 'W', data })).id as number;
const createTrigger = (workflow: number, settings: Json) =>
  created(`/api/v1/workflows/${workflow}/triggers/`, { name: 'T', ...settings });
const send = async (name: string, more: Json = {}, of = project) =>
  (await service.rest('POST', `/api/v1/projects/${of}/workflow-events/`, { body: { name, ...more } })).body
    .id as string;
const log = async (id: number): Promise<any[]> =>
  (await service.rest('GET', `/api/v1/triggers/${id}/log/?size=100`)).body.items;
const logWith = (id: number, count: number) =>
  eventually(
    () => log(id),
    items => items.length >= count,
  );
const resultOf = (runId: string) =>
  eventually(
    async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${runId}`)).body.data,
    data => data.status === 'succeed' || data.status === 'failed',
  );
const start = async (workflow: number, input: Json = {}) =>
  (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input })).body.data.id as string;
const delivered = (id: string) =>
  eventually(
    async () => (await service.sql('select delivered_at from workflow_event where id = $1', [id]))[0]?.delivered_at,
    at => at !== null && at !== undefined,
  );
const greeting = () => chain(trigger(field('who')), output('Hello {{ input.who }}'));
const SORT = [{ operation: 'sort', field: 'a', order: 'asc' }];
const failing = () => chain(trigger(), node('http-node', { url: 'http://127.0.0.1:1/' }), output('never'));

describe('an event trigger', () => {
  it('starts one run for an event with its name and key, with the mapped input', async () => {
    const workflow = await createWorkflow(greeting());
    const mapping = { who: '{{ input.payload.name }} by {{ input.name }}' };
    const { id } = await createTrigger(workflow, { event: { name: 'greet', correlation_key: 'k', mapping } });
    for (const [name, key] of [
      ['greet', 'other'],
      ['other', 'k'],
    ] as const)
      await delivered(await send(name, { correlation_key: key }));
    const event = await send('greet', { correlation_key: 'k', payload: { name: 'Ada' } });
    const [firing] = await logWith(id, 1);
    expect(firing).toMatchObject({ outcome: 'started', reason: null });
    expect((await resultOf(firing.run_id)).output).toBe('Hello Ada by greet');
    await delivered(event);
    // Jobs of projects take turns.
    expect(await service.sql('select group_id from pgboss.job where id = $1', [event])).toEqual([
      { group_id: String(project) },
    ]);
    expect((await service.rest('GET', `/api/v1/triggers/${id}/`)).body).toMatchObject({
      ...{ kind: 'event', last_run_id: firing.run_id },
      event: { name: 'greet', correlation_key: 'k', mapping },
    });
    expect(await log(id)).toHaveLength(1);
  });

  it('refuses an event whose mapping fails with the reason, and the triggers after it start', async () => {
    const workflow = await createWorkflow(chain(trigger(), output('done')));
    const bad = await createTrigger(workflow, {
      event: { name: 'unmapped', mapping: { z: '{{ input.payload.id }}' } },
    });
    const good = await createTrigger(workflow, { event: { name: 'unmapped' } });
    await send('unmapped', { payload: {} });
    expect(await logWith(good.id, 1)).toMatchObject([{ outcome: 'started', run_id: expect.any(String) }]);
    expect(await log(bad.id)).toMatchObject([
      { outcome: 'refused', run_id: null, reason: expect.stringMatching(/^The mapping of the trigger/) },
    ]);
  });

  it('starts nothing for events of other projects, while it is disabled, and while its workflow is paused', async () => {
    const workflow = await createWorkflow(greeting());
    const { id } = await createTrigger(workflow, { event: { name: 'quiet' }, input: { who: 'Eve' } });
    await delivered(await send('quiet', {}, await createProject()));
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: false } });
    await delivered(await send('quiet'));
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: true } });
    await service.rest('POST', `/api/v1/workflows/${workflow}/pause/`);
    await delivered(await send('quiet'));
    expect(await log(id)).toEqual([]);
    await service.rest('POST', `/api/v1/workflows/${workflow}/resume/`);
    await send('quiet');
    const [firing] = await logWith(id, 1);
    expect((await resultOf(firing.run_id)).output).toBe('Hello Eve');
  });

  it('starts runs for events of other runs, but no workflow twice in a chain', async () => {
    const sender = await createWorkflow(
      chain(trigger(), node('send-event-node', { event: 'ping', payload: { n: 1 } }), output('{{ previous.content }}')),
    );
    const answering = await createWorkflow(
      chain(trigger(), node('send-event-node', { event: 'pong' }), output('{{ input.payload.n }}')),
    );
    const ping = await createTrigger(answering, { event: { name: 'ping' } });
    const pong = await createTrigger(sender, { event: { name: 'pong' } });
    const { output: event } = await resultOf(await start(sender));
    const [started] = await logWith(ping.id, 1);
    expect(started).toMatchObject({ outcome: 'started' });
    expect(await logWith(pong.id, 1)).toMatchObject([{ outcome: 'skipped', run_id: null }]);
    expect((await log(pong.id))[0].reason).toContain('already in this chain');
    const rows = await service.sql('select ancestry from workflow_event where id = $1', [event]);
    expect(rows).toEqual([{ ancestry: [sender] }]);
    const [run] = await service.sql('select ancestry from workflow_run where id = $1', [started.run_id]);
    expect(run).toEqual({ ancestry: [sender] });
  });

  it('masks secrets of a run in the event that it sends', async () => {
    const secret = { id: 'token', title: 'Token', type: 'text', is_secret: true };
    const workflow = await createWorkflow(
      chain(trigger(secret), node('send-event-node', { event: 'leak', payload: 'is {{ input.token }}' }), output('x')),
    );
    await resultOf(await start(workflow, { token: 'very-secret-value' }));
    const rows = await service.sql(`select payload from workflow_event where name = 'leak'`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('very-secret-value');
  });

  it.each<[Json, string]>([
    [{ event: { name: '' } }, 'event.name'],
    [{ event: { name: 'x', mapping: { a: '{{ input.body }}' } } }, 'event.mapping'],
    // The kinds have an order; the fault names the second one.
    [{ event: { name: 'x' }, webhook: {} }, 'event'],
    [{ failure: { workflows: [2_000_000_000] } }, 'failure.workflows'],
  ])('is refused with %j, naming the member', async (settings, member) => {
    const workflow = await createWorkflow(greeting());
    const { status, body } = await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, {
      body: { name: 'T', ...settings },
    });
    expect([status, Object.keys(body)]).toEqual([400, [member]]);
  });
});

describe('a failure trigger', () => {
  it('starts one run for each failed run of the chosen workflows, with the failure as input', async () => {
    const own = await createProject();
    const [failingOne, other] = [await createWorkflow(failing(), own), await createWorkflow(failing(), own)];
    const handler = await createWorkflow(
      chain(trigger(), output('{{ input.workflow_id }} {{ input.error.code }}')),
      own,
    );
    const { id } = await createTrigger(handler, { failure: { workflows: [failingOne] } });
    await resultOf(await start(other));
    const failed = await start(failingOne);
    const { error } = await resultOf(failed);
    const firings = await logWith(id, 1);
    expect(firings).toMatchObject([{ outcome: 'started' }]);
    expect((await resultOf(firings[0].run_id)).output).toBe(`${failingOne} ${error.code}`);
  });

  it('handles failures of all other workflows by default, also of instant runs, and no failure of a handler', async () => {
    const own = await createProject();
    const instant = await createWorkflow(
      chain(trigger(field('x')), node('list-node', { items: '{{ input.x }}', operations: SORT }), output('x')),
      own,
    );
    const handler = await createWorkflow(failing(), own);
    const second = await createWorkflow(failing(), own);
    const first = await createTrigger(handler, { failure: {} });
    const other = await createTrigger(second, { failure: {} });
    const { status } = await resultOf(await start(instant, { x: 'no list' }));
    expect(status).toBe('failed');
    for (const { id } of [first, other]) {
      const firings = await eventually(
        () => log(id),
        items => ['started', 'skipped'].every(wanted => items.some(({ outcome }) => outcome === wanted)),
      );
      expect(firings.find(({ outcome }) => outcome === 'skipped').reason).toContain('handled a failure');
    }
    const runs = await service.sql('select count(*)::int as count from workflow_run where project_id = $1', [own]);
    expect(runs).toEqual([{ count: 3 }]);
  });
});

describe('a bulk start', () => {
  it('starts every item once and returns the outcomes in order', async () => {
    const workflow = await createWorkflow(greeting());
    const items = Array.from({ length: 120 }, (_, n) => ({ input: { who: `n${n}` }, idempotency_key: `bulk ${n}` }));
    const path = `/api/v1/workflows/${workflow}/run-many/`;
    const first = (await service.rest('POST', path, { body: { items: items.slice(0, 100) } })).body;
    expect(first).toMatchObject({ accepted: 100, refused: 0 });
    const again = (await service.rest('POST', path, { body: { items } })).body;
    expect(again).toMatchObject({ accepted: 120, refused: 0 });
    const ids = again.items.map((item: any) => item.receipt.data.id);
    expect(ids.slice(0, 100)).toEqual(first.items.map((item: any) => item.receipt.data.id));
    expect(new Set(ids).size).toBe(120);
    expect((await resultOf(ids[117])).output).toBe('Hello n117');
    const runs = await service.sql('select count(*)::int as count from workflow_run where workflow_id = $1', [
      workflow,
    ]);
    expect(runs).toEqual([{ count: 120 }]);
  });

  it('returns the refusal of one item without affecting the others', async () => {
    const workflow = await createWorkflow(greeting());
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run-many/`, {
      body: { items: [{ input: [] }, { input: { who: 'Bob' } }, { idempotency_key: '\u0001' }] },
    });
    expect(body).toMatchObject({ accepted: 1, refused: 2 });
    expect(body.items).toMatchObject([
      { index: 0, receipt: { status: 400 }, error: null },
      { index: 1, receipt: { status: 201 }, error: null },
      { index: 2, receipt: null, error: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it.each<[string, unknown[]]>([
    ['no items', []],
    ['too many items', Array.from({ length: 1_001 }, () => ({}))],
    ['a repeated key', [{ idempotency_key: 'a' }, { idempotency_key: 'a' }]],
  ])('is refused with %s', async (_title, items) => {
    const workflow = await createWorkflow(greeting());
    const { status } = await service.rest('POST', `/api/v1/workflows/${workflow}/run-many/`, { body: { items } });
    expect(status).toBe(400);
  });
});
