import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, isInterfaceType } from 'graphql';
import { toGlobalId } from '../../src/graphql/global-ids.js';
import { pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

const IDENTIFIED = [
  'ApiDefinition',
  'CatalogWorkflow',
  'ChatModel',
  'ConnectedService',
  'Document',
  'KeyValueEntry',
  'Keyword',
  'KeywordRun',
  'Message',
  'Project',
  'ProjectFile',
  'Prompt',
  'RecognitionChunk',
  'RecognitionRun',
  'Scenario',
  'ScenarioRun',
  'User',
  'Variable',
  'Workflow',
  'WorkflowRehearsal',
  'WorkflowRun',
  'WorkflowTrigger',
];
const READABLE = ['Project', 'Workflow', 'CatalogWorkflow', 'Prompt', 'WorkflowRun'];
const NODE = `query ($globalId: ID!) {
  node(globalId: $globalId) { __typename globalId ... on Workflow { title } ... on WorkflowRun { state } ... on Project { name } }
}`;

let service: TestService;
let key: string;
let outsider: string;
const ids: Record<string, number | string> = {};

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  ({ key } = await service.createUser('owner'));
  ({ key: outsider } = await service.createUser('outsider'));
  const make = async (path: string, body: unknown) =>
    (await service.rest('POST', `/api/v1/${path}/`, { key, body })).body.id as number;
  ids.Project = await make('projects', { name: 'own' });
  const project = ids.Project;
  ids.Workflow = await make('workflows', { project, title: 'one', data: pureGraph() });
  ids.CatalogWorkflow = ids.Workflow;
  ids.Prompt = await make('prompts', { project, key: 'p', role: 'user', content: 'x' });
  const { data } = await service.graphql(
    `mutation { workflowRunStart(workflowId: ${ids.Workflow}, draft: true) { run { id } } }`,
    {},
    key,
  );
  ids.WorkflowRun = data.workflowRunStart.run.id;
});
afterAll(() => service?.stop());

describe('global ids', () => {
  it('belong to each type with a root field by id', () => {
    const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
    const node = schema.getType('Node');
    expect(
      isInterfaceType(node) &&
        schema
          .getPossibleTypes(node)
          .map(({ name }) => name)
          .sort(),
    ).toEqual(IDENTIFIED);
  });

  it.each(READABLE)('read a %s', async type => {
    const single = await service.graphql(rootFieldQuery(type), {}, key);
    const { globalId } = single.data.one;
    expect(globalId).toBe(toGlobalId(type, ids[type]!));
    const { data, errors } = await service.graphql(NODE, { globalId }, key);
    expect(errors).toBeUndefined();
    expect(data.node).toMatchObject({ __typename: type, globalId });
  });

  it('read members of the type in a fragment', async () => {
    const workflow = await service.graphql(NODE, { globalId: toGlobalId('Workflow', ids.Workflow!) }, key);
    expect(workflow.data.node).toMatchObject({ title: 'one' });
    const run = await service.graphql(NODE, { globalId: toGlobalId('WorkflowRun', ids.WorkflowRun!) }, key);
    expect(run.data.node).toMatchObject({ state: 'DRAFT' });
  });

  it.each(READABLE)('hide a %s like its root field', async type => {
    const single = await service.graphql(rootFieldQuery(type), {}, outsider);
    const { data, errors } = await service.graphql(NODE, { globalId: toGlobalId(type, ids[type]!) }, outsider);
    const codes = [single, { errors }].map(answer => answer.errors?.map(({ extensions }) => extensions.code));
    expect({ data, codes }).toEqual({ data: { node: null }, codes: [['NOT_FOUND'], ['NOT_FOUND']] });
  });

  it('require an administrator for users', async () => {
    const { data, errors } = await service.graphql(NODE, { globalId: toGlobalId('User', 1) }, key);
    expect(data).toEqual({ node: null });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  it.each([
    ['a text', 'nonsense'],
    ['nothing', ''],
    ['a type without global ids', toGlobalId('Money', 1)],
    ['a type that does not exist', toGlobalId('constructor', 1)],
    ['an id of another kind', toGlobalId('Project', 'x')],
    ['no id', toGlobalId('Project', '')],
    ['a number that is too large', toGlobalId('Project', 3_000_000_000)],
    ['a run without a UUID', toGlobalId('WorkflowRun', 1)],
  ])('refuse %s', async (_name, globalId) => {
    const { data, errors } = await service.graphql(NODE, { globalId }, key);
    expect(data).toEqual({ node: null });
    expect(errors).toMatchObject([
      {
        path: ['node'],
        extensions: { code: 'BAD_USER_INPUT', fields: { globalId: [expect.stringContaining('globalId')] } },
      },
    ]);
  });
});

function rootFieldQuery(type: string): string {
  const field = type.charAt(0).toLowerCase() + type.slice(1);
  return `{ one: ${field}(id: ${JSON.stringify(ids[type])}) { globalId } }`;
}
