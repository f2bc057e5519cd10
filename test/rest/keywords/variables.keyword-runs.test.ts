import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';
import { insertKeywordRun } from './keyword-run-rows.js';

let service: TestService;
let ann: { key: string };
let ben: { key: string };
let project: number;
let bensProject: number;

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, `/api/v1/${path}`, { key: ann.key, ...options });
const createKeyword = (body: Record<string, unknown>) => call('POST', 'keywords/', { body: { project, ...body } });
const runWith = (names: string[], into = project) => insertKeywordRun(service, into, names);

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = (await call('POST', 'projects/', { body: { name: 'Tea' } })).body.id;
  bensProject = (await call('POST', 'projects/', { body: { name: 'Other' }, key: ben.key })).body.id;
});
afterAll(() => service?.stop());

describe('a variable with a keyword run', () => {
  const variable = async (more: Record<string, unknown>) =>
    call('POST', 'variables/', { body: { key: `v${Math.random()}`, project, variable_names: [], ...more } });
  const valuesOf = (body: any) => body.variable_names.map((name: any) => name.value);
  const values = async (id: number) => valuesOf((await call('GET', `variables/${id}/`)).body);

  it('takes its values from the enabled keywords, in each mode, at any time', async () => {
    const keywordrun = await runWith(['tea', 'green tea', 'espresso']);
    const made = (await variable({ keywordrun, variable_names: [{ name: 'ignored' }] })).body;
    expect(made).toMatchObject({ keywordrun, keywordrun_mode: null });
    expect(made.variable_names[0]).toEqual({ id: expect.any(Number), name: 'tea', value: 'tea', is_active: true });
    const all = (await variable({ keywordrun, keywordrun_mode: 'all' })).body;
    const joined = (await variable({ keywordrun, keywordrun_mode: 'joined' })).body;
    const clusters = (await variable({ keywordrun, keywordrun_mode: 'clusters' })).body;
    expect(valuesOf(all)).toEqual(['tea', 'green tea', 'espresso']);
    expect(joined.variable_names).toEqual([
      { id: 1, name: 'keywords', value: 'tea, green tea, espresso', is_active: true },
    ]);
    expect(valuesOf(clusters)).toEqual([]);
    await call('POST', `keywordruns/${keywordrun}/clusterize/`);
    expect(await values(clusters.id)).toEqual(['tea, green tea', 'espresso']);

    const [, second] = (await call('GET', `keywords/?keywordrun=${keywordrun}`)).body.items;
    await call('PATCH', `keywords/${second.id}/`, { body: { is_enabled: false } });
    expect(await values(all.id)).toEqual(['tea', 'espresso']);
    expect(await values(joined.id)).toEqual(['tea, espresso']);
    expect(await values(clusters.id)).toEqual(['tea', 'espresso']);
    await call('PATCH', `keywords/${second.id}/`, { body: { is_enabled: true, name: 'black tea' } });
    expect(await values(all.id)).toEqual(['tea', 'black tea', 'espresso']);
    await createKeyword({ name: 'milk', keywordrun });
    await call('DELETE', `keywords/${second.id}/`);
    expect(await values(all.id)).toEqual(['tea', 'espresso', 'milk']);
    await call('POST', `keywordruns/${keywordrun}/disable_all/`);
    for (const { id } of [all, joined, clusters]) expect(await values(id)).toEqual([]);
    await call('POST', `keywordruns/${keywordrun}/enable_all/`);
    expect(await values(all.id)).toEqual(['tea', 'espresso', 'milk']);
  });

  it('has stable ids for values that placeholders name, and accepts other values only without the run', async () => {
    const keywordrun = await runWith(['tea', 'milk']);
    const { id } = (await variable({ variable_names: [{ name: 'own', value: '1' }] })).body;
    const patch = async (body: unknown) => (await call('PATCH', `variables/${id}/`, { body })).body;
    const linked = await patch({ keywordrun });
    expect(valuesOf(linked)).toEqual(['tea', 'milk']);
    await call('POST', `keywordruns/${keywordrun}/disable_all/`);
    await call('POST', `keywordruns/${keywordrun}/enable_all/`);
    expect((await call('GET', `variables/${id}/`)).body.variable_names).toEqual(linked.variable_names);
    expect(valuesOf(await patch({ variable_names: [{ name: 'other' }] }))).toEqual(['tea', 'milk']);
    expect(valuesOf(await patch({ keywordrun_mode: 'joined' }))).toEqual(['tea, milk']);
    expect(await patch({ keywordrun: null })).toMatchObject({ keywordrun: null, keywordrun_mode: 'joined' });
    expect(await values(id)).toEqual(['tea, milk']);
    const own = await patch({ variable_names: [{ name: 'mine', value: '2' }] });
    expect(valuesOf(own)).toEqual(['2']);
    expect(own.variable_names[0].id).toBeGreaterThan(Math.max(...linked.variable_names.map((name: any) => name.id)));
  });

  it('keeps its values when the run is deleted', async () => {
    const keywordrun = await runWith(['tea']);
    const { id } = (await variable({ keywordrun })).body;
    await call('DELETE', `keywordruns/${keywordrun}/`);
    expect((await call('GET', `variables/${id}/`)).body).toMatchObject({
      keywordrun: null,
      variable_names: [{ name: 'tea', value: 'tea' }],
    });
  });

  it('is refused with a run of another project, even to an administrator', async () => {
    const theirs = await runWith(['x'], bensProject);
    const { id } = (await variable({})).body;
    for (const keywordrun of [theirs, 2_000_000_000]) {
      const refused = { status: 400, body: { keywordrun: ['Object does not exist.'] } };
      expect(await variable({ keywordrun })).toMatchObject(refused);
      expect(await call('PATCH', `variables/${id}/`, { body: { keywordrun } })).toMatchObject(refused);
      // An administrator can access both projects, but the projects must be equal.
      const asked = { body: { keywordrun }, key: service.key };
      expect(await call('PATCH', `variables/${id}/`, asked)).toMatchObject(refused);
    }
  });

  it('is copied for a scenario run with the values it had', async () => {
    const keywordrun = await runWith(['tea', 'milk']);
    const { body } = await variable({ keywordrun, is_global: true });
    const [name] = body.variable_names;
    const prompt = await call('POST', 'prompts/', {
      body: { key: 'p', project, role: 'user', content: `<variable>-1,${body.id},${name.id}</variable>` },
    });
    expect(prompt.status).toBe(201);
    const message = await call('POST', 'messages/', { body: { key: 'm', project, prompts: [prompt.body.id] } });
    const scenario = await call('POST', 'scenarios/', {
      body: {
        name: 'S',
        project,
        category: 1,
        run_fee: 0,
        free_runs_per_user: 0,
        messages: [message.body.id],
      },
    });
    const started = await call('POST', 'scenarioruns/run/', { body: { scenario: scenario.body.id } });
    const copied = started.body.variables.find((each: any) => each.key === body.key);
    expect(copied.variable_names).toEqual(body.variable_names);
    await call('POST', `keywordruns/${keywordrun}/disable_all/`);
    expect(await values(body.id)).toEqual([]);
    const after = (await call('GET', `scenarioruns/${started.body.id}/`)).body.variables;
    expect(after.find((each: any) => each.key === body.key).variable_names).toEqual(body.variable_names);
  });
});

it('simultaneous changes of one run leave its variables in step with its keywords', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `keyword ${at}`);
  const keywordrun = await runWith(names);
  const { items } = (await call('GET', `keywords/?keywordrun=${keywordrun}&size=20`)).body;
  const body = { key: 'crowded', project, variable_names: [], keywordrun };
  const { id } = (await call('POST', 'variables/', { body })).body;
  // Of three keywords each, the first is deleted, the second is renamed, and the third is renamed and disabled.
  const done = await Promise.all([
    ...items.map((item: any, at: number) =>
      at % 3 === 0
        ? call('DELETE', `keywords/${item.id}/`)
        : call('PATCH', `keywords/${item.id}/`, { body: { name: `changed ${at}`, is_enabled: at % 3 === 1 } }),
    ),
    call('POST', `keywordruns/${keywordrun}/clusterize/`),
    ...[1, 2, 3].map(() => call('PATCH', `variables/${id}/`, { body: { keywordrun } })),
  ]);
  expect(done.filter(({ status }) => status >= 400)).toEqual([]);
  const { variable_names } = (await call('GET', `variables/${id}/`)).body;
  expect(variable_names.map(({ value }: any) => value)).toEqual(['changed 1', 'changed 4', 'changed 7', 'changed 10']);
});
