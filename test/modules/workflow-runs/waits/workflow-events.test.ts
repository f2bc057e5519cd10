import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteOldEvents } from '../../../../src/modules/workflow-runs/events/event-retention.js';
import type { Database } from '../../../../src/platform/database/database.js';
import { openDatabase } from '../../../support/database.js';
import { eventually } from '../../../support/eventually.js';
import { chain, edge, field, graph, type Json, node, output, trigger } from '../../../support/graphs.js';
import { startTestService, type TestService } from '../../../support/service.js';

const SEND = `mutation ($project: Int!, $name: String!, $key: String, $payload: JSON, $once: String) {
  workflowEventSend(projectId: $project, name: $name, correlationKey: $key, payload: $payload, idempotencyKey: $once) {
    event { id name correlationKey sentAt } errors { code message path }
  }
}`;

describe('an event', () => {
  let service: TestService;
  let database: Database;
  let project: number;

  beforeAll(async () => {
    service = await startTestService();
    database = await openDatabase(service.database);
    project = await createProject();
  });
  afterAll(async () => {
    await database.close();
    await service.stop();
  });

  const createProject = async () =>
    (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Events' } })).body.id as number;
  const send = async (variables: Json) =>
    (await service.graphql(SEND, { project, ...variables })).data.workflowEventSend;

  /** Saves a workflow with waits in sequence. Its output has the payload of each, or is `late`. */
  async function workflowOf(data: Json, waitCount = 1) {
    const waits = Array.from({ length: waitCount }, (_, index) =>
      node('wait-node', { event: 'paid', correlation_key: '{{ input.order }}', ...data }, `w${index}`),
    );
    const ends = waits.map(({ id }) => node('output-node', { value: `{{ nodes.${id}.content }}` }, `o${id}`));
    const start = trigger(field('order'));
    const late = output('late');
    const all = graph(
      [start, ...waits, ...ends, late],
      waits.flatMap((wait, index) => [
        edge(index === 0 ? start : waits[index - 1]!, wait, index === 0 ? undefined : 'received'),
        edge(wait, ends[index]!, 'received'),
        edge(wait, late, 'expired'),
      ]),
    );
    return saveWorkflow(all);
  }
  const saveWorkflow = async (data: unknown, of = project) =>
    (await service.rest('POST', '/api/v1/workflows/', { body: { project: of, title: 'W', data } })).body.id as number;
  const start = async (workflow: number, order: string) =>
    (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { order } })).body.data.id as string;
  const stateOf = (run: string, wanted: string) =>
    eventually(
      async () => (await service.sql('select state from workflow_run where id = $1', [run]))[0]?.state,
      state => state === wanted,
    );
  const outputOf = async (run: string) => {
    await stateOf(run, 'succeeded');
    return (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`)).body.data.output;
  };
  const waitsOf = (run: string) => service.sql('select event_id from workflow_run_event_wait where run_id = $1', [run]);
  const delivered = (id: string) =>
    eventually(
      async () => (await service.sql('select delivered_at from workflow_event where id = $1', [id]))[0]?.delivered_at,
      at => at !== null,
    );

  it('is shown as the wait of its node', async () => {
    const run = await start(await workflowOf({}), '17');
    await stateOf(run, 'waiting');
    const query =
      'query ($run: UUID!) { workflowRun(id: $run) { nodes { status wait { kind eventName correlationKey } } } }';
    const { data } = await service.graphql(query, { run });
    expect(data.workflowRun.nodes).toEqual([
      { status: 'SUCCEEDED', wait: null },
      { status: 'WAITING', wait: { kind: 'EVENT', eventName: 'paid', correlationKey: '17' } },
    ]);
  });

  it('reaches every waiting run with its key once, also after a restart, and no other run', async () => {
    const workflow = await workflowOf({});
    const runs = [await start(workflow, 'a'), await start(workflow, 'a')];
    const other = await start(workflow, 'b');
    for (const run of [...runs, other]) await stateOf(run, 'waiting');
    await service.stop();
    service = await startTestService({}, service.database);
    const { event, errors } = await send({ name: 'paid', key: 'a', payload: { amount: 20 } });
    expect([event, errors]).toEqual([
      { id: expect.any(String), name: 'paid', correlationKey: 'a', sentAt: expect.any(String) },
      [],
    ]);
    for (const run of runs) expect(await outputOf(run)).toBe('{"amount":20}');
    expect(await waitsOf(other)).toEqual([{ event_id: null }]);
    await send({ name: 'paid', key: 'b', payload: 'cash' });
    expect(await outputOf(other)).toBe('cash');
  });

  it('continues a waiting run when it is sent by REST', async () => {
    const run = await start(await workflowOf({}), 'rest');
    await stateOf(run, 'waiting');
    const body = { name: 'paid', correlation_key: 'rest', payload: { amount: 21 } };
    expect((await service.rest('POST', `/api/v1/projects/${project}/workflow-events/`, { body })).status).toBe(201);
    expect(await outputOf(run)).toBe('{"amount":21}');
  });

  it('continues a waiting run when a webhook starts a workflow that sends it', async () => {
    const workflow = await workflowOf({});
    const [run, other] = [await start(workflow, 'hook-1'), await start(workflow, 'hook-2')];
    for (const id of [run, other]) await stateOf(id, 'waiting');
    const sending = node('send-event-node', {
      event: '{{ input.body.kind }}',
      correlation_key: '{{ input.body.order.id }}',
      payload: '{{ input.body.order }}',
    });
    const sender = await saveWorkflow(chain(trigger(), sending, output()));
    const path = `/api/v1/workflows/${sender}/triggers/`;
    const hook = await service.rest('POST', path, { body: { name: 'Shop', webhook: {} } });
    const body = { kind: 'paid', order: { id: 'hook-1', amount: 22 } };
    const called = await service.rest('POST', hook.body.path, { key: null, body });
    expect(called.status).toBe(202);
    expect(await outputOf(run)).toBe('{"id":"hook-1","amount":22}');
    expect(await waitsOf(other)).toEqual([{ event_id: null }]);
    expect(await outputOf(called.body.run_id)).toBe((await waitsOf(run))[0]?.event_id);
  });

  it('is refused after 10,000 events of the project in an hour', async () => {
    const full = await createProject();
    const insert = (count: number, age: string) =>
      service.sql(
        `insert into workflow_event (id, project_id, name, correlation_key, digest, ancestry, payload, sent_at, delivered_at)
           select gen_random_uuid(), $1, 'many', '', 'x', '{}', 'null', now() - $3::interval, now()
             from generate_series(1, $2)`,
        [full, count, age],
      );
    await insert(9_999, '59 minutes');
    await insert(2, '61 minutes');
    const sender = await saveWorkflow(chain(trigger(), node('send-event-node', { event: 'last' }), output()), full);
    const last = await start(sender, '');
    expect(await outputOf(last)).toEqual(expect.any(String));
    const refused = await start(sender, '');
    await stateOf(refused, 'failed');
    const { body } = await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${refused}`);
    expect(body.data.error).toMatchObject({ code: 'too_many_events' });
    const answer = await service.rest('POST', `/api/v1/projects/${full}/workflow-events/`, { body: { name: 'last' } });
    expect(answer.status).toBe(429);
    const kept = await service.sql(`select 1 from workflow_event where project_id = $1 and name = 'last'`, [full]);
    expect(kept).toHaveLength(1);
  });

  it('that was sent shortly before the wait is found, and is received once by a run with several waits', async () => {
    const { event } = await send({ name: 'paid', key: 'early', payload: 1 });
    await delivered(event.id);
    const run = await start(await workflowOf({}, 2), 'early');
    await eventually(
      () => waitsOf(run),
      waits => waits.length === 2,
    );
    await stateOf(run, 'waiting');
    expect(await waitsOf(run)).toEqual(expect.arrayContaining([{ event_id: event.id }, { event_id: null }]));
    await send({ name: 'paid', key: 'early', payload: 2 });
    expect(await outputOf(run)).toEqual({ ow0: '1', ow1: '2' });
  });

  it('that was sent before the time that the node accepts is not received', async () => {
    const { event } = await send({ name: 'paid', key: 'old', payload: 1 });
    await delivered(event.id);
    const run = await start(await workflowOf({ accept_earlier_seconds: 0, event_timeout_seconds: 1 }), 'old');
    expect(await outputOf(run)).toBe('late');
  });

  it('of another project is not received', async () => {
    const run = await start(await workflowOf({ event_timeout_seconds: 1 }), 'mine');
    await send({ project: await createProject(), name: 'paid', key: 'mine' });
    expect(await outputOf(run)).toBe('late');
  });

  it('is sent once for an idempotency key, by REST as well', async () => {
    const sent = [await send({ name: 'once', once: 'k1' }), await send({ name: 'once', once: 'k1' })];
    expect(sent[0].event.id).toBe(sent[1].event.id);
    const path = `/api/v1/projects/${project}/workflow-events/`;
    const options = { body: { name: 'rest', correlation_key: 'a' }, headers: { 'Idempotency-Key': 'k2' } };
    const answers = [await service.rest('POST', path, options), await service.rest('POST', path, options)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]!.body).toEqual({
      ...{ id: answers[1]!.body.id, name: 'rest', correlation_key: 'a', sent_at: expect.any(String) },
    });
    const rows = await service.sql(`select name from workflow_event where name in ('once', 'rest') order by name`);
    expect(rows).toEqual([{ name: 'once' }, { name: 'rest' }]);
  });

  it.each<[string, Json, string[]]>([
    ['an empty name', { name: '' }, ['name']],
    ['a long key', { name: 'a', key: 'k'.repeat(501) }, ['correlationKey']],
    ['a large payload', { name: 'a', payload: 'p'.repeat(262_144) }, ['payload']],
  ])('is refused with %s', async (_title, variables, path) => {
    expect((await send(variables)).errors).toEqual([expect.objectContaining({ code: 'BAD_USER_INPUT', path })]);
  });

  it('is deleted after its time, but not while an unfinished run has received it', async () => {
    const run = await start(await workflowOf({}, 2), 'kept');
    await eventually(
      () => waitsOf(run),
      waits => waits.length === 1,
    );
    const { event } = await send({ name: 'paid', key: 'kept' });
    const { event: unused } = await send({ name: 'unused' });
    await eventually(
      () => waitsOf(run),
      waits => waits.length === 2,
    );
    await delivered(unused.id);
    await service.sql(`update workflow_event set sent_at = sent_at - interval '2 hours'`);
    const clear = async () => {
      await deleteOldEvents(database);
      return (await service.sql('select id from workflow_event where id in ($1, $2)', [event.id, unused.id])).length;
    };
    expect(await clear()).toBe(1);
    await service.graphql('mutation ($run: UUID!) { workflowRunCancel(id: $run) { errors { code } } }', { run });
    await stateOf(run, 'cancelled');
    expect(await clear()).toBe(0);
  });
});
