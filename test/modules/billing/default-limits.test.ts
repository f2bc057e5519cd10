import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/platform/config/config.js';
import { cli } from '../../cli/entry.js';
import { testEnvironment } from '../../support/config.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { createPaidWorkflow } from '../../support/paid-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const PAID_REQUEST = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'x'.repeat(4_000) }],
  max_tokens: 500,
};
/** More than the reservation of one call and less than that of two. */
const ONE_CALL_USD = '0.0008';

let upstream: StubUpstream;
let service: TestService | undefined;
let environment: Record<string, string>;
beforeAll(async () => {
  upstream = await startStubUpstream();
});
afterEach(() => service?.stop());
afterAll(() => upstream?.stop());

/** Starts a service with these variables. */
async function start(variables: Record<string, string>): Promise<TestService> {
  const database = await createDatabase();
  environment = { ...testEnvironment(database), ...variables };
  const { defaultLimits } = readConfig(environment);
  const openai = { baseUrl: upstream.url, apiKey: 'sk-service-0123456789' };
  service = await startTestService({ openai, defaultLimits }, database);
  return service;
}

/** Executes a command line of the operator, which must succeed. */
async function operate(...args: string[]): Promise<void> {
  expect(await cli(args, environment)).toMatchObject({ code: 0, stderr: '' });
}

/** The status of a chat completion. */
async function chat({ rest }: TestService, key: string, projectId?: number): Promise<number> {
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (projectId !== undefined) headers['X-Project-Id'] = String(projectId);
  return (await rest('POST', '/v1/chat/completions', { body: PAID_REQUEST, key: null, headers })).status;
}

async function projectOf({ rest }: TestService, key: string): Promise<number> {
  return (await rest('POST', '/api/v1/projects/', { key, body: { name: 'New' } })).body.id;
}

/** The status of a run with a call to a model. */
async function run({ rest }: TestService, workflow: number): Promise<string> {
  const started = await rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  const result = async () =>
    (await rest('GET', `/api/v1/workflows/workflow_result/?id=${started.body.data.id}`)).body.data;
  return (await eventually(result, ({ status }) => status === 'succeed' || status === 'failed')).status;
}

const OPERATOR_LIMITS =
  'query ($id: Int!) { me { operatorLimit { limit { usd } isDefault } } project(id: $id) { operatorLimit { limit { usd } isDefault } } }';

describe('USER_LIMIT_USD and PROJECT_LIMIT_USD', () => {
  it.each([
    ['neither', {}, null, null, [200, 200, 200]],
    ['USER_LIMIT_USD', { USER_LIMIT_USD: ONE_CALL_USD }, ONE_CALL_USD, null, [200, 402, 402]],
    ['PROJECT_LIMIT_USD', { PROJECT_LIMIT_USD: ONE_CALL_USD }, null, ONE_CALL_USD, [200, 402, 200]],
  ])('%s: the limit of a new user and of a new project', async (_what, variables, ofUser, ofProject, statuses) => {
    const running = await start(variables);
    const { key } = await running.createUser('new');
    const project = await projectOf(running, key);
    const limit = (usd: string | null) => (usd === null ? null : { limit: { usd }, isDefault: true });
    expect((await running.graphql(OPERATOR_LIMITS, { id: project }, key)).data).toEqual({
      me: { operatorLimit: limit(ofUser) },
      project: { operatorLimit: limit(ofProject) },
    });
    const answered: number[] = [];
    for (const id of [project, project, undefined]) answered.push(await chat(running, key, id));
    expect(answered).toEqual(statuses);
    // The limit counts for each user: another one may still spend.
    const other = await running.createUser('other');
    expect(await chat(running, other.key)).toBe(200);
  });
});

describe('with a default of 0 the provider keys of the service are only for', () => {
  it('listed projects', async () => {
    const running = await start({ PROJECT_LIMIT_USD: '0' });
    const listed = await createPaidWorkflow(running);
    const unlisted = await createPaidWorkflow(running);
    const outcomes = async ({ project, workflow }: typeof listed) => [
      await chat(running, running.key, project),
      await run(running, workflow),
    ];
    expect(await outcomes(listed)).toEqual([402, 'failed']);
    await operate('limit', 'project', '--id', String(listed.project), '--usd', '5');
    expect(await outcomes(listed)).toEqual([200, 'succeed']);
    expect(await outcomes(unlisted)).toEqual([402, 'failed']);
    await operate('limit', 'project', '--id', String(listed.project), '--usd', 'default');
    expect(await outcomes(listed)).toEqual([402, 'failed']);
  });

  it('listed users', async () => {
    const running = await start({ USER_LIMIT_USD: '0' });
    const [listed, unlisted] = await Promise.all([running.createUser('listed'), running.createUser('unlisted')]);
    const project = await projectOf(running, listed.key);
    const outcomes = async () => [
      await chat(running, listed.key),
      await chat(running, listed.key, project),
      await chat(running, unlisted.key),
    ];
    expect(await outcomes()).toEqual([402, 402, 402]);
    await operate('limit', 'user', '--email', listed.email, '--usd', '5');
    expect(await outcomes()).toEqual([200, 200, 402]);
    await operate('limit', 'user', '--email', listed.email, '--usd', 'default');
    expect(await outcomes()).toEqual([402, 402, 402]);
  });
});
