import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../support/eventually.js';
import { chain, edge, field, graph, greeting, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { startWebhookReceiver, status, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';
import { webhookRequestsBy } from './webhook-requests.js';

let receiver: WebhookReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startTestService({ webhookRetrySeconds: [0.01, 0.01] });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const { project, save, run, rotate, sendTest, redeliver, deliveries, received, settled } = webhookRequestsBy(
  () => service,
  () => receiver,
);

describe('the webhook of a project', () => {
  it('reports the end of a run, signed, with its cost and output', async () => {
    const { id, path } = await project();
    const { secret } = (await rotate(id)).value;
    const workflow = await save(id, greeting());
    const runId = await run(workflow);
    const [call] = await received(path);

    expect(new Webhook(secret).verify(call!.text, call!.headers)).toEqual(call!.body);
    expect(call!.headers['content-type']).toBe('application/json');
    const { body } = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${runId}/`);
    expect(call!.body).toEqual({
      type: 'workflow_run.succeeded',
      timestamp: body.run_finished_at,
      data: {
        id: runId,
        workflow_id: workflow,
        project_id: id,
        status: body.status,
        cost: body.cost,
        created_at: body.created_at,
        run_finished_at: body.run_finished_at,
        output: 'Hello world',
        output_omitted: false,
      },
    });
    expect(await settled(id, 'DELIVERED')).toEqual({
      id: call!.headers['webhook-id'],
      projectId: id,
      url: `${receiver.origin}${path}`,
      type: 'WORKFLOW_RUN_SUCCEEDED',
      state: 'DELIVERED',
      body: call!.body,
      nextAt: null,
      createdAt: body.run_finished_at,
      finishedAt: expect.any(String),
      attempts: [{ at: expect.any(String), status: 204, error: null, durationMs: expect.any(Number) }],
    });
  });

  it('reports failed and cancelled runs as well', async () => {
    const { id, path } = await project();
    await run(
      await save(id, chain(trigger(field('topic')), node('code-node', { code: 'throw new Error("no")' }), output())),
    );
    const [failed] = await received(path);
    expect(failed!.body).toMatchObject({ type: 'workflow_run.failed', data: { status: 'Error', output: null } });

    const waiting = await save(id, chain(trigger(), node('delay-node', { seconds: 3600 }), output()));
    const runId = await run(waiting);
    const { status: code } = await service.rest('POST', `/api/v1/workflows/${waiting}/history/${runId}/cancel/`);
    expect(code).toBe(200);
    const [, cancelled] = await received(path, 2);
    expect(cancelled!.body).toMatchObject({
      type: 'workflow_run.cancelled',
      data: { id: runId, status: 'Cancelled', output: null },
    });
  });

  it('sends nothing for a run while it is off, nor without an address', async () => {
    const off = await project({ is_webhook_enabled: false });
    const nowhere = await project({ webhook_url: '' });
    const on = await project();
    for (const { id } of [off, nowhere, on]) await run(await save(id, greeting()));
    await received(on.path);
    for (const { id } of [off, nowhere]) {
      await eventually(
        () => service.sql('select state from workflow_run where project_id = $1', [id]),
        ([row]) => row?.state === 'succeeded',
      );
      expect((await deliveries(id)).page).toMatchObject({ total: 0, items: [] });
    }
    expect(receiver.calls(off.path)).toEqual([]);
  });

  it('reports a run that was in progress when the webhook was switched on', async () => {
    const { id, path } = await project({ is_webhook_enabled: false });
    const [start, wait, end] = [trigger(), node('wait-node', { event: 'go' }), output()];
    await run(await save(id, graph([start, wait, end], [edge(start, wait), edge(wait, end, 'received')])), {});
    await service.rest('PATCH', `/api/v1/projects/${id}/`, { body: { is_webhook_enabled: true } });
    await service.rest('POST', `/api/v1/projects/${id}/workflow-events/`, { body: { name: 'go' } });
    expect(await received(path)).toHaveLength(1);
  });

  it('reports a run once, and none of the sub-runs that it started', async () => {
    const { id, path } = await project();
    const inner = await save(id, greeting());
    const outer = chain(trigger(), node('subworkflow-node', { workflow_id: inner, input: { topic: 'sub' } }), output());
    const runId = await run(await save(id, outer), {});
    expect((await received(path)).map(call => call.body.data.id)).toEqual([runId]);
    expect((await deliveries(id)).page.total).toBe(1);
  });

  it('never contains a secret, nor an output that is too long', async () => {
    const { id, path } = await project();
    const secret = 'canary-0123456789';
    const shown = chain(trigger(field('key', { is_secret: true })), output('It is {{ input.key }}'));
    await run(await save(id, shown), { key: secret });
    const [masked] = await received(path);
    expect(masked!.body.data.output).toBe('It is ********');
    expect(masked!.text).not.toContain(secret);

    await run(await save(id, chain(trigger(field('topic')), output('{{ input.topic }}'))), {
      topic: 'x'.repeat(262_143),
    });
    const [, long] = await received(path, 2);
    expect(long!.body.data).toMatchObject({ output: null, output_omitted: true });
  });

  it('is retried after a failure, under the same id, until it is accepted', async () => {
    const { id, path } = await project();
    receiver.answer(path, (response, call, nth) => status(nth === 1 ? 500 : 200)(response, call, nth));
    await sendTest(id);
    const delivery = await settled(id, 'DELIVERED');
    const calls = receiver.calls(path);
    expect(calls.map(call => call.headers['webhook-id'])).toEqual([delivery.id, delivery.id]);
    expect(calls[0]!.text).toBe(calls[1]!.text);
    expect(delivery.attempts).toMatchObject([
      { status: 500, error: 'The receiver responded 500.' },
      { status: 200, error: null },
    ]);
  });

  it('is given up after the last attempt, and sent again when a user asks for it', async () => {
    const { id, path } = await project();
    receiver.answer(path, status(503));
    const { value } = await sendTest(id);
    const failed = await settled(id, 'FAILED');
    expect(failed.attempts.map((attempt: { status: number }) => attempt.status)).toEqual([503, 503, 503]);
    expect(failed).toMatchObject({ id: value.id, nextAt: null, finishedAt: expect.any(String) });

    receiver.answer(path, status(200));
    expect((await redeliver(value.id)).value).toMatchObject({ id: value.id, state: 'PENDING', finishedAt: null });
    const delivered = await settled(id, 'DELIVERED');
    expect(delivered.attempts.map((attempt: { status: number }) => attempt.status)).toEqual([503, 503, 503, 200]);
    expect(new Set(receiver.calls(path).map(call => call.headers['webhook-id'])).size).toBe(1);

    // A successful delivery can be repeated as well.
    await redeliver(value.id);
    await received(path, 5);
  });

  it('waits as long as the receiver asks, within limits, and is sent at once when a user asks for it', async () => {
    const { id, path } = await project();
    receiver.answer(path, status(429, { 'Retry-After': '999999' }));
    await sendTest(id);
    await eventually(
      async () => (await deliveries(id)).page,
      ({ items }) => items[0].attempts.length === 1,
    );
    // Read again: deliveries are read before attempts, so the first answer may have the time from before the attempt.
    const [{ nextAt, attempts, id: deliveryId }] = (await deliveries(id)).page.items;
    const waits = (Date.parse(nextAt) - Date.parse(attempts[0].at)) / 1000;
    expect(waits).toBeGreaterThan(6 * 3600 - 60);
    expect(waits).toBeLessThan(6 * 3600 + 60);
    receiver.answer(path, status(204));
    await redeliver(deliveryId);
    expect(await settled(id, 'DELIVERED')).toMatchObject({ attempts: [{ status: 429 }, { status: 204 }] });
  });

  it('is switched off by 410, and pending deliveries are not sent', async () => {
    const { id, path } = await project();
    receiver.answer(path, status(410));
    const workflow = await save(id, greeting());
    await run(workflow);
    expect(await settled(id, 'FAILED')).toMatchObject({
      attempts: [{ status: 410, error: 'The receiver responded 410 (Gone).' }],
    });
    const { body } = await service.rest('GET', `/api/v1/projects/${id}/`);
    expect(body).toMatchObject({ is_webhook_enabled: false, webhook_url: `${receiver.origin}${path}` });

    await service.sql(
      `insert into webhook_delivery (id, project_id, url, is_to_project, type, body)
       values (gen_random_uuid(), $1, 'http://127.0.0.1/', true, 'workflow_run.failed', '{}')`,
      [id],
    );
    const [unsent] = await eventually(
      async () => (await deliveries(id, ', state: FAILED')).page.items,
      items => items.length === 2,
    );
    expect(unsent.attempts).toMatchObject([{ status: null, error: expect.stringContaining('disabled') }]);
    expect(receiver.calls(path)).toHaveLength(1);

    // A delivery that a user repeats is sent although the switch is off, to the present address of the webhook.
    receiver.answer(path, status(200));
    await redeliver(unsent.id);
    await received(path, 2);
    // The receiver has the request before the service records the response.
    const delivered = await eventually(
      async () => (await deliveries(id, ', state: DELIVERED')).page.items,
      items => items.length > 0,
    );
    expect(delivered).toMatchObject([{ id: unsent.id, url: `${receiver.origin}${path}` }]);
  });

  it('follows no redirect', async () => {
    const { id, path } = await project();
    const elsewhere = `/${randomUUID()}`;
    receiver.answer(path, status(307, { Location: elsewhere }));
    await sendTest(id);
    const failed = await settled(id, 'FAILED');
    expect(failed.attempts).toHaveLength(3);
    expect(failed.attempts[0]).toMatchObject({ status: 307, error: expect.stringContaining('redirect') });
    expect(receiver.calls(elsewhere)).toEqual([]);
  });

  it.each(['http://10.0.0.1/hook', 'http://[::1]:9/hook', 'http://169.254.169.254/latest', 'http://127.1.2.3/'])(
    'is never sent to the private address of %s',
    async url => {
      const { id } = await project({ webhook_url: url });
      await sendTest(id);
      const failed = await settled(id, 'FAILED');
      expect(failed.attempts).toMatchObject([{ status: null, error: expect.stringMatching(/not allowed|refused/i) }]);
    },
  );

  it('is delivered by a status, whatever the body', async () => {
    const { id, path } = await project();
    receiver.answer(path, response => {
      response.writeHead(200, { 'Content-Length': 50_000_000 });
      response.write('x'.repeat(5_000));
    });
    await sendTest(id);
    const { attempts } = await settled(id, 'DELIVERED');
    expect(attempts).toMatchObject([{ status: 200, error: null }]);
  });

  it('is not delayed by the slow receiver of another project', async () => {
    const [slow, quick] = [await project(), await project()];
    const open: (() => void)[] = [];
    receiver.answer(slow.path, response => void open.push(() => response.end()));
    await Promise.all(Array.from({ length: 30 }, () => sendTest(slow.id)));
    await received(slow.path, 4);
    await sendTest(quick.id);
    await settled(quick.id, 'DELIVERED');
    // The slow receiver has at most four requests at a time.
    expect(receiver.calls(slow.path)).toHaveLength(4);
    receiver.answer(slow.path, status(204));
    for (const end of open) end();
    await eventually(
      async () => (await deliveries(slow.id, ', state: DELIVERED')).page.total,
      total => total === 30,
    );
    expect(receiver.calls(slow.path)).toHaveLength(30);
  });
});
