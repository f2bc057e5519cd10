import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { partsBy } from './part-makers.js';
import { scenarioRunsBy } from './scenario-run-requests.js';

let upstream: StubUpstream;
let service: TestService;
let project: number;

const parts = partsBy(
  () => service,
  () => service.key,
);

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  upstream.respondWith(null);
  upstream.requests.length = 0;
  project = await parts.project();
});

const { run, awaitEnd, createMessage, createScenario } = scenarioRunsBy(parts, () => project);

describe('a run that fails', () => {
  const failing = async (scenario: { id: number }) =>
    (await awaitEnd((await run({ scenario: scenario.id })).body.id)).error;

  it('ends at a placeholder that refers to nothing, and quotes its text', async () => {
    const gone = await createMessage('Gone');
    const { scenario } = await createScenario(`See <message>0,${gone.id}</message>`);
    await parts.call('DELETE', `messages/${gone.id}/`);
    const error = await failing(scenario);
    expect(error.code).toBe('dangling_placeholder');
    expect(error.message).toContain(`<message>0,${gone.id}</message>`);
    expect(upstream.requests).toHaveLength(0);
  });

  it('ends before a call when two messages need each other', async () => {
    const one = await createMessage('One');
    const other = await createMessage(`Other <message>0,${one.id}</message>`);
    const circle = await parts.prompt(project, { content: `Again <message>0,${other.id}</message>` });
    await parts.call('PATCH', `messages/${one.id}/`, { body: { prompts: [circle.id] } });
    expect((await failing(await parts.scenario(project, { messages: [one.id, other.id] }))).code).toBe(
      'dangling_placeholder',
    );
    expect(upstream.requests).toHaveLength(0);
  });

  it('ends by an answer that should be variables and is not, which is still charged', async () => {
    const { scenario } = await createScenario('Vary', { return_type: 'variables' });
    upstream.respondWith(() => ({ content: 'no such thing' }));
    expect((await failing(scenario)).code).toBe('bad_variables');
    const [row] = await service.sql(
      'select status, amount_usd > 0 as paid from billing_transaction where project_id = $1',
      [project],
    );
    expect(row).toEqual({ status: 'Error', paid: true });
  });

  it('ends when the image provider sends no image', async () => {
    const { scenario } = await createScenario('Paint', { return_type: 'image' });
    expect((await failing(scenario)).code).toBe('bad_upstream_answer');
  });

  it('spends no time on a pattern, however catastrophic it looks', async () => {
    const topic = await parts.variable(project, { variable_names: [{ name: 'a', value: `${'a'.repeat(5_000)}!` }] });
    const { scenario } = await createScenario(
      `Match <variable>-1,${topic.id},${topic.variable_names[0].id}</variable>`,
      {
        conditions: [{ type: 'variable', matching: 'regex', value: '^(a+)+$', action: 'fail' }],
      },
    );
    const { body } = await run({ scenario: scenario.id });
    expect(await awaitEnd(body.id)).toMatchObject({ status: 'finished', error: null });
  });

  it('does not start with two messages of one key, a message of another project or a loop of a million', async () => {
    const one = await createMessage('One', { key: 'one' });
    expect((await parts.call('POST', 'messages/', { body: { project, key: 'one' } })).status).toBe(400);
    const elsewhere = await parts.message(await parts.project());
    const two = await createMessage('Two', { key: 'two' });
    const scenario = await parts.scenario(project, { messages: [one.id, two.id] });
    const named = (messages: unknown) => run({ scenario: scenario.id, messages });
    expect(await named([{ id: two.id, key: 'one' }])).toMatchObject({
      status: 400,
      body: { 'messages.0.key': ['This key is taken.'] },
    });
    expect((await named([{ id: elsewhere.id }])).status).toBe(400);
    expect((await named([{ id: one.id, loop_count: 1_000_000 }])).status).toBe(400);
    expect((await named([{ id: one.id, conditions: [{ type: 'x' }] }])).status).toBe(400);
    const [{ count }] = (await service.sql('select count(*)::int as count from scenario_run where project_id = $1', [
      project,
    ])) as [{ count: number }];
    expect(count).toBe(0);
    expect(upstream.requests).toHaveLength(0);
  });
});
