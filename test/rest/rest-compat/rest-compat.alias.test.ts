import { describe, expect, test } from '@jest/globals';
import { type Api, ask } from './rest-compat.harness.js';

const api: Api = {
  schema: `
    scalar JSON
    type Query { find(id: Int!): JSON! }
    type Mutation { make(id: Int!): JSON! }
  `,
  operations: `
    "Find" query Find($id: Int! @alias(name: "task_id")) @rest(method: GET, path: "/api/v1/find/") { body: find(id: $id) }
    "Make" mutation Make($id: Int! @alias(name: "task_id")) @rest(method: POST, path: "/api/v1/make/") { body: make(id: $id) }
  `,
  resolve: { find: (_, { id }: { id: number }) => id, make: (_, { id }: { id: number }) => id },
};
const find = (query: string) => ask(api, { path: `/api/v1/find/${query}` });
const make = (body: object) => ask(api, { method: 'POST', path: '/api/v1/make/', body });

describe('a parameter with a second name', () => {
  test.each([
    ['?id=1', 1],
    ['?task_id=2', 2],
    ['?task_id=2&id=1', 1],
    ['?task_id=x&id=1', 1],
  ])('is read from %s', async (query, id) => {
    expect(await find(query)).toMatchObject({ status: 200, body: id });
  });

  test('is named as it was sent, and by its own name when it was not', async () => {
    expect((await find('?task_id=x')).body).toEqual({ task_id: ['A valid integer is required.'] });
    expect((await find('?id=x&task_id=1')).body).toEqual({ id: ['A valid integer is required.'] });
    expect((await find('')).body).toEqual({ id: ['This field is required.'] });
  });

  test('is read from a body by the same rules', async () => {
    expect((await make({ task_id: 2 })).body).toBe(2);
    expect((await make({ id: 1, task_id: 2 })).body).toBe(1);
    expect((await make({ id: null, task_id: 2 })).body).toEqual({ id: ['This field may not be null.'] });
    expect((await make({ task_id: null })).body).toEqual({ task_id: ['This field may not be null.'] });
    expect((await make({})).body).toEqual({ id: ['This field is required.'] });
  });
});
