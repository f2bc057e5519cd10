import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, type GraphData, node, output, trigger } from '../../support/graphs.js';
import { setRole } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let project: number;
let workflow: number;
beforeAll(async () => {
  service = await startTestService();
  project = await createProject('Shop');
  workflow = await createWorkflow(project, chain(trigger(), output('got {{ input.body.n | default: "nothing" }}')));
});
afterAll(() => service?.stop());

const createProject = async (name: string): Promise<number> =>
  (await service.rest('POST', '/api/v1/projects/', { body: { name } })).body.id;

async function createWorkflow(inProject: number, data: GraphData): Promise<number> {
  const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project: inProject, title: 'W', data } });
  return body.id;
}

async function createTrigger(settings: Record<string, unknown>, of = workflow) {
  const { status, body } = await service.rest('POST', `/api/v1/workflows/${of}/triggers/`, {
    body: { name: 'T', ...settings },
  });
  expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
  return body;
}

const log = async (id: number) => (await service.rest('GET', `/api/v1/triggers/${id}/log/?size=100`)).body.items;
const call = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });

describe('a schedule', () => {
  it('starts one run for each occurrence', async () => {
    const { id } = await createTrigger({ schedule: { cron: '* * * * * *', overlap: 'allow' } });
    const firings = await eventually(
      () => log(id),
      items => items.length >= 3,
    );
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: false } });
    const times = firings.map((firing: { due_at: string }) => firing.due_at);
    expect(new Set(times).size).toBe(times.length);
    expect(new Set(firings.map((firing: { run_id: string }) => firing.run_id)).size).toBe(times.length);
    expect(firings.every((firing: { outcome: string }) => firing.outcome === 'started')).toBe(true);
    const { next_at } = (await service.rest('GET', `/api/v1/triggers/${id}/`)).body;
    expect(next_at).toBeNull();
  });

  it('starts no second run if the process ended before it stored the start', async () => {
    const { id } = await createTrigger({ schedule: { cron: '* * * * * *', overlap: 'allow', missed: 'all' } });
    const [first] = (
      await eventually(
        () => log(id),
        items => items.length >= 2,
      )
    ).slice(-1);
    const count = (await log(id)).length;
    await service.sql('update workflow_trigger set next_at = $2, start_at = $2 where id = $1', [id, first.due_at]);
    const firings = await eventually(
      () => log(id),
      items => items.length >= 2 * count,
    );
    await service.rest('DELETE', `/api/v1/triggers/${id}/`);
    const runs = (due: string) =>
      firings.filter((item: any) => item.due_at === due).map((item: { run_id: string }) => item.run_id);
    expect(runs(first.due_at)).toHaveLength(2);
    expect(new Set(runs(first.due_at)).size).toBe(1);
    const [row] = await service.sql('select count(*)::int as count from workflow_run where id = any($1)', [
      firings.map((item: { run_id: string }) => item.run_id),
    ]);
    expect(row!.count).toBe(new Set(firings.map((item: { due_at: string }) => item.due_at)).size);
  });

  it('starts once at a single time, and only the newest of missed occurrences', async () => {
    const once = await createTrigger({ schedule: { at: new Date(Date.now() + 86_400_000).toISOString() } });
    const hourly = await createTrigger({ schedule: { cron: '0 * * * *' } });
    const missed = "date_trunc('hour', now()) - interval '3 hours'";
    // One statement: the service may handle a due trigger at any moment.
    await service.sql(
      `update workflow_trigger set next_at = ${missed}, start_at = ${missed},
         settings = settings || case id when $1 then jsonb_build_object('at', ${missed}) else '{}' end
       where id = any($2)`,
      [once.id, [once.id, hourly.id]],
    );
    expect(
      await eventually(
        () => log(once.id),
        items => items.length > 0,
      ),
    ).toMatchObject([{ outcome: 'started' }]);
    const firings = await eventually(
      () => log(hourly.id),
      items => items.length >= 4,
    );
    const outcomes = firings.map(({ outcome }: { outcome: string }) => outcome).sort();
    expect(outcomes).toEqual(['skipped', 'skipped', 'skipped', 'started']);
    expect((await service.rest('GET', `/api/v1/triggers/${once.id}/`)).body.next_at).toBeNull();
  });

  it('refuses a new time in the past, and keeps one that has passed', async () => {
    const at = (offset: number) => ({ schedule: { at: new Date(Date.now() + offset).toISOString() } });
    const path = `/api/v1/workflows/${workflow}/triggers/`;
    const past = at(-120_000);
    const refused = await service.rest('POST', path, { body: { name: 'T', ...past } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(past.schedule.at)]);
    expect(JSON.stringify(refused.body)).toMatch(/has passed: it is .+Z now/);
    const recent = at(-5_000);
    const { id } = await createTrigger(recent);
    await eventually(
      () => log(id),
      items => items.length > 0,
    );
    const change = (body: object) => service.rest('PATCH', `/api/v1/triggers/${id}/`, { body });
    expect((await change(past)).status).toBe(400);
    expect((await change({ name: 'Renamed', is_enabled: false, ...recent })).status).toBe(200);
    expect(await change({ is_enabled: true, ...recent })).toMatchObject({ status: 200, body: { next_at: null } });
  });

  it.each([
    ['skip', 'skipped'],
    ['queue', 'waiting'],
  ])('does not start while its previous run continues: %s', async (overlap, outcome) => {
    const waiting = chain(trigger(), node('delay-node', { seconds: 3_600 }), output());
    const slow = await createWorkflow(await createProject('Slow'), waiting);
    const { id } = await createTrigger({ schedule: { cron: '* * * * * *', overlap } }, slow);
    const firings = await eventually(
      () => log(id),
      items => items.some((item: any) => item.outcome === outcome),
    );
    expect(firings.filter((item: { outcome: string }) => item.outcome === 'started')).toHaveLength(1);
    const { last_run_id } = (await service.rest('GET', `/api/v1/triggers/${id}/`)).body;
    if (overlap === 'queue') {
      await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }', {
        id: last_run_id,
      });
      await eventually(
        () => log(id),
        items => items.filter((item: any) => item.outcome === 'started').length === 2,
      );
    }
    await service.rest('DELETE', `/api/v1/triggers/${id}/`);
  });

  it('stores a first time with a recurrence rule, and starts each occurrence once', async () => {
    const { id, schedule, next_at } = await createTrigger({
      schedule: { rrule: 'FREQ=SECONDLY', time_zone: 'Europe/Berlin', overlap: 'allow' },
    });
    expect(schedule).toMatchObject({ cron: null, rrule: expect.stringMatching(/^DTSTART;TZID=Europe\/Berlin:\d{8}T/) });
    expect(next_at).not.toBeNull();
    const firings = await eventually(
      () => log(id),
      items => items.length >= 2,
    );
    expect(new Set(firings.map((firing: { due_at: string }) => firing.due_at)).size).toBe(firings.length);
    await service.rest('DELETE', `/api/v1/triggers/${id}/`);
  });

  it('logs an occurrence that a change drops before its delayed start', async () => {
    const { id } = await createTrigger({ schedule: { cron: '0 0 1 1 *', jitter_seconds: 3_600 } });
    await service.sql(
      `update workflow_trigger set next_at = now() - interval '1 minute', start_at = now() + interval '1 hour' where id = $1`,
      [id],
    );
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: false } });
    expect(await log(id)).toMatchObject([{ outcome: 'skipped', reason: 'The trigger was changed.' }]);
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: true } });
    expect(await log(id)).toHaveLength(1);
    await service.rest('DELETE', `/api/v1/triggers/${id}/`);
  });

  it('is refused with the member that is wrong', async () => {
    const path = `/api/v1/workflows/${workflow}/triggers/`;
    const answer = await service.rest('POST', path, { body: { name: 'T', schedule: { cron: 'often' } } });
    expect([answer.status, answer.body]).toEqual([400, { 'schedule.cron': [expect.stringContaining('five fields')] }]);
    expect((await service.rest('POST', path, { body: { name: 'T' } })).status).toBe(400);
  });
});

describe('a paused workflow', () => {
  const set = (change: 'pause' | 'resume', id: number) => service.rest('POST', `/api/v1/workflows/${id}/${change}/`);

  it('stops all its triggers until it is resumed, and lets callers start runs', async () => {
    const own = await createProject('Paused');
    const paused = await createWorkflow(own, chain(trigger(), output()));
    const schedule = await createTrigger({ schedule: { cron: '* * * * * *', overlap: 'allow' } }, paused);
    const webhook = await createTrigger({ webhook: {} }, paused);
    expect(await set('pause', paused)).toMatchObject({ status: 200, body: { paused_at: expect.any(String) } });
    const count = (await log(schedule.id)).length;
    expect((await service.rest('GET', `/api/v1/triggers/${schedule.id}/`)).body).toMatchObject({
      is_enabled: true,
      is_paused: true,
      next_at: null,
    });
    const later = await createTrigger({ schedule: { cron: '* * * * * *' } }, paused);
    await service.rest('PATCH', `/api/v1/triggers/${schedule.id}/`, {
      body: { schedule: { cron: '*/2 * * * * *', overlap: 'allow' } },
    });
    expect((await call(webhook.path, '{}')).status).toBe(409);
    expect(await log(webhook.id)).toMatchObject([
      { outcome: 'skipped', reason: 'The workflow of this webhook is paused.' },
    ]);
    expect((await service.rest('POST', `/api/v1/workflows/${paused}/run/`, { body: {} })).body.status).toBe(201);
    expect((await log(schedule.id)).length).toBe(count);
    expect((await set('resume', paused)).body.paused_at).toBeNull();
    const firings = await eventually(
      () => log(schedule.id),
      items => items.length > count,
    );
    // The pause drops an occurrence that has passed but has not started yet.
    const kept = firings.filter((firing: { reason: string | null }) => firing.reason !== 'The workflow was paused.');
    expect(new Set(kept.map((firing: { outcome: string }) => firing.outcome))).toEqual(new Set(['started']));
    expect((await call(webhook.path, '{}')).status).toBe(202);
    await eventually(
      () => log(later.id),
      items => items.length > 0,
    );
    const events = await service.sql<{ action: string }>(
      `select action from audit_entry where action in ('workflow.pause', 'workflow.resume') and project_id = $1`,
      [own],
    );
    expect(events.map(({ action }) => action).sort()).toEqual(['workflow.pause', 'workflow.resume']);
    for (const { id } of [schedule, later]) await service.rest('DELETE', `/api/v1/triggers/${id}/`);
  });

  it('logs an occurrence that waited for the previous run as skipped', async () => {
    const { id } = await createTrigger({ schedule: { cron: '0 0 1 1 *', overlap: 'queue' } });
    await service.sql(`update workflow_trigger set waiting_at = now(), is_enabled = false where id = $1`, [id]);
    await set('pause', workflow);
    expect(await log(id)).toMatchObject([{ outcome: 'skipped', reason: 'The workflow was paused.' }]);
    await set('resume', workflow);
    await service.rest('DELETE', `/api/v1/triggers/${id}/`);
  });
});

describe('a webhook', () => {
  it('starts a run, and the same delivery starts no second one', async () => {
    const secret = 'a long secret';
    const { path, id } = await createTrigger({ webhook: { verification: 'github', secret } });
    const body = '{"n": 7}';
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = { 'X-Hub-Signature-256': signature, 'X-GitHub-Delivery': 'one' };
    const first = await call(path, body, headers);
    const { run_id } = (await first.json()) as { run_id: string };
    expect([first.status, run_id]).toEqual([202, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(await (await call(path, body, headers)).json()).toEqual({ run_id });
    expect((await call(path, '{"n": 8}', headers)).status).toBe(401);
    const [{ count }] = (await service.sql<{ count: number }>(
      'select count(*)::int as count from workflow_run where id = $1',
      [run_id],
    )) as [{ count: number }];
    expect(count).toBe(1);
    expect((await log(id)).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'rejected',
      'started',
      'started',
    ]);
  });

  it('keeps concurrent calls of different addresses and secrets apart', async () => {
    const secrets = ['the first secret', 'another secret'];
    const hooks = await Promise.all(
      secrets.map(secret => createTrigger({ webhook: { verification: 'github', secret, reply: 'result' } })),
    );
    const form = await createTrigger({ form: {} });
    const sign = (secret: string, body: string) => ({
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
    const calls = Array.from({ length: 40 }, async (_, n) => {
      const body = JSON.stringify({ n });
      const [hook, other] = n % 2 ? [0, 1] : [1, 0];
      const signed = await call(hooks[hook].path, body, sign(secrets[hook]!, body));
      expect([signed.status, await signed.text()]).toEqual([200, `got ${n}`]);
      expect((await call(hooks[hook].path, body, sign(secrets[other]!, body))).status).toBe(401);
      // The token of another kind of trigger is no address of a webhook.
      expect((await call(form.path.replace(/^.*\//, '/hooks/'), body)).status).toBe(404);
    });
    await Promise.all(calls);
  });

  it('answers with the output of the run, or with its reply while the run continues', async () => {
    const result = await createTrigger({ webhook: { reply: 'result' } });
    const answer = await call(result.path, '{"n": 3}');
    expect([answer.status, await answer.text()]).toEqual([200, 'got 3']);
    const respond = node('respond-node', {
      status: 201,
      headers: { 'X-Answer': 'yes', 'Set-Cookie': 'a=b' },
      body: { n: '{{ input.body.n }}' },
    });
    const replying = chain(trigger(), respond, node('delay-node', { seconds: 3_600 }), output());
    const { path } = await createTrigger(
      { webhook: { reply: 'result' } },
      await createWorkflow(await createProject('Reply'), replying),
    );
    const reply = await call(path, '{"n": 5}');
    expect([reply.status, reply.headers.get('x-answer'), reply.headers.get('set-cookie')]).toEqual([201, 'yes', null]);
    expect(await reply.json()).toEqual({ n: 5 });
  });

  it('maps the call to the input, and passes no credentials on', async () => {
    const mapping = { body: { n: '{{ input.query.n }}/{{ input.method }}' } };
    const { path } = await createTrigger({ webhook: { reply: 'result', methods: ['GET', 'POST'], mapping } });
    const answer = await fetch(`${service.url}${path}?n=9`);
    expect(await answer.text()).toBe('got 9/GET');
    const plain = await createTrigger({ webhook: {} });
    const { run_id } = (await (
      await call(plain.path, '{}', { Authorization: 'Bearer abc', Cookie: 'x=y' })
    ).json()) as any;
    const [{ input }] = (await service.sql('select input from workflow_run_payload where run_id = $1', [
      run_id,
    ])) as any;
    expect(JSON.stringify(input)).not.toMatch(/Bearer|x=y/);
  });

  it('takes a form with files, which the run reads, and stores each file once', async () => {
    const own = await createProject('Files');
    const read = node('file-node', { operation: 'read', file: '{{ input.body.note }}' });
    const reading = chain(trigger(), read, output('{{ previous.content }} {{ input.body.tag }}'));
    const { path } = await createTrigger({ webhook: { reply: 'result' } }, await createWorkflow(own, reading));
    const form = new FormData();
    form.append('tag', 'a');
    form.append('tag', 'b');
    form.append('note', new File(['written by hand'], 'note.txt', { type: 'text/plain' }));
    const send = () => fetch(service.url + path, { method: 'POST', body: form, headers: { 'Idempotency-Key': 'one' } });
    const answer = await send();
    expect([answer.status, await answer.text()]).toEqual([200, 'written by hand ["a","b"]']);
    expect(await (await send()).text()).toBe('written by hand ["a","b"]');
    const files = await service.sql('select run_id, filename, size::int from project_file where project_id = $1', [
      own,
    ]);
    expect(files).toEqual([{ run_id: answer.headers.get('x-run-id'), filename: 'note.txt', size: 15 }]);
  });

  it('deletes the files of a form that its mapping does not fit', async () => {
    const own = await createProject('No files');
    const mapping = { n: '{{ input.body.count.missing }}' };
    const { path } = await createTrigger(
      { webhook: { mapping } },
      await createWorkflow(own, chain(trigger(), output())),
    );
    const form = new FormData();
    form.append('count', 'none');
    form.append('note', new File(['unused'], 'note.txt'));
    const answer = await fetch(service.url + path, { method: 'POST', body: form });
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'mapping_failed' })]);
    expect(await service.sql('select id from project_file where project_id = $1', [own])).toEqual([]);
    await eventually(
      () => service.sql('select result_file from document_file_removal'),
      files => files.length === 0,
    );
  });

  it('refuses a form with too many files, and one that cannot be read', async () => {
    const { path } = await createTrigger({ webhook: {} });
    const many = new FormData();
    for (let index = 0; index <= 10; index++) many.append('file', new File(['x'], `${index}.txt`));
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await fetch(service.url + path, { method: 'POST', body: many })).status).toBe(400);
    expect((await call(path, '--x\r\nContent-Dis', type)).status).toBe(400);
    expect((await call(path, '--x--', { 'Content-Type': 'multipart/form-data' })).status).toBe(400);
  });

  it.each([
    ['an unknown address', 404, async () => call('/hooks/nowhere', '{}')],
    ['a wrong method', 405, async (path: string) => fetch(service.url + path)],
    ['a body that is not JSON', 400, async (path: string) => call(path, '{')],
    ['a type that cannot be read', 415, async (path: string) => call(path, 'x', { 'Content-Type': 'image/png' })],
    ['a large body', 413, async (path: string) => call(path, JSON.stringify('x'.repeat(2_000)))],
  ])('refuses %s', async (_title, status, send) => {
    const { path } = await createTrigger({ webhook: { max_body_bytes: 1_000 } });
    expect((await send(path)).status).toBe(status);
  });

  it('has a new address after a rotation, which is stored encrypted and hidden from viewers', async () => {
    const { id, path } = await createTrigger({ webhook: {} });
    const rotated = (await service.rest('POST', `/api/v1/triggers/${id}/rotate/`)).body;
    expect(rotated.path).not.toBe(path);
    expect([(await call(path, '{}')).status, (await call(rotated.path, '{}')).status]).toEqual([404, 202]);
    const stored = await service.sql('select * from workflow_trigger where id = $1', [id]);
    expect(JSON.stringify(stored)).not.toContain(rotated.path.slice('/hooks/'.length));
    const viewer = await service.createUser('viewer');
    await setRole(service, project, viewer.email, 'viewer');
    const shown = await service.rest('GET', `/api/v1/triggers/${id}/`, { key: viewer.key });
    expect(shown).toMatchObject({ status: 200, body: { id, path: null } });
  });
});
