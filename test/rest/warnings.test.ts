import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unknownGraphMembers } from '../../src/engine/workflow/graph/unknown-members.js';
import { Warnings } from '../../src/platform/requests/warnings.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let key: string;
let project: number;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  key = (await service.createUser('ann')).key;
  project = (await jsonOf(await send('POST', 'projects/', { name: 'p' }))).id;
});
afterAll(() => service?.stop());

function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.url}/api/v1/${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const jsonOf = async (answer: Response): Promise<any> => answer.json();
const warningsOf = ({ headers }: Response) => JSON.parse(headers.get('x-scenarium-warnings') ?? '[]');
const node = (type: string, data: object) => ({
  id: type,
  type,
  position: { x: 0, y: 0 },
  data: { id: type, ...data },
});
const graph = {
  nodes: [
    node('trigger-node', { next_nodes: ['basic-node'] }),
    node('basic-node', {
      messages: [{ role: 'user', message: 'Hi', content: 'Hi' }],
      settings: { model_name: 'echo', temprature: 1 },
    }),
  ],
  edges: [],
};

describe('unknown names over REST', () => {
  it('in a query are ignored and reported', async () => {
    const answer = await send('GET', 'workflows/?projct=1&page=1&page_size=5');
    expect([answer.status, warningsOf(answer)]).toEqual([200, [{ path: 'projct', message: expect.any(String) }]]);
  });

  it('in a body are ignored and reported with the name that they mean', async () => {
    const answer = await send('POST', 'variables/', { key: 'v', project, variable_names: [{ nam: 'é', name: 'n' }] });
    expect(answer.status).toBe(201);
    expect(warningsOf(answer)).toEqual([
      { path: 'variable_names.0.nam', message: 'unknown member "nam"; did you mean "name"?' },
    ]);
  });

  it('do not include the members that the interface specification has and that a route does not use', async () => {
    const strict = { prefer: 'handling=strict' };
    const variable = { key: 'unused', project, variable_names: [] };
    const { id } = await jsonOf(await send('POST', 'variables/', variable));
    const prompt = { key: 'unused', project, role: 'user', content: 'Hi' };
    const answers = [
      await send('PATCH', `variables/${id}/`, { project, keywordrun: null, keywordrun_mode: 'all' }, strict),
      await send('POST', 'prompts/', { ...prompt, sort_id: 1 }, strict),
      await send('POST', 'prompts/', { ...prompt, key: 'unknown', sort_ids: 1 }),
    ];
    expect(answers.map(answer => [answer.status, warningsOf(answer).length])).toEqual([
      [200, 0],
      [201, 0],
      [201, 1],
    ]);
  });

  it('and unknown types of input fields are reported with the type that they mean', async () => {
    const fields = ['emial', 'banana', 'Email', 'textarea'].map(type => ({ id: type, title: type, type }));
    const data = { nodes: [node('trigger-node', { input_fields: fields, next_nodes: [] })], edges: [] };
    const { issues } = await jsonOf(await send('POST', 'workflows/check_workflow/', data));
    expect(issues.filter((issue: any) => issue.code === 'unknown_member')).toMatchObject([
      { path: 'input_fields.0.type', message: expect.stringMatching(/"emial", which .*; did you mean "email"\?$/) },
      { path: 'input_fields.1.type', message: 'unknown type "banana", which accepts any value' },
    ]);
  });

  it('of the model of a message are refused', async () => {
    const body = { project, key: 'wrong', parameters: { model: 'echo' }, prompts: [] };
    const answer = await send('POST', 'messages/', body);
    expect([answer.status, await jsonOf(answer)]).toEqual([
      400,
      { 'parameters.model': ['Unknown member; did you mean "model_name"?'] },
    ]);
  });

  it.each([
    ['strict=true', '?strict=true', {}],
    ['the preference', '', { prefer: 'respond-async, handling=strict' }],
  ])('are refused by %s and nothing is changed', async (name, query, headers) => {
    const body = { key: name, project, variable_names: [], colour: 1 };
    const answer = await send('POST', `variables/${query}`, body, headers as Record<string, string>);
    expect([answer.status, await answer.json()]).toEqual([400, { colour: ['unknown member "colour"'] }]);
    expect((await send('POST', 'variables/', { key: name, project, variable_names: [] })).status).toBe(201);
  });

  it('in a form are ignored and reported, or refused', async () => {
    const form = new FormData();
    form.append('project', String(project));
    form.append('naem', 'x');
    form.append('file1', new File(['a text'], 'a.txt'));
    const upload = (query: string) =>
      fetch(`${service.url}/api/v1/documents/${query}`, { method: 'POST', headers: { 'x-api-key': key }, body: form });
    const answer = await upload('');
    expect([answer.status, warningsOf(answer)]).toEqual([
      201,
      [{ path: 'naem', message: expect.stringContaining('unknown member "naem"') }],
    ]);
    expect((await upload('?strict=true')).status).toBe(400);
  });

  it('in a graph are kept and reported', async () => {
    const body = { project, title: 'w', data: graph };
    const answer = await send('POST', 'workflows/', body);
    expect([answer.status, warningsOf(answer)]).toEqual([
      201,
      [
        { path: 'data.nodes[basic-node].data.messages.0.content', message: 'unknown member "content"' },
        {
          path: 'data.nodes[basic-node].data.settings.temprature',
          message: 'unknown member "temprature"; did you mean "temperature"?',
        },
      ],
    ]);
    expect((await jsonOf(answer)).data.nodes[1].data.settings.temprature).toBe(1);
    expect((await send('POST', 'workflows/?strict=true', body)).status).toBe(400);
  });

  it.each(['basic-node', 'agent-node'])('of roles in a %s are saved and reported, and refused by a run', async type => {
    const messages = ['banana', 'user', '{{ input.role }}'].map(role => ({ role, message: 'Hi' }));
    const asked = node(type, { messages, settings: { model_name: 'echo' } });
    const data = { nodes: [node('trigger-node', { next_nodes: [type] }), asked], edges: [] };
    const saved = await send('POST', 'workflows/', { project, title: 'roles', data });
    const message = 'must be one of system, developer, user, assistant, tool, function';
    const path = `data.nodes[${type}].data.messages.0.role`;
    expect([saved.status, warningsOf(saved)]).toEqual([201, [{ path, code: 'invalid_setting', message }]]);
    expect((await send('POST', 'workflows/?strict=true', { project, title: 'roles', data })).status).toBe(400);
    const { issues, is_valid } = await jsonOf(await send('POST', 'workflows/check_workflow/', data));
    const ofRoles = issues.filter((issue: { path: string }) => issue.path === 'messages.0.role');
    expect([is_valid, ofRoles]).toMatchObject([false, [{ severity: 'error', message }]]);
  });

  it.each([
    ['', [], 1],
    ['handling=strict', [{ code: 'BAD_USER_INPUT', path: expect.arrayContaining(['data', 'settings']) }], 0],
  ])('in a graph over GraphQL are errors only if strict: "%s"', async (prefer, errors, warnings) => {
    const query = `mutation ($input: WorkflowCreateInput!) { workflowCreate(input: $input) {
      errors { code path } warnings { code } } }`;
    const { nodes } = graph;
    const data = {
      nodes: [nodes[0], { ...nodes[1], data: { ...nodes[1]!.data, messages: [{ role: 'user', message: 'Hi' }] } }],
    };
    const answer = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', prefer },
      body: JSON.stringify({ query, variables: { input: { projectId: project, title: 'w', data } } }),
    });
    const { workflowCreate } = (await jsonOf(answer)).data;
    expect([workflowCreate.errors, workflowCreate.warnings.length]).toEqual([errors, warnings]);
  });

  it('in the parameters of a message are kept and reported', async () => {
    const answer = await send('POST', 'messages/', { key: 'm', project, parameters: { top_k: 1 } });
    expect([answer.status, warningsOf(answer)]).toEqual([
      201,
      [{ path: 'parameters.top_k', message: 'unknown member "top_k"; did you mean "top_p"?' }],
    ]);
  });

  it('are not reported where all names are known, `strict` included', async () => {
    const answer = await send('GET', 'projects/?page=1&size=5&strict=true');
    expect([answer.status, answer.headers.get('x-scenarium-warnings')]).toEqual([200, null]);
  });
});

it('a check reports unknown members as warnings', async () => {
  const answer = await send('POST', 'workflows/check_workflow/', graph);
  const { issues, is_valid } = await jsonOf(answer);
  expect(is_valid).toBe(true);
  expect(issues.filter((issue: { code: string }) => issue.code === 'unknown_member')).toMatchObject([
    { severity: 'warning', node_id: 'basic-node', path: 'messages.0.content' },
    { severity: 'warning', node_id: 'basic-node', path: 'settings.temprature' },
  ]);
});

it('members that front ends store next to the settings are not reported', () => {
  const stored = { width: 1, measured: {}, selected: true, dragging: false, sourcePosition: 'right' };
  const nodes = graph.nodes.slice(0, 1).map(each => ({ ...each, ...stored }));
  expect(unknownGraphMembers({ ...graph, nodes, version: 3 })).toEqual([]);
  expect(unknownGraphMembers({ ...graph, nodes: [], start_nod: 'x' })).toHaveLength(1);
});

it('a header of warnings is ASCII and bounded', () => {
  const warnings = new Warnings();
  warnings.add(Array.from({ length: 80 }, (_, index) => ({ path: `é${index}`, message: 'x'.repeat(200) })));
  const header = warnings.toHeader()!;
  expect(header).toMatch(/^[\x20-\x7e]{1,4100}$/);
  expect(JSON.parse(header).at(-1).message).toMatch(/^\d+ more$/);
});
