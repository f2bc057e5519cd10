import { expect, test } from '@jest/globals';
import { type Api, ask } from './rest-compat.harness.js';

const api: Api = {
  schema: `
    enum Colour { RED DARK_BLUE }
    type Part { colour: Colour, colours: [Colour!], note: String, other: String }
    type Thing { parts: [Part!]! note: String }
    type Query { thing: Thing }
    type Mutation { paint(name: String!, colour: Colour!, isDry: Boolean): String! }
  `,
  operations: `
    fragment Part on Part { colour colours note @omitNull other }
    "Thing" query Thing @rest(method: GET, path: "/api/v1/thing/") { body: thing { parts { ...Part } note @omitNull } }
    "Paint" mutation Paint($name: String!, $colour: Colour!, $is_dry: Boolean @query)
    @rest(method: POST, path: "/api/v1/paint/", status: 202) { body: paint(name: $name, colour: $colour, isDry: $is_dry) }
  `,
  resolve: {
    thing: () => ({
      note: 'kept',
      parts: [
        { colour: 'DARK_BLUE', colours: ['RED', 'DARK_BLUE'], note: null, other: null },
        { colour: null, colours: null, note: 'x', other: 'y' },
      ],
    }),
    paint: (_, args: object) => JSON.stringify(args),
  },
};

test('enums are in lower case, and only @omitNull drops null members', async () => {
  expect((await ask(api, { path: '/api/v1/thing/' })).body).toEqual({
    note: 'kept',
    parts: [
      { colour: 'dark_blue', colours: ['red', 'dark_blue'], other: null },
      { colour: null, colours: null, note: 'x', other: 'y' },
    ],
  });
});

test('a variable marked @query comes from the query of a route with a body', async () => {
  const sent = { name: 'x', colour: 'dark_blue', is_dry: 'not looked at' };
  const { status, body } = await ask(api, { method: 'POST', path: '/api/v1/paint/?is_dry=1', body: sent });
  expect({ status, body: JSON.parse(String(body)) }).toEqual({
    status: 202,
    body: { name: 'x', colour: 'DARK_BLUE', isDry: true },
  });
});

test('a null under the alias body is sent as null', async () => {
  const { text } = await ask({ ...api, resolve: { thing: () => null } }, { path: '/api/v1/thing/' });
  expect(text).toBe('null');
});
