import { describe, expect, test } from '@jest/globals';
import { type Api, ask } from './rest-compat.harness.js';

const api: Api = {
  schema: `
    scalar JSON
    type Query { nothing: Int }
    type Mutation { change(id: Int!, input: Change!): JSON! make(input: Make!): JSON! }
    input Change { name: String, webhookUrl: String, isOn: Boolean }
    input Make { name: String!, data: JSON, fee: Int, parts: [Part!], tags: [String!] }
    input Part { partName: String!, isActive: Boolean = true, count: Int, makerId: Int, toolIds: [Int!] }
  `,
  operations: `
    "Change" mutation Change($id: Int!, $name: String, $webhook_url: String, $is_on: Boolean)
    @rest(method: PATCH, path: "/api/v1/things/{id}/") {
      body: change(id: $id, input: { name: $name, webhookUrl: $webhook_url, isOn: $is_on })
    }
    "Make" mutation Make($name: String!, $data: JSON, $fee: Int @range(min: 0, max: 999), $parts: [Part!], $tags: [String!])
    @rest(method: POST, path: "/api/v1/things/", status: 201) {
      body: make(input: { name: $name, data: $data, fee: $fee, parts: $parts, tags: $tags })
    }
  `,
  resolve: { change: (_, { input }: { input: object }) => input, make: (_, { input }: { input: object }) => input },
};

const make = (body: unknown, headers?: Record<string, string>) =>
  ask(api, { method: 'POST', path: '/api/v1/things/', body, ...(headers && { headers }) });
const change = (body: unknown) => ask(api, { method: 'PATCH', path: '/api/v1/things/1/', body });

describe('a PATCH body', () => {
  test('omits from the input what it does not mention', async () => {
    expect((await change({ name: 'x' })).body).toEqual({ name: 'x' });
  });

  test('passes a null on as null', async () => {
    expect((await change({ webhook_url: null })).body).toEqual({ webhookUrl: null });
  });

  test('that is empty changes nothing', async () => {
    expect((await change(undefined)).body).toEqual({});
  });

  test('ignores members that the route does not know', async () => {
    expect((await change({ id: 9, isOn: true, __proto__: { is_on: true }, is_on: false })).body).toEqual({
      isOn: false,
    });
  });
});

describe('a JSON body', () => {
  test('takes nested members in snake case', async () => {
    const parts = [{ part_name: 'leg', count: 4, colour: 'red' }];
    expect(await make({ name: 'chair', parts })).toMatchObject({
      status: 201,
      body: { name: 'chair', parts: [{ partName: 'leg', isActive: true, count: 4 }] },
    });
  });

  test('takes nested foreign keys without Id', async () => {
    const parts = [{ part_name: 'leg', maker: 7, tools: [1, 2], maker_id: 8, tool_ids: [3] }];
    expect((await make({ name: 'chair', parts })).body).toEqual({
      name: 'chair',
      parts: [{ partName: 'leg', isActive: true, makerId: 7, toolIds: [1, 2] }],
    });
    expect((await make({ name: 'chair', parts: [{ part_name: 'leg', maker: 'x' }] })).body).toEqual({
      'parts.0.maker': ['A valid integer is required.'],
    });
  });

  test('has all its faults reported at once, nested ones by their paths', async () => {
    const sent = { data: { a: 'x' }, fee: 1000, parts: [{ count: 'many' }, 7], tags: ['a', 3, null] };
    const { status, body } = await make(sent);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        name: ['This field is required.'],
        fee: ['Ensure this value is between 0 and 999.'],
        'parts.0.part_name': ['This field is required.'],
        'parts.0.count': ['A valid integer is required.'],
        'parts.1': ['Expected an object.'],
        'tags.1': ['Not a valid string.'],
        'tags.2': ['This field may not be null.'],
      },
    });
  });

  test.each<[string, unknown, string]>([
    ['null for a required member', { name: null }, 'name'],
    ['a number for a text', { name: 5 }, 'name'],
    ['a text for an integer', { name: 'x', fee: '5' }, 'fee'],
    ['an integer beyond 32 bits', { name: 'x', fee: 2 ** 31 }, 'fee'],
    ['a text for a list', { name: 'x', tags: 'a' }, 'tags'],
    ['a NUL in a text', { name: 'a\0b' }, 'name'],
    ['half a surrogate pair', { name: '\ud800' }, 'name'],
    ['a NUL deep in JSON', { name: 'x', data: { a: [{ b: '\0' }] } }, 'data'],
    ['a NUL in a key', { name: 'x', data: { 'a\0': 1 } }, 'data'],
    ['an array for the body', [1], 'non_field_errors'],
    ['a text for the body', '"text"', 'non_field_errors'],
    ['null for the body', 'null', 'non_field_errors'],
  ])('with %s names the member', async (_, sent, member) => {
    const { status, body } = await make(sent, { 'content-type': 'application/json' });
    expect({ status, members: Object.keys(body as object) }).toEqual({ status: 400, members: [member] });
  });

  test.each([
    ['{"name": secret}', 'unexpected character at line 1 column 10 (char 9)'],
    ['{"name": "x",}', 'unexpected character at line 1 column 14 (char 13)'],
    ['{\n"name": "x"', 'unexpected end of the text at line 2 column 12 (char 13)'],
    ['{"name": "x"} trailing', 'unexpected character at line 1 column 15 (char 14)'],
    ["{'name': 1}", 'unexpected character at line 1 column 2 (char 1)'],
    ['{"name": 01}', 'unexpected character at line 1 column 11 (char 10)'],
    ['{"name": "a\nb"}', 'unexpected character at line 1 column 10 (char 9)'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'nested deeper than 64 levels'],
  ])('%j is a parse error with its position', async (text, where) => {
    const { status, body } = await make(text, { 'content-type': 'application/json' });
    const detail = `JSON parse error - ${where}.`;
    expect({ status, body }).toEqual({ status: 400, body: { detail, code: 'parse_error' } });
  });

  test('may contain any number of brackets in its texts', async () => {
    const body = { name: `\\"${'{['.repeat(100)}\\`, data: '[' };
    expect((await make(body)).body).toEqual(body);
  });

  test('may be nested 64 deep', async () => {
    const text = `{"name":"x","data":${'['.repeat(63)}${']'.repeat(63)}}`;
    expect((await make(text, { 'content-type': 'application/json' })).status).toBe(201);
  });

  test.each([
    ['application/json; charset=utf-8', 201],
    ['application/merge-patch+json', 201],
    ['application/x-www-form-urlencoded', 415],
    ['text/plain', 415],
    ['application/json; charset=klingon', 415],
  ])('of the type %s is answered with %i', async (type, status) => {
    expect((await make('{"name":"x"}', { 'content-type': type })).status).toBe(status);
  });

  test('without a content type is read when it parses', async () => {
    expect((await make('{"name":"x"}')).status).toBe(201);
  });

  test('that is not valid UTF-8 is a parse error', async () => {
    const { body } = await make(Buffer.from([0x7b, 0xff, 0x7d]), { 'content-type': 'application/json' });
    expect(body).toMatchObject({ code: 'parse_error' });
  });
});
