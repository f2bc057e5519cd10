import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nested } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { partsBy } from './scenarios/part-makers.js';

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
const parts = partsBy(
  () => service,
  () => ann.key,
);
const theirs = partsBy(
  () => service,
  () => ben.key,
);
const { call } = parts;
const update = (id: number, body: unknown) => call('PATCH', `messages/${id}/`, { body });

const DEFAULTS = {
  provider: '',
  return_type: 'text',
  parameters: {},
  is_loop: false,
  loop_count: 1,
  loop_variable: null,
  is_async: false,
  prompts: [],
  conditions: [],
};

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = await parts.project();
});
afterAll(() => service?.stop());

const filled = async () => {
  const [first, second] = [await parts.prompt(project), await parts.prompt(project)];
  return {
    provider: 'openai',
    return_type: 'variables',
    parameters: { model_name: 'echo', temperature: 0.5, max_tokens: 100, top_p: 1, stop: ['.'], seed: null },
    is_loop: true,
    loop_count: 3,
    loop_variable: (await parts.variable(project)).id as number,
    is_async: true,
    prompts: [first.id, second.id] as number[],
    conditions: [
      {
        is_enabled: true,
        type: 'message',
        matching: 'regex',
        value: '^a+$',
        action: 'stop',
        variable: null,
        variable_name: null,
        message: (await parts.message(project)).id as number,
        ignore_case: true,
      },
    ],
  };
};

describe('the model of a message', () => {
  const save = async (more: object) =>
    call('POST', 'messages/', { body: { key: crypto.randomUUID(), project, ...more } });

  it('must be served by a configured provider', async () => {
    const { status, body } = await save({ parameters: { model_name: 'no-such-model' } });
    expect(status).toBe(400);
    expect(body['parameters.model_name']).toEqual([
      expect.stringMatching(/"no-such-model" is not served.*Available: echo/),
    ]);
    const { id } = await parts.message(project);
    expect((await update(id, { provider: 'echo', parameters: { model_name: 'gpt-4o' } })).status).toBe(400);
    expect((await save({ return_type: 'image', parameters: { model_name: 'no-such-model' } })).status).toBe(201);
  });

  it('is checked again only if a change concerns it', async () => {
    const { id } = await parts.message(project, { parameters: { model_name: 'echo' } });
    await service.sql(`update message set parameters = '{"model_name": "retired"}' where id = $1`, [id]);
    expect((await update(id, { is_async: true })).status).toBe(200);
    expect((await update(id, { provider: 'echo' })).status).toBe(400);
  });

  it('of a provider without a key is saved with a warning', async () => {
    const { status, headers } = await save({ provider: 'anthropic', parameters: { model_name: 'claude' } });
    expect(status).toBe(201);
    expect(JSON.parse(headers.get('x-scenarium-warnings')!)).toMatchObject([
      { code: 'provider_not_configured', path: 'provider' },
    ]);
    const refused = await save({ provider: 'unknown-provider' });
    expect(refused.body.provider[0]).toMatch(/one of echo, .*openai/);
  });

  it('has only parameters that its provider can express', async () => {
    const input = { provider: 'ANTHROPIC', name: 'Ours', key: 'sk-anthropic-key' };
    await service.graphql(
      'mutation ($id: Int!, $input: ProviderKeyInput!) { providerKeyAttach(projectId: $id, input: $input) { errors { message } } }',
      { id: project, input },
    );
    const { body } = await save({ provider: 'anthropic', parameters: { model_name: 'claude', seed: 1 } });
    expect(body).toEqual({
      'parameters.seed': [expect.stringContaining('s not supported by the provider of "claude"')],
    });
  });
});

describe('a message', () => {
  it('is created with every member of the record', async () => {
    const own = await parts.project();
    const { status, body } = await call('POST', 'messages/', { body: { key: ' Answer ', project: own } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      key: 'Answer',
      project: own,
      ...DEFAULTS,
      sort_id: 1,
      scenariorun: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await call('GET', `messages/${body.id}`)).body).toEqual(body);
  });

  it('accepts every setting, and null where there is none', async () => {
    const settings = await filled();
    expect(await parts.message(project, settings)).toMatchObject(settings);
    const nulls = Object.fromEntries(Object.keys(DEFAULTS).map(name => [name, null]));
    expect(await parts.message(project, nulls)).toMatchObject(DEFAULTS);
  });

  it('keeps what an update leaves out, member by member', async () => {
    const settings = await filled();
    const { id } = await parts.message(project, settings);
    expect((await update(id, {})).body).toMatchObject(settings);
    for (const member of Object.keys(settings) as (keyof typeof settings)[]) {
      const { status, body } = await update(id, { [member]: null });
      expect({ status, body }).toMatchObject({ status: 200, body: { ...settings, [member]: DEFAULTS[member] } });
      await update(id, { [member]: settings[member] });
    }
  });

  it('lists its prompts by their positions, each once', async () => {
    const own = await parts.project();
    const [a, b, c] = [await parts.prompt(own), await parts.prompt(own), await parts.prompt(own)];
    const { id, prompts } = await parts.message(own, { prompts: [c.id, a.id, c.id] });
    expect(prompts).toEqual([a.id, c.id]);
    await call('POST', `prompts/${c.id}/reorder/`, { body: { sort_id: 1 } });
    expect((await call('GET', `messages/${id}/`)).body.prompts).toEqual([c.id, a.id]);
    expect((await update(id, { prompts: [b.id] })).body.prompts).toEqual([b.id]);
  });

  it.each([
    [{ provider: 1 }, 'provider'],
    [{ provider: 'a b' }, 'provider'],
    [{ provider: 'a\u0000' }, 'provider'],
    [{ provider: 'x'.repeat(65) }, 'provider'],
    [{ return_type: 'json' }, 'return_type'],
    [{ parameters: 'x' }, 'parameters'],
    [{ parameters: [] }, 'parameters'],
    [{ parameters: { a: '\u0000' } }, 'parameters'],
    [{ parameters: nested(21) }, 'parameters'],
    [{ parameters: { a: 'x'.repeat(20_000) } }, 'parameters'],
    [{ parameters: { temperature: 2.1 } }, 'parameters.temperature'],
    [{ parameters: { temperature: '1' } }, 'parameters.temperature'],
    [{ parameters: { max_tokens: 0 } }, 'parameters.max_tokens'],
    [{ parameters: { max_tokens: 1.5 } }, 'parameters.max_tokens'],
    [{ parameters: { top_p: -1 } }, 'parameters.top_p'],
    [{ parameters: { model_name: 1 } }, 'parameters.model_name'],
    [{ is_loop: 'yes' }, 'is_loop'],
    [{ loop_count: 0 }, 'loop_count'],
    [{ loop_count: 1_001 }, 'loop_count'],
    [{ loop_count: 1.5 }, 'loop_count'],
    [{ loop_variable: 2_000_000_000 }, 'loop_variable'],
    [{ loop_variable: 2_147_483_648 }, 'loop_variable'],
    [{ is_async: 1 }, 'is_async'],
    [{ prompts: 1 }, 'prompts'],
    [{ prompts: ['a'] }, 'prompts.0'],
    [{ prompts: [null] }, 'prompts.0'],
    [{ prompts: [2_147_483_648] }, 'prompts.0'],
    [{ prompts: [-1] }, 'prompts.0'],
    [{ prompts: Array.from({ length: 101 }, (_, index) => index) }, 'prompts'],
    [{ conditions: [{ type: 'variable', matching: 'regex', value: '[', action: 'skip' }] }, 'conditions.0.value'],
    [
      { conditions: [{ type: 'message', message: 2_000_000_000, matching: 'empty', action: 'skip' }] },
      'conditions.0.message',
    ],
  ])('with %j is refused', async (bad, member) => {
    const { id, updated_at } = await parts.message(project);
    for (const answer of [
      await call('POST', 'messages/', { body: { key: `bad ${JSON.stringify(bad)}`.slice(0, 200), project, ...bad } }),
      await update(id, bad),
    ])
      expect({ status: answer.status, members: Object.keys(answer.body) }).toEqual({ status: 400, members: [member] });
    expect((await call('GET', `messages/${id}/`)).body.updated_at).toBe(updated_at);
  });

  it('names no object of an outsider, of another project, or that only its creator can access', async () => {
    const [other, foreign] = [await parts.project(), await theirs.project()];
    const { id } = await parts.message(project);
    const prompts = [await parts.prompt(other), await theirs.prompt(foreign), await parts.prompt(undefined)];
    for (const prompt of prompts)
      expect((await update(id, { prompts: [prompt.id] })).body).toEqual({ 'prompts.0': ['Object does not exist.'] });
    for (const variable of [await parts.variable(other), await theirs.variable(foreign)]) {
      expect((await update(id, { loop_variable: variable.id })).body).toEqual({
        loop_variable: ['Object does not exist.'],
      });
      const conditions = [{ type: 'variable', variable: variable.id, matching: 'empty', action: 'skip' }];
      expect((await update(id, { conditions })).body).toEqual({ 'conditions.0.variable': ['Object does not exist.'] });
    }
  });

  it('loops by its count once its variable is deleted', async () => {
    const { id: variable } = await parts.variable(project);
    const { id } = await parts.message(project, { is_loop: true, loop_variable: variable, loop_count: 2 });
    await call('DELETE', `variables/${variable}/`);
    expect((await call('GET', `messages/${id}/`)).body).toMatchObject({ loop_variable: null, loop_count: 2 });
  });

  it('names nothing that is deleted while it is updated', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, async () => ({
        message: await parts.message(project),
        prompt: await parts.prompt(project),
        variable: await parts.variable(project),
      })),
    );
    const answers = await Promise.all(
      made.flatMap(({ message, prompt, variable }) => [
        update(message.id, { prompts: [prompt.id], loop_variable: variable.id }),
        call('DELETE', `prompts/${prompt.id}/`),
        call('DELETE', `variables/${variable.id}/`),
        update(message.id, { prompts: [prompt.id], loop_variable: variable.id }),
      ]),
    );
    for (const { status } of answers) expect([200, 204, 400]).toContain(status);
    for (const { message } of made)
      expect((await call('GET', `messages/${message.id}/`)).body).toMatchObject({ prompts: [], loop_variable: null });
  });
});

it('messages are listed by `page_size` too', async () => {
  const own = await parts.project();
  for (let index = 0; index < 3; index++) await parts.message(own);
  const { body } = await call('GET', `messages/?project=${own}&page=2&page_size=2`);
  expect(body).toMatchObject({ page: 2, size: 2, total: 3, items: [{ sort_id: 3 }] });
});

it('messages that name each other are created, changed and deleted at the same time', async () => {
  const own = await parts.project();
  const named = await Promise.all(Array.from({ length: 5 }, () => parts.message(own)));
  const conditions = ({ id }: { id: number }) => [{ type: 'message', message: id, matching: 'empty', action: 'skip' }];
  const answers = await Promise.all(
    named.flatMap((message, index) => [
      call('POST', 'messages/', { body: { key: `n${index}`, project: own, conditions: conditions(message) } }),
      update(named[(index + 1) % 5].id, { conditions: conditions(message) }),
      call('DELETE', `messages/${message.id}/`),
      call('POST', 'messages/', { body: { key: `o${index}`, project: own, conditions: conditions(message) } }),
    ]),
  );
  for (const { status } of answers) expect([200, 201, 204, 400, 404]).toContain(status);
  const { items } = (await call('GET', `messages/?project=${own}&size=100`)).body;
  expect(items.map((item: { sort_id: number }) => item.sort_id)).toEqual(items.map((_: unknown, at: number) => at + 1));
});
