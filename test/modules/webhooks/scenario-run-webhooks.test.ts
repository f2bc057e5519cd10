import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { partsBy } from '../../rest/scenarios/part-makers.js';
import { eventually } from '../../support/eventually.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';

let upstream: StubUpstream;
let receiver: WebhookReceiver;
let service: TestService;
let nth = 0;
let project: number;
/** Paths of the receiver: that of the project, and that of a run. */
let projectPath: string;
let runPath: string;

const parts = partsBy(
  () => service,
  () => service.key,
);

beforeAll(async () => {
  upstream = await startStubUpstream();
  receiver = await startWebhookReceiver();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  upstream.respondWith(null);
  [projectPath, runPath] = [`/project-${++nth}`, `/run-${nth}`];
  const body = { name: 'Notified', webhook_url: receiver.origin + projectPath, is_webhook_enabled: true };
  project = (await parts.call('POST', 'projects/', { body })).body.id;
});

async function scenario(content = 'Hi'): Promise<number> {
  const prompt = await parts.prompt(project, { content });
  const message = await parts.message(project, { prompts: [prompt.id], parameters: { model_name: 'gpt-4o-mini' } });
  return (await parts.scenario(project, { messages: [message.id] })).id;
}
const run = async (more: Record<string, unknown> = {}) =>
  (await parts.call('POST', 'scenarioruns/run/', { body: { scenario: await scenario(), ...more } })).body;
const callsTo = (path: string) =>
  eventually(
    async () => receiver.calls(path),
    calls => calls.length > 0,
  );
const deliveries = () => service.sql('select url, type from webhook_delivery where project_id = $1', [project]);

it('notifies the project’s receiver and the run’s own once each when a run has finished', async () => {
  const { id } = await run({ webhook_url: receiver.origin + runPath });
  const [[call], [ownCall]] = [await callsTo(projectPath), await callsTo(runPath)];
  const record = (await parts.call('GET', `scenarioruns/${id}/`)).body;
  expect(call!.body).toEqual({
    type: 'scenario_run.finished',
    timestamp: expect.any(String),
    data: {
      id,
      scenario: record.scenario,
      project,
      status: 'finished',
      tokens: record.tokens,
      cost: record.cost,
      created_at: record.created_at,
      finished_at: record.finished_at,
      error: null,
      final_result: 'stub answer',
      final_result_omitted: false,
    },
  });
  expect(ownCall!.body).toEqual(call!.body);
  expect(await deliveries()).toHaveLength(2);
});

it('notifies once of a run that two callers cancel at the same time', async () => {
  const held = upstream.hold();
  const { id } = await run();
  await held.arrived;
  await Promise.all([1, 2].map(() => parts.call('POST', `scenarioruns/${id}/cancel/`)));
  const [call] = await callsTo(projectPath);
  held.release();
  expect(call!.body).toMatchObject({
    type: 'scenario_run.cancelled',
    data: { id, status: 'cancelled', error: { code: 'cancelled' }, final_result: null, final_result_omitted: false },
  });
  expect(await deliveries()).toHaveLength(1);
});

it('leaves out a result that is longer than 256 KiB', async () => {
  upstream.respondWith(() => ({ content: 'é'.repeat(128 * 1024 + 1) }));
  await run();
  const [call] = await callsTo(projectPath);
  expect(call!.body.data).toMatchObject({ status: 'finished', final_result: null, final_result_omitted: true });
});

it('sends nothing for a run that a workflow’s run started, which sends its own end', async () => {
  const data = chain(trigger(), node('scenario-node', { scenario_id: await scenario() }), output());
  const made = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
  await service.rest('POST', `/api/v1/workflows/${made.body.id}/run/`, { body: {} });
  await callsTo(projectPath);
  expect((await deliveries()).map(({ type }) => type)).toEqual(['workflow_run.succeeded']);
});

it('reports the reason why a run has failed', async () => {
  await service.sql(`update project set budget_usd = '0.00000001' where id = $1`, [project]);
  const { id } = await run();
  const [call] = await callsTo(projectPath);
  expect(call!.body).toMatchObject({
    type: 'scenario_run.error',
    data: { id, status: 'error', error: { code: 'budget_exceeded' }, final_result: null },
  });
});
