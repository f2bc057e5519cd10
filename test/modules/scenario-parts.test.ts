import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
const ask = (query: string, variables?: Record<string, unknown>, key = ann.key) =>
  service.graphql(query, variables, key);
const refusal = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.map(error => error.extensions);
let count = 0;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = await newProject();
});
afterAll(() => service?.stop());

async function newProject(key = ann.key): Promise<number> {
  return (await ask('mutation { projectCreate(input: { name: "Home" }) { project { id } } }', {}, key)).data
    .projectCreate.project.id;
}

/**
 * Counts the statements of this process from now on, without those of the queue. Calling the result stops the
 * counting.
 */
function countStatements(): () => number {
  const counter = jest.spyOn(pg.Client.prototype, 'query');
  return () => {
    const texts = counter.mock.calls.map(([first]: unknown[]) =>
      typeof first === 'string' ? first : String((first as { text?: string }).text),
    );
    counter.mockRestore();
    // Whether a key is looked up depends on how long ago it was.
    const others = /pgboss|api_key_window/;
    return texts.filter(text => /^\s*(with|select)\b/i.test(text) && !others.test(text)).length;
  };
}

/** Creates a part by its mutation. Returns its id. */
async function create(noun: string, input: Record<string, unknown>, key = ann.key): Promise<number> {
  const type = `${noun[0]!.toUpperCase()}${noun.slice(1)}CreateInput`;
  const answer = await ask(
    `mutation ($input: ${type}!) { made: ${noun}Create(input: $input) { ${noun} { id } } }`,
    { input },
    key,
  );
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer.data.made[noun].id;
}

const MINIMAL: Record<string, () => Record<string, unknown>> = {
  variable: () => ({ key: `v${++count}`, variableNames: [{ name: 'first', value: 'one' }] }),
  prompt: () => ({ key: `p${++count}`, role: 'USER', content: 'Hello' }),
  message: () => ({ key: `m${++count}` }),
  scenario: () => ({ name: `s${++count}`, categoryId: 1, runFee: 0, freeRunsPerUser: 0, messageIds: [] }),
};
const NOUNS = Object.keys(MINIMAL);
const make = (noun: string, more: Record<string, unknown> = {}, key = ann.key) =>
  create(noun, { projectId: project, ...MINIMAL[noun]!(), ...more }, key);

describe.each(NOUNS)('a %s', noun => {
  const change = noun === 'scenario' ? 'name: "b"' : 'key: "b"';
  const operations = (id: number) => [
    `{ ${noun}(id: ${id}) { id } }`,
    `mutation { ${noun}Update(id: ${id}, input: { ${change} }) { ${noun} { id } } }`,
    `mutation { ${noun}Reorder(id: ${id}, sortId: 1) { ${noun} { id } } }`,
    `mutation { ${noun}Delete(id: ${id}) { ${noun} { id } } }`,
  ];

  it('is not found for an outsider, like one that does not exist', async () => {
    const id = await make(noun);
    const missing = operations(2_000_000_000);
    for (const [at, query] of operations(id).entries()) {
      const theirs = await ask(query, {}, ben.key);
      expect(refusal(theirs)).toEqual([{ code: 'NOT_FOUND' }]);
      expect(theirs).toEqual(await ask(missing[at]!, {}, ben.key));
    }
  });

  it('is read by a viewer, who is forbidden the rest', async () => {
    const shared = await newProject();
    const id = await make(noun, { projectId: shared });
    await service.sql(
      `insert into project_member (project_id, user_id, role) select $1, id, 'viewer' from app_user where email = $2`,
      [shared, ben.email],
    );
    const [read, ...changes] = operations(id);
    expect(await ask(read!, {}, ben.key)).toEqual({ data: { [noun]: { id } } });
    for (const query of changes) expect(refusal(await ask(query, {}, ben.key))).toEqual([{ code: 'FORBIDDEN' }]);
    await expect(make(noun, { projectId: shared }, ben.key)).rejects.toThrow('FORBIDDEN');
  });

  it('is returned a last time when it is deleted, and is not found afterwards', async () => {
    const id = await make(noun);
    const remove = () => ask(`mutation { ${noun}Delete(id: ${id}) { ${noun} { id project { id } } } }`);
    expect((await remove()).data[`${noun}Delete`][noun]).toEqual({ id, project: { id: project } });
    expect(refusal(await remove())).toEqual([{ code: 'NOT_FOUND' }]);
  });

  it('is listed by a filter that is null, empty or absent', async () => {
    await make(noun);
    const list = async (args: string) => (await ask(`{ ${noun}s${args} { total } }`)).data[`${noun}s`].total;
    const totals = new Set<number>();
    for (const args of ['', '(filter: null)', '(filter: {})', '(filter: { projectId: null, scenarioRunId: null })'])
      totals.add(await list(args));
    expect(totals.size).toBe(1);
    expect(totals.has(0)).toBe(false);
  });

  it('refuses text that cannot be stored', async () => {
    const type = `${noun[0]!.toUpperCase()}${noun.slice(1)}UpdateInput`;
    const update = (input: object) =>
      ask(`mutation ($input: ${type}!) { ${noun}Update(id: 1, input: $input) { ${noun} { id } } }`, { input });
    for (const input of [{ key: '\u0000', name: '\u0000' }, { key: '\ud800' }, { key: 1 }, { sortId: 1 }, { id: 2 }])
      expect(refusal(await update(input))?.[0]?.code).toBe('BAD_USER_INPUT');
    for (const id of ['2147483648', '"a"', 'null'])
      expect(refusal(await ask(`{ ${noun}(id: ${id}) { id } }`))?.[0]?.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('a scenario and its parts', () => {
  let ids: Record<string, number>;

  beforeAll(async () => {
    const own = await newProject();
    const variable = await make('variable', { projectId: own });
    const prompt = await make('prompt', { projectId: own, content: `<variable>-1,${variable},1</variable>` });
    const message = await make('message', { projectId: own, promptIds: [prompt], loopVariableId: variable });
    const scenario = await make('scenario', { projectId: own, messageIds: [message] });
    ids = { own, variable, prompt, message, scenario };
  });

  it('can be read from the scenario down to its parts', async () => {
    const { data, errors } = await ask(
      `query ($id: Int!) { scenario(id: $id) {
        project { id } category { id subcategories { id } } subcategory { id } canEdit messageIds
        messages { id promptIds prompts { id project { id } } loopVariable { id } loopVariableId }
        prompts { id } variables { id variableNames { id: localId name value isActive } } } }`,
      { id: ids.scenario },
    );
    expect(errors).toBeUndefined();
    expect(data.scenario).toMatchObject({
      project: { id: ids.own },
      category: { id: 1 },
      subcategory: null,
      canEdit: true,
      messageIds: [ids.message],
      messages: [
        {
          id: ids.message,
          promptIds: [ids.prompt],
          prompts: [{ id: ids.prompt, project: { id: ids.own } }],
          loopVariable: { id: ids.variable },
          loopVariableId: ids.variable,
        },
      ],
      prompts: [{ id: ids.prompt }],
      variables: [{ id: ids.variable, variableNames: [{ id: 1, name: 'first', value: 'one', isActive: true }] }],
    });
  });

  it('can be read from the parts up to the scenario', async () => {
    const { data, errors } = await ask(
      `query ($prompt: Int!, $project: Int!) {
        prompt(id: $prompt) { messages { items { id scenarios { items { id project { id } } } } } }
        project(id: $project) { ...lists } }
        fragment lists on Project { variables { items { id } } prompts { items { id } }
          messages { items { id } } scenarios { total items { id } } }`,
      { prompt: ids.prompt, project: ids.own },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      prompt: {
        messages: {
          items: [{ id: ids.message, scenarios: { items: [{ id: ids.scenario, project: { id: ids.own } }] } }],
        },
      },
      project: {
        variables: { items: [{ id: ids.variable }] },
        prompts: { items: [{ id: ids.prompt }] },
        messages: { items: [{ id: ids.message }] },
        scenarios: { total: 1, items: [{ id: ids.scenario }] },
      },
    });
  });

  it('is read in as many statements for twenty scenarios as for two', async () => {
    const statements = async (size: number) => {
      const counted = countStatements();
      const { errors } = await ask(
        `{ scenarios(filter: { projectId: ${many} }, size: ${size}) { items { id project { id canEdit } category { name subcategories { name } } canEdit messageIds
           messages { id prompts { id } promptIds loopVariable { id } scenarios { items { id } } } prompts { id messages { items { id } } } variables { id project { id } } } } }`,
      );
      expect(errors).toBeUndefined();
      return counted();
    };
    const many = await newProject();
    for (let index = 0; index < 20; index++) {
      const variable = await make('variable', { projectId: many });
      const prompt = await make('prompt', { projectId: many, content: `<variable>0,${variable},0</variable>` });
      const message = await make('message', { projectId: many, promptIds: [prompt], loopVariableId: variable });
      await make('scenario', { projectId: many, messageIds: [message], categoryId: 1 + (index % 5) });
    }
    // The least of several measurements, because the process executes statements of its own at times.
    const least = async (size: number) => {
      const counts: number[] = [];
      while (counts.length < 10) counts.push(await statements(size));
      return Math.min(...counts);
    };
    const few = await least(2);
    expect(few).toBeGreaterThan(8);
    expect(await least(20)).toBe(few);
  });
});
