import { describe, expect, test } from '@jest/globals';
import { type Api, ask } from './rest-compat.harness.js';

const api: Api = {
  schema: `
    scalar JSON
    type Query { nothing: Int check(data: JSON): JSON! }
    type Mutation { run(id: String!, data: JSON!, input: JSON, project: Int): JSON! }
  `,
  operations: `
    "Run" mutation Run($task_id: String! @query, $data: JSON!, $input_data: JSON, $project: Int)
    @rest(method: POST, path: "/api/v1/run/", body: GRAPH) {
      body: run(id: $task_id, data: $data, input: $input_data, project: $project)
    }
    "Check" query Check($data: JSON) @rest(method: POST, path: "/api/v1/check/", body: GRAPH) { body: check(data: $data) }
  `,
  resolve: { run: (_, got) => got, check: (_, got) => got },
};
const run = (body: unknown, headers = {}) =>
  ask(api, { method: 'POST', path: '/api/v1/run/?task_id=t', body, headers });

describe('a body that is a graph', () => {
  test.each<[string, unknown, object]>([
    ['a graph', { nodes: [], edges: [] }, { data: { nodes: [], edges: [] } }],
    ['a graph with a member data', { nodes: [], data: { a: 1 } }, { data: { nodes: [], data: { a: 1 } } }],
    ['an object of another kind', { edges: [] }, { data: { edges: [] } }],
    ['no members', {}, { data: {} }],
    ['a wrapped graph', { data: { nodes: [] } }, { data: { nodes: [] } }],
    [
      'a wrapped graph with the rest',
      { data: { nodes: [] }, input_data: { a: 1 }, project: 7, colour: 'red' },
      { data: { nodes: [] }, input: { a: 1 }, project: 7 },
    ],
    ['nulls next to it', { data: {}, input_data: null, project: null }, { data: {}, input: null, project: null }],
    ['wrapped without an object', { data: 7 }, { data: 7 }],
  ])('may hold %s', async (_, body, got) => {
    expect((await run(body)).body).toEqual({ id: 't', ...got });
  });

  test.each<[string, unknown, object]>([
    ['nothing', undefined, { data: ['This field is required.'] }],
    ['null in its place', { data: null }, { data: ['This field may not be null.'] }],
    ['a list', [], { non_field_errors: ['Invalid data. Expected an object.'] }],
    ['text that cannot be stored', { nodes: ['\u0000'] }, { data: ['Null characters are not allowed.'] }],
    ['another type', { data: {}, project: 'x' }, { project: ['A valid integer is required.'] }],
  ])('is refused with %s', async (_, body, faults) => {
    const answer = await run(body && JSON.stringify(body), { 'content-type': 'application/json' });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: faults });
  });

  test('is refused as malformed JSON and as another type', async () => {
    expect((await run('{', { 'content-type': 'application/json' })).body).toMatchObject({ code: 'parse_error' });
    expect((await run('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('may be left out where the graph may be null', async () => {
    for (const body of [undefined, { data: null }]) {
      const answer = await ask(api, { method: 'POST', path: '/api/v1/check', body });
      expect(answer.status).toBe(200);
    }
  });
});
