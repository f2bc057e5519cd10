import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { partsBy } from './part-makers.js';
import { MODEL, scenarioRunsBy } from './scenario-run-requests.js';

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

const { run, read, awaitEnd, patch, createMessage, createScenario } = scenarioRunsBy(parts, () => project);

/** The requests to the model, in order. */
const texts = () => upstream.requests.map(({ messages }) => messages.map(({ content }: any) => content).join(' | '));

describe('a scenario', () => {
  it('with two prompts, a skipped one, a loop of three, an async message, a variables message and a final text sends exactly what is expected', async () => {
    const names = [
      { name: 'a', value: 'cats' },
      { name: 'b', value: 'dogs' },
      { name: 'c', value: 'owls' },
      { name: 'd', value: 'nothing', is_active: false },
    ];
    const animals = await parts.variable(project, { variable_names: names });
    const tone = await parts.variable(project, { variable_names: [{ name: 'tone', value: 'dry' }] });
    const [cats] = animals.variable_names;
    const system = await parts.prompt(project, {
      role: 'system',
      content: `Be <variable>-1,${tone.id},${tone.variable_names[0].id}</variable>.`,
    });
    const skipped = await parts.prompt(project, {
      content: 'Never sent',
      prompt_conditions: [
        {
          type: 'variable',
          variable: tone.id,
          variable_name: tone.variable_names[0].id,
          matching: 'equal',
          value: 'dry',
          action: 'skip',
        },
      ],
    });
    const order = await parts.variable(project, {
      variable_names: [{ name: 'a', value: 'Das Paket ist noch nicht da.' }],
    });
    const english = await parts.prompt(project, {
      content: 'Sent only for English',
      prompt_conditions: [{ type: 'language', variable: order.id, matching: 'equal', value: 'en', action: 'use' }],
    });
    const begin = await parts.prompt(project, { content: 'Begin' });
    const first = await parts.message(project, {
      key: 'first',
      prompts: [system.id, skipped.id, english.id, begin.id],
      parameters: { model_name: MODEL, temperature: 0.5 },
    });
    const loop = await createMessage(`On <variable>-1,${animals.id},${cats.id}</variable>`, {
      key: 'loop',
      is_loop: true,
      loop_variable: animals.id,
    });
    const parallel = await createMessage('Parallel', { key: 'background', is_async: true });
    const facts = await createMessage(`Facts of <message>2,${loop.id}</message>`, {
      key: 'facts',
      return_type: 'variables',
    });
    const last = await createMessage(
      `Sum up <message>0,${first.id}</message> and <message>0,${parallel.id}</message>`,
      {
        key: 'last',
      },
    );
    const messages = [first, loop, parallel, facts, last].map(({ id }) => id);
    const scenario = await parts.scenario(project, { messages });
    upstream.respondWith(({ messages: asked }) => {
      const text = asked.at(-1).content;
      return { content: text.startsWith('Facts') ? '{"legs": 2, "wings": "yes"}' : `<${text}>` };
    });

    const answer = await run({ scenario: scenario.id });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ scenario: scenario.id, project, webhook_url: '', do_run_default: false });
    const finished = await awaitEnd(answer.body.id);

    const bodies = upstream.requests.map(({ messages: sent, model, temperature }) => ({ sent, model, temperature }));
    const user = (content: string) => ({ sent: [{ role: 'user', content }], model: MODEL, temperature: undefined });
    expect(bodies).toHaveLength(7);
    expect(bodies).toEqual(
      expect.arrayContaining([
        {
          sent: [
            { role: 'system', content: 'Be dry.' },
            { role: 'user', content: 'Begin' },
          ],
          model: MODEL,
          temperature: 0.5,
        },
        user('On cats'),
        user('On dogs'),
        user('On owls'),
        user('Parallel'),
        user('Facts of <On owls>'),
        user('Sum up <Begin> and <Parallel>'),
      ]),
    );
    expect(finished).toMatchObject({
      status: 'finished',
      final_result: '<Sum up <Begin> and <Parallel>>',
      error: null,
      tokens: { prompt: 7_000, completion: 3_500, total: 10_500 },
    });
    const shown = finished.processed_messages.map(({ key, status, results }: any) => [key, status, results.length]);
    expect(shown).toEqual([
      ['first', 'finished', 1],
      ['loop', 'finished', 3],
      ['background', 'finished', 1],
      ['facts', 'finished', 1],
      ['last', 'finished', 1],
    ]);
    expect(finished.local_variables.map(({ name, value }: any) => [name, value])).toEqual([
      ['legs', '2'],
      ['wings', 'yes'],
    ]);

    const ledger = await service.sql(
      `select b.node_id, b.iteration, b.operation, b.status from billing_transaction b
        join scenario_run r on r.billing_id = b.run_id where r.id = $1 order by b.node_id, b.iteration`,
      [finished.id],
    );
    expect(ledger.map(row => [row.node_id, row.iteration])).toEqual([
      ['background', ''],
      ['facts', ''],
      ['first', ''],
      ['last', ''],
      ['loop', '0'],
      ['loop', '1'],
      ['loop', '2'],
    ]);
    expect(new Set(ledger.map(row => `${row.operation} ${row.status}`))).toEqual(new Set(['scenario-message Success']));
    const [money] = await service.sql(
      `select r.cost_usd > 0 as paid, r.cost_usd = p.total_spent_usd as total,
              r.cost_usd = (select sum(amount_usd) from billing_transaction b where b.run_id = r.billing_id) as ledger
         from scenario_run r join project p on p.id = r.project_id where r.id = $1`,
      [finished.id],
    );
    expect(money).toEqual({ paid: true, total: true, ledger: true });
  });

  it('is unaffected by changes of its run, and a run is unaffected by changes of the scenario', async () => {
    const topic = await parts.variable(project, { key: 'topic', variable_names: [{ name: 'a', value: 'cats' }] });
    const name = topic.variable_names[0].id;
    const { message, scenario } = await createScenario(`On <variable>-1,${topic.id},${name}</variable>`);
    const { body } = await run({
      scenario: scenario.id,
      messages: [{ id: message.id, key: message.key, parameters: { model_name: 'other' } }],
      variables: [{ key: 'topic', value: 'dogs' }],
    });
    await awaitEnd(body.id);
    expect(upstream.requests[0]).toMatchObject({ model: 'other', messages: [{ content: 'On dogs' }] });
    expect((await parts.call('GET', `messages/${message.id}/`)).body).toEqual(message);
    expect((await parts.call('GET', `variables/${topic.id}/`)).body).toEqual(topic);
    expect((await parts.call('GET', `scenarios/${scenario.id}/`)).body.messages).toHaveLength(1);

    await parts.call('DELETE', `messages/${message.id}/`);
    await parts.call('DELETE', `scenarios/${scenario.id}/`);
    const kept = await read(body.id);
    expect(kept).toMatchObject({ scenario: null, status: 'finished', final_result: 'stub answer' });
    const again = await run({ scenariorun: body.id });
    expect((await awaitEnd(again.body.id)).status).toBe('finished');
    expect(upstream.requests[1]).toMatchObject({ model: 'other', messages: [{ content: 'On dogs' }] });
  });

  it('runs unchanged with do_run_default, whatever changes are sent', async () => {
    const topic = await parts.variable(project, { key: 'topic', variable_names: [{ name: 'a', value: 'cats' }] });
    const name = topic.variable_names[0].id;
    const { scenario } = await createScenario(`On <variable>-1,${topic.id},${name}</variable>`);
    const changes = {
      variables: [{ key: 'topic', value: 'dogs' }],
      inserted_variables: [{ variable: topic.id, variable_name: name, value: 'owls' }],
    };
    for (const do_run_default of [true, false])
      await awaitEnd((await run({ scenario: scenario.id, do_run_default, ...changes })).body.id);
    expect(texts()).toEqual(['On cats', 'On owls']);
  });

  it('is started once by two requests with one Idempotency-Key', async () => {
    const { scenario } = await createScenario('Once');
    const start = () => run({ scenario: scenario.id }, { headers: { 'Idempotency-Key': `once-${scenario.id}` } });
    const { body } = await start();
    const replayed = await start();
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body.id).toBe(body.id);
    await awaitEnd(body.id);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a run', () => {
  it('accepts changes once it has ended, for the run that is made from it', async () => {
    const topic = await parts.variable(project, { key: 'topic', variable_names: [{ name: 'a', value: 'cats' }] });
    const name = topic.variable_names[0].id;
    const { message, scenario } = await createScenario(`On <variable>-1,${topic.id},${name}</variable>`);
    const inserted = [{ variable: topic.id, variable_name: name, value: 'owls' }];
    const { body } = await run({ scenario: scenario.id, inserted_variables: inserted });
    const first = await awaitEnd(body.id);
    expect(first.inserted_variables).toEqual([{ id: 1, ...inserted[0] }]);

    const named = await patch(body.id, 'update-inserted-variable', { id: 1, value: 'bees' });
    expect(named.body.inserted_variables[0].value).toBe('bees');
    const copy = first.messages[0].id;
    expect(copy).not.toBe(message.id);
    const changed = await patch(body.id, 'update-message/', {
      ...{ key: message.key, project, sort_id: message.sort_id },
      parameters: { model_name: 'x' },
    });
    expect(changed.headers.get('x-scenarium-warnings')).toBeNull();
    expect(changed.body.messages[0]).toMatchObject({ id: copy, parameters: { model_name: 'x' } });
    expect((await patch(body.id, 'update-message', { id: copy, is_loop: true, loop_count: 2 })).status).toBe(200);
    const variable = await patch(body.id, 'update-variable', {
      id: topic.id,
      project,
      variable_names: [{ name: 'more', value: 'ants' }],
    });
    expect(variable.headers.get('x-scenarium-warnings')).toBeNull();
    expect(variable.body.variables[0].variable_names.map(({ value }: any) => value)).toEqual(['cats', 'ants']);
    expect((await read(body.id)).final_result).toBe(first.final_result);
    const hooked = await patch(body.id, '', { webhook_url: 'https://example.com/hook', messages: null });
    expect(hooked.body.webhook_url).toBe('https://example.com/hook');
    expect((await patch(body.id, '', { webhook_url: null })).body.webhook_url).toBe('');

    upstream.requests.length = 0;
    const again = await awaitEnd((await run({ scenariorun: body.id })).body.id);
    expect(again.processed_messages[0].results).toHaveLength(2);
    expect(upstream.requests.map(({ model }) => model)).toEqual(['x', 'x']);
    expect(texts()).toEqual(['On bees', 'On bees']);
  });

  it('passes its webhook and do_run_default to the run that is made from it, unless the request sets them', async () => {
    const topic = await parts.variable(project, { key: 'topic', variable_names: [{ name: 'a', value: 'cats' }] });
    const { scenario } = await createScenario(`On <variable>-1,${topic.id},${topic.variable_names[0].id}</variable>`);
    const { body } = await run({ scenario: scenario.id });
    await awaitEnd(body.id);
    const settings = { webhook_url: 'https://example.com/hook', do_run_default: true };
    expect((await patch(body.id, '', settings)).body).toMatchObject(settings);

    const variables = [{ key: 'topic', value: 'dogs' }];
    const inherited = await run({ scenariorun: body.id, variables });
    expect(inherited.body).toMatchObject(settings);
    expect(JSON.parse(inherited.headers.get('x-scenarium-warnings') ?? '[]')).toMatchObject([{ path: 'variables' }]);
    const own = await run({ scenariorun: body.id, webhook_url: null, do_run_default: false, variables });
    expect(own.body).toMatchObject({ webhook_url: '', do_run_default: false });
    await Promise.all([awaitEnd(inherited.body.id), awaitEnd(own.body.id)]);
    expect(texts().toSorted()).toEqual(['On cats', 'On cats', 'On dogs']);
  });

  it('warns of inserted values for variables and named values that it does not have', async () => {
    const topic = await parts.variable(project, { key: 'topic', variable_names: [{ name: 'a', value: 'cats' }] });
    const name = topic.variable_names[0].id;
    const { scenario } = await createScenario(`On <variable>-1,${topic.id},${name}</variable>`);
    const inserted_variables = [
      { variable: topic.id, variable_name: name, value: 'owls' },
      { variable: topic.id, variable_name: name + 1, value: 'bees' },
      { variable: 2_000_000_000, variable_name: 1, value: 'ants' },
    ];
    const paths = ({ headers }: { headers: Headers }) =>
      JSON.parse(headers.get('x-scenarium-warnings') ?? '[]').map((warning: { path: string }) => warning.path);
    const unknown = ['inserted_variables.1.variable_name', 'inserted_variables.2.variable'];
    const started = await run({ scenario: scenario.id, inserted_variables });
    expect([started.status, paths(started)]).toEqual([201, unknown]);
    await awaitEnd(started.body.id);
    expect(texts()).toEqual(['On owls']);
    const changed = await patch(started.body.id, '', { inserted_variables });
    expect([changed.status, paths(changed)]).toEqual([200, unknown]);
  });

  it('refuses changes while it is in progress, and invalid ones always', async () => {
    const { message, scenario } = await createScenario('Held');
    await parts.variable(project, { key: 'topic', is_global: true });
    const held = upstream.hold();
    const { body } = await run({ scenario: scenario.id });
    await held.arrived;
    expect((await patch(body.id, '', { webhook_url: '' })).status).toBe(409);
    expect((await patch(body.id, 'update-message', { id: message.id, is_loop: true })).status).toBe(409);
    held.release();
    await awaitEnd(body.id);
    const elsewhere = await parts.message(await parts.project());
    const wrong: [string, unknown, Record<string, unknown>][] = [
      ['update-message', {}, { id: expect.anything() }],
      ['update-message', { id: elsewhere.id }, { id: ['Object does not exist.'] }],
      ['update-message', { key: 'nobody' }, { key: ['Object does not exist.'] }],
      ['update-message', { id: message.id, prompts: [2_000_000_000] }, { 'prompts.0': ['Object does not exist.'] }],
      ['update-message', { id: message.id, loop_count: 1_000_000 }, { loop_count: expect.anything() }],
      ['update-message', { id: message.id, key: null }, { key: ['This field may not be null.'] }],
      ['update-variable', { id: 1 }, { id: ['Object does not exist.'] }],
      ['update-variable', { key: 'topic', project }, { variable_names: ['This field is required.'] }],
      ['update-inserted-variable', { id: 9, value: 'x' }, { id: ['Object does not exist.'] }],
      ['update-inserted-variable', { id: 9 }, { value: ['This field is required.'] }],
      ['', { webhook_url: 'ftp://x' }, { webhook_url: expect.anything() }],
      ['', { messages: [{ id: elsewhere.id }] }, { 'messages.0.id': ['Object does not exist.'] }],
    ];
    for (const [path, sent, fault] of wrong)
      expect(await patch(body.id, path, sent)).toMatchObject({ status: 400, body: fault });
  });

  it('ends when it is cancelled, together with its call upstream', async () => {
    const { scenario } = await createScenario('Held');
    const held = upstream.hold();
    const { body } = await run({ scenario: scenario.id });
    await held.arrived;
    const cancelled = await parts.call('POST', `scenarioruns/${body.id}/cancel/`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' }, final_result: null });
    await held.gone;
    held.release();
    const again = await parts.call('POST', `scenarioruns/${body.id}/cancel/`);
    expect(again.body).toEqual(cancelled.body);
  });

  it('is deleted with its copies, also while it is in progress, and its ledger stays', async () => {
    const { scenario } = await createScenario('Held');
    const held = upstream.hold();
    const { body } = await run({ scenario: scenario.id });
    await held.arrived;
    expect((await parts.call('DELETE', `scenarioruns/${body.id}/`)).status).toBe(204);
    await held.gone;
    held.release();
    expect((await parts.call('GET', `scenarioruns/${body.id}/`)).status).toBe(404);
    const [left] = await service.sql(
      `select (select count(*)::int from message where project_id = $1) as messages,
              (select count(*)::int from scenario where project_id = $1) as scenarios,
              (select count(*)::int from billing_transaction where project_id = $1) as ledger`,
      [project],
    );
    expect(left).toEqual({ messages: 1, scenarios: 1, ledger: 1 });
  });

  it('is hidden from other users, and so is what it names', async () => {
    const { scenario } = await createScenario('Mine');
    const { body } = await run({ scenario: scenario.id, do_run_default: null });
    await awaitEnd(body.id);
    const { key } = await service.createUser(`outsider-${scenario.id}`);
    const unknown = await parts.call('GET', 'scenarioruns/2000000000/', { key });
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['PATCH', 'update-message'],
      ['POST', 'cancel/'],
      ['DELETE', ''],
    ]) {
      const answer = await parts.call(method!, `scenarioruns/${body.id}/${path}`, {
        key,
        ...(method === 'PATCH' ? { body: {} } : {}),
      });
      expect(answer).toMatchObject({ status: 404, body: unknown.body });
    }
    for (const named of [{ scenario: scenario.id }, { scenariorun: body.id }])
      expect(await run(named, { key })).toMatchObject({
        status: 400,
        body: { [Object.keys(named)[0]!]: ['Object does not exist.'] },
      });
    expect(await run({})).toMatchObject({ status: 400, body: { scenario: expect.anything() } });
    expect((await run({ scenario: 'x' })).status).toBe(400);
    expect((await run({ scenario: scenario.id + 1_000_000 })).status).toBe(400);
  });

  it('is refused with 402 beyond the spending limit, and fails when it reaches the limit', async () => {
    const { scenario } = await createScenario('Dear');
    const limit = (usd: string) => service.sql('update project set budget_usd = $2 where id = $1', [project, usd]);
    await limit('0.00000001');
    const { body } = await run({ scenario: scenario.id });
    expect(await awaitEnd(body.id)).toMatchObject({ status: 'error', error: { code: 'budget_exceeded' } });
    expect(upstream.requests).toHaveLength(0);
    await limit('0');
    expect((await run({ scenario: scenario.id })).status).toBe(402);
  });
});
