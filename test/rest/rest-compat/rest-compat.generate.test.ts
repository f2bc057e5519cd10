import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { buildSchema } from 'graphql';
import { generate } from '../../../rest-compat/generate.js';
import { routes } from '../../../rest-compat/generated/routes.js';
import { prepareOperation } from '../../../rest-compat/runtime/operation.js';
import { nodeListing } from '../../../src/engine/workflow/nodes/listing.js';
import { directives } from './rest-compat.harness.js';

const schema = `
  enum Order { TIME }
  type Thing { id: Int! name: String! order: Order }
  type Query { thing(id: Int!): Thing! things(order: Order, text: String): [Thing!]! }
  type Mutation { thingDelete(id: Int!): Thing! }
`;

const one =
  '"One" query One($id: Int!) @rest(method: GET, path: "/api/v1/things/{id}/") { body: thing(id: $id) { id } }';

test('every route of the committed table fits the committed schema', () => {
  const built = buildSchema(readFileSync('schema.graphql', 'utf8'));
  expect(routes.length).toBeGreaterThan(100);
  for (const route of routes) expect(prepareOperation(built, route).route).toBe(route);
});

test('a route that does not fit the schema is reported', () => {
  const [route] = routes;
  if (!route) throw new Error('there are no routes');
  expect(() => prepareOperation(buildSchema(schema), route)).toThrow(`${route.operation} does not fit the schema`);
});

function faultsOf(...texts: string[]): readonly string[] {
  const operations = texts.map((text, index) => ({ name: `operations/${index + 1}.graphql`, text }));
  const generated = generate({ schema, directives, operations, version: '1.0.0', nodeKinds: [] });
  return 'faults' in generated ? generated.faults : [];
}

describe('the generator names file and operation of', () => {
  test.each<[string, string, string]>([
    ['a syntax error', 'query {', 'operations/1.graphql: Syntax Error: Expected Name, found <EOF>. (line 1)'],
    [
      'a field that the schema does not have',
      one.replace('{ id }', '{ colour }'),
      'operations/1.graphql: One: Cannot query field "colour" on type "Thing". (line 1)',
    ],
    [
      'an option outside the closed set',
      one.replace('method: GET', 'method: GET, cache: 5'),
      'operations/1.graphql: One: Unknown argument "cache" on directive "@rest". Did you mean "path"? (line 1)',
    ],
    [
      'an operation without @rest',
      '"One" query One { body: things { id } }',
      'operations/1.graphql: One: it has no @rest',
    ],
    [
      'a missing description',
      one.replace('"One" query', 'query'),
      'operations/1.graphql: One: it needs a description, whose first line is the summary',
    ],
    [
      'a missing alias body',
      one.replace('body: ', ''),
      'operations/1.graphql: One: one field must have the alias body and be the only field of its level',
    ],
    [
      'a path parameter without a variable',
      one.replace('{id}/', '{id}/{part}/'),
      'operations/1.graphql: One: the path names {part}, but there is no variable $part',
    ],
    [
      'a path without its last slash',
      one.replace('{id}/', '{id}'),
      'operations/1.graphql: One: the path must start with /api/ and end with a slash, or start with /v1/, and contain {parameters} only as whole segments',
    ],
    [
      'a run input without its variables',
      '"Gone" mutation Gone($id: Int!) @rest(method: POST, path: "/api/v1/{id}/", body: RUN_INPUT) { body: thingDelete(id: $id) { id } }',
      'operations/1.graphql: Gone: the body RUN_INPUT sets $input, which is not declared',
    ],
    [
      'a graph without its variable',
      '"Gone" mutation Gone($id: Int!) @rest(method: POST, path: "/api/v1/{id}/", body: GRAPH) { body: thingDelete(id: $id) { id } }',
      'operations/1.graphql: Gone: the body GRAPH sets $data, which is not declared',
    ],
    [
      'a second name in a path',
      one.replace('$id: Int!', '$id: Int! @alias(name: "key")'),
      'operations/1.graphql: One: @alias on $id, which is neither a query parameter nor a member of the body',
    ],
    [
      'a second name that is taken',
      '"All" query All($t: String @alias(name: "o"), $o: Order) @rest(method: GET, path: "/api/v1/things/") { body: things(text: $t, order: $o) { id } }',
      'operations/1.graphql: All: @alias on $t: o is not a valid name or is already used',
    ],
    [
      'unused members without a JSON body',
      one.replace('{ body', '@unused(members: ["name"]) { body'),
      'operations/1.graphql: One: @unused requires the body JSON, not NONE',
    ],
    [
      'an unused member that is a variable',
      one.replace('{ body', '@unused(members: ["id"]) { body'),
      'operations/1.graphql: One: @unused: id is a variable',
    ],
    [
      'an idempotency key where nothing is posted',
      one.replace('method: GET', 'method: GET, idempotencyKey: true'),
      'operations/1.graphql: One: idempotencyKey requires POST and credentials',
    ],
    [
      'an empty reply with another status',
      one.replace('method: GET', 'method: GET, reply: EMPTY, status: 200'),
      'operations/1.graphql: One: the reply EMPTY requires the status 204, and the status 204 the reply EMPTY',
    ],
    [
      'a choice that the enum does not have',
      '"All" query All($o: Order @choices(of: [{ sent: "name", value: "NAME" }])) @rest(method: GET, path: "/api/v1/things/") { body: things(order: $o) { id } }',
      'operations/1.graphql: All: @choices on $o: Order has no value NAME',
    ],
    [
      'choices on a field that is not an enum',
      one.replace('{ id }', '{ name @choices(of: [{ sent: "time", value: "TIME" }]) }'),
      'operations/1.graphql: One: @choices on name, which is not an enum',
    ],
    [
      'choices on a field with a value that the enum does not have',
      one.replace(
        '{ id }',
        '{ order @choices(of: [{ sent: "time", value: "TIME" }, { sent: "name", value: "NAME" }]) }',
      ),
      'operations/1.graphql: One: @choices on order: Order has no value NAME',
    ],
    [
      'choices on a field that lack a value of the enum',
      one.replace('{ id }', '{ order @choices(of: []) }'),
      'operations/1.graphql: One: @choices on order: TIME is missing',
    ],
    [
      'a range on a text',
      '"All" query All($t: String @range(min: 1)) @rest(method: GET, path: "/api/v1/things/") { body: things(text: $t) { id } }',
      'operations/1.graphql: All: @range on $t, which is not a number',
    ],
    [
      'an id or a boolean without its variable',
      '"All" query All($t: String @orBoolean(variable: "isOn", fault: "x")) @rest(method: GET, path: "/api/v1/things/") { body: things(text: $t) { id } }',
      'operations/1.graphql: All: @orBoolean on $t requires a query parameter of type Int and a variable of type Boolean',
    ],
    [
      'a text that is inverted',
      '"All" query All($t: String @negated) @rest(method: GET, path: "/api/v1/things/") { body: things(text: $t) { id } }',
      'operations/1.graphql: All: @negated on $t, which is not a boolean',
    ],
    [
      'an example that is not JSON',
      one.replace('{ body', '@example(response: "{") { body'),
      'operations/1.graphql: One: the response of @example is not JSON',
    ],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text)).toContain(fault);
  });

  test('a route that exists twice', () => {
    const other = one.replaceAll('One', 'Other').replaceAll('$id', '$key').replace('{id}', '{key}');
    expect(faultsOf(one, other)).toEqual(['operations/2.graphql: route GET /api/v1/things/{}/ is defined twice']);
  });

  test('an invalid schema', () => {
    const generated = generate({ schema: 'type Query {', directives, operations: [], version: '1.0.0', nodeKinds: [] });
    expect(generated).toEqual({ faults: ['schema.graphql: Syntax Error: Expected Name, found <EOF>.'] });
  });

  test('an unused fragment', () => {
    expect(faultsOf(one, 'fragment Thing on Thing { id }')).toEqual(['fragment Thing is used by no operation']);
  });
});

/** The product's own operations. */
const product = {
  schema: readFileSync('schema.graphql', 'utf8'),
  directives,
  operations: readdirSync('rest-compat/operations').map(name => ({
    name: `operations/${name}`,
    text: readFileSync(`rest-compat/operations/${name}`, 'utf8'),
  })),
  version: '1.0.0',
  nodeKinds: nodeListing(),
};

function filesOf(sources: typeof product): Readonly<Record<string, string>> {
  const generated = generate(sources);
  if ('faults' in generated) throw new Error(generated.faults.join('\n'));
  return generated.files;
}

describe('what is generated', () => {
  test('is the same for the files in any order', () => {
    expect(filesOf({ ...product, operations: product.operations.toReversed() })).toEqual(filesOf(product));
  });

  test('lists a fixed path before one with a parameter', () => {
    const table = filesOf(product)['routes.ts'] ?? '';
    expect(table.indexOf('/workflows/get_nodes/')).toBeLessThan(table.indexOf('/workflows/{id}/'));
  });

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(filesOf(product)['openapi.json'] ?? ''));
    expect(result).toMatchObject({ valid: true });
  });

  test('has examples that fit their schemas, one for each request and response', () => {
    const document = JSON.parse(filesOf(product)['openapi.json'] ?? '') as Document;
    const bodies = bodiesOf(document);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const invalidExamples = bodies.filter(({ at, examples }) => {
      const fits = ajv.compile({ $ref: `openapi#${at}/schema` });
      return examples.length === 0 || examples.some(example => !fits(example));
    });
    expect({ invalidExamples, isChecked: bodies.length > 25 }).toEqual({ invalidExamples: [], isChecked: true });
  });
});

describe('the generate command', () => {
  test('writes the files, and with --check names a stale one and its line', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'rest-compat-'));
    try {
      for (const name of [
        'schema.graphql',
        'package.json',
        'rest-compat/directives.graphql',
        'rest-compat/operations',
      ]) {
        cpSync(name, path.join(root, name), { recursive: true });
      }
      const run = (...args: string[]) => {
        const file = fileURLToPath(new URL('../../../src/http/generate-rest.js', import.meta.url));
        const { status, stderr } = spawnSync(process.execPath, [file, root, ...args], { encoding: 'utf8' });
        return { status, stderr };
      };
      const stale = ['routes.ts', 'openapi.json', 'ROUTES.md'].map(
        name => `rest-compat/generated/${name} is stale from line 1: npm run generate\n`,
      );
      expect(run('--check')).toEqual({ status: 1, stderr: stale.join('') });
      expect(run()).toEqual({ status: 0, stderr: '' });
      expect(run('--check')).toEqual({ status: 0, stderr: '' });
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

interface Body {
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}
interface Operation {
  readonly requestBody?: { content: Record<string, Body> };
  readonly responses: Record<string, { content?: Record<string, Body> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

/** Every body of a request or a success, with a JSON pointer to it and its examples. */
function bodiesOf(document: Document): { at: string; examples: unknown[] }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const at = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      return [
        ...contentOf(`${at}/requestBody`, operation.requestBody?.content),
        ...successes.flatMap(([status, response]) => contentOf(`${at}/responses/${status}`, response.content)),
      ];
    }),
  );
}

function contentOf(at: string, content: Record<string, Body> = {}): { at: string; examples: unknown[] }[] {
  return Object.entries(content).map(([type, body]) => ({
    at: encodeURI(`${at}/content/${type.replaceAll('/', '~1')}`),
    examples: body.examples
      ? Object.values(body.examples).map(example => example.value)
      : [body.example].filter(example => example !== undefined),
  }));
}
