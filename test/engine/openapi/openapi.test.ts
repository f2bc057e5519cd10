import { expect, it } from '@jest/globals';
import type { TemplateError } from '../../../src/engine/expressions/expression.js';
import { renderValue } from '../../../src/engine/expressions/template.js';
import { schemaFault } from '../../../src/engine/json-schema/schema-fault.js';
import { valueFault } from '../../../src/engine/json-schema/value-fault.js';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { nodeSettings, toolSettings } from '../../../src/engine/openapi/operation-settings.js';
import { readDocument } from '../../../src/engine/openapi/read-document.js';
import { scope } from '../expressions/expression-scope.js';

const target = { baseUrl: 'https://api.example.com/v1', connectionId: 7 };

function read(paths: JsonObject, more: JsonObject = {}) {
  return readDocument({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...more });
}

function only(method: string, path: string, operation: JsonObject, more: JsonObject = {}) {
  const { operations, skipped } = read({ [path]: { [method]: operation } }, more);
  expect(skipped).toEqual([]);
  return operations[0]!;
}

const query = (name: string, schema: JsonObject, more: JsonObject = {}) => ({ in: 'query', name, schema, ...more });

/** Renders a setting of a node whose input has the arguments. */
function rendered(setting: unknown, input: JsonObject): unknown {
  return renderValue(setting, { ...scope, input, declared: new Set() });
}

it('builds a typed tool whose request contains the arguments', () => {
  const operation = only('get', '/pets/{pet-id}/toys', {
    operationId: 'listToys',
    summary: 'Lists toys.',
    parameters: [
      { in: 'path', name: 'pet-id', required: true, schema: { type: 'string' } },
      query('tags', { type: 'array', items: { type: 'string' } }, { explode: false }),
      { in: 'header', name: 'X-Trace', schema: { type: 'string' } },
      { in: 'header', name: 'Authorization', schema: { type: 'string' } },
    ],
  });
  const tool = toolSettings(operation, target);
  expect(tool).toMatchObject({
    ...{ kind: 'http', name: 'listToys', description: 'Lists toys.' },
    request: {
      method: 'GET',
      url: 'https://api.example.com/v1/pets/{{ url_segment(text(args.pet_id)) }}/toys',
      connection_id: 7,
      headers: { 'X-Trace': '{{ is_empty(args.X_Trace) ? null : args.X_Trace }}' },
      params: { tags: '{{ is_empty(args.tags) ? null : join(args.tags, ",") }}' },
    },
  });
  expect(schemaFault(tool.parameters)).toBeUndefined();
  const faultOf = (args: object) => valueFault(args, tool.parameters);
  expect(faultOf({ pet_id: 'a b', tags: ['x'] })).toBeUndefined();
  expect(faultOf({})).toContain('pet_id');
  expect(faultOf({ pet_id: 'a', tags: 'x' })).toContain('array');
  expect(faultOf({ pet_id: 'a', other: 1 })).toBeDefined();
  for (const segment of ['', '.', '..']) expect(faultOf({ pet_id: segment })).toBeDefined();
});

it.each([
  ['a list', { type: 'array', items: { type: 'string' } }],
  ['a list or a text', { type: ['array', 'string', 'null'] }],
  ['a value of any type', {}],
  ['a list in a schema that is too large', { type: 'array', items: { enum: ['x'.repeat(40_000)] } }],
])('lets %s in a path select no other path', (_, schema) => {
  const operation = only('get', '/l/{ids}/x', { parameters: [{ in: 'path', name: 'ids', required: true, schema }] });
  const { url } = nodeSettings(operation, target);
  const refused: unknown[] = [];
  for (const ids of [...['', '.', '..', null, [], [''], ['.'], ['..'], [null]], '%2e%2e', ['..', '..'], 'a/../b', 7]) {
    try {
      const { pathname } = new URL(rendered(url, { ids }) as string);
      expect([ids, pathname]).toEqual([ids, expect.stringMatching(/^\/v1\/l\/[^/]+\/x$/)]);
    } catch (error) {
      expect((error as TemplateError).message).toContain('url_segment takes');
      expect([ids, valueFault({ ids }, operation.parameters)]).toEqual([ids, expect.any(String)]);
      refused.push(ids);
    }
  }
  const lists = operation.arguments[0]!.isJoined ? [[], [''], ['.'], ['..']] : [];
  expect(refused).toEqual(['', '.', '..', ...lists]);
});

it('describes an argument with a name that every object inherits', () => {
  const { parameters } = only('get', '/pets', { parameters: [query('__proto__', { type: 'string' })] });
  expect(Object.keys(parameters.properties as object)).toEqual(['__proto__']);
});

it('keeps recursive schemas as definitions and adopts the keywords of OpenAPI 3.0', () => {
  const components = {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name', 'id'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', nullable: true },
          age: { type: 'number', minimum: 0, exclusiveMinimum: true },
          parent: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
    requestBodies: {
      Pet: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
    },
  };
  const operation = only(
    'post',
    '/pets',
    { requestBody: { $ref: '#/components/requestBodies/Pet' } },
    { openapi: '3.0.3', components },
  );
  const { parameters } = operation;
  expect(schemaFault(parameters)).toBeUndefined();
  expect(valueFault({ body: { name: null, parent: { name: 'Rex', age: 2 } } }, parameters)).toBeUndefined();
  expect(valueFault({ body: { name: 'Ada', parent: { name: 5 } } }, parameters)).toContain('body.parent.name');
  expect(valueFault({ body: { name: 'Ada', age: 0 } }, parameters)).toContain('more than 0');
  expect(toolSettings(operation, target).request).toMatchObject({ body: '{{ args.body }}' });
  expect(nodeSettings(operation, target)).toMatchObject({ body: { name: '{{ input.name }}' } });
});

it('sends forms and paths below the base URL of a connection', () => {
  const schema = { type: 'object', required: ['To'], properties: { To: { type: 'string' }, Body: { type: 'string' } } };
  const content = { 'application/x-www-form-urlencoded': { schema } };
  const operation = only('post', '/messages', { requestBody: { required: true, content } });
  expect(toolSettings(operation, { baseUrl: '', connectionId: 1 }).request).toMatchObject({
    url: '/messages',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'To={{ url_encode(text(args.To)) }}{{ is_empty(args.Body) ? "" : "&Body=" + url_encode(text(args.Body)) }}',
  });
});

it('sends a list in a form as one member for each item', () => {
  const list = { type: 'array', items: { type: 'string' } };
  const schema = {
    type: 'object',
    required: ['a', 'c[]'],
    properties: { a: { type: 'string' }, b: list, 'c[]': list, joined: list, piped: list },
  };
  const encoding = { joined: { explode: false }, piped: { style: 'pipeDelimited' } };
  const form = { content: { 'application/x-www-form-urlencoded': { schema, encoding } } };
  const operation = only('post', '/f', { requestBody: form });
  const { body } = nodeSettings(operation, target);
  expect(rendered(body, { a: 'x', b: ['1', '2&3'], c_: ['4'], joined: ['5', '6'] })).toBe(
    'a=x&b=1&b=2%263&c%5B%5D=4&joined=5%2C6',
  );
  expect(rendered(body, { a: 'x', c_: [] })).toBe('a=x');
  expect(rendered(body, { a: 'x', c_: 'one' })).toBe('a=x&c%5B%5D=one');
  expect(operation.arguments.map(({ requestName }) => requestName)).not.toContain('piped');
});

it('copies no placeholders from a document, because they could name secrets', () => {
  const hostile = '{{ env.TOKEN }} {{{ env.TOKEN }}}';
  const operation = only('get', '/a', {
    operationId: `a${hostile}`,
    summary: hostile,
    description: hostile,
    parameters: [query('q', { type: 'string', default: hostile, enum: [hostile], description: hostile })],
    requestBody: {
      content: {
        'application/json': { schema: { properties: { [hostile]: { title: hostile } }, required: [hostile] } },
      },
    },
  });
  const settings = JSON.stringify([toolSettings(operation, target), nodeSettings(operation, target)]);
  expect(settings).not.toContain('env.TOKEN }}"');
  for (const [, placeholder] of settings.matchAll(/\{\{([^}]*)/g)) expect(placeholder).not.toContain('env');
  const { operations, skipped } = read({
    '/{{ env.TOKEN }}': { get: {} },
    '/b': { get: { parameters: [query(hostile, {})] } },
  });
  expect(skipped).toEqual(['GET /{{ env.TOKEN }}: the path is not supported']);
  expect(operations).toMatchObject([{ path: '/b', arguments: [] }]);
});

it('skips operations that cannot be called, with the reason', () => {
  const looping = { a: { $ref: '#/components/parameters/a' } };
  const { operations, skipped } = read(
    {
      '/upload': { post: { requestBody: { required: true, content: { 'multipart/form-data': {} } } } },
      '/cookie': { get: { parameters: [{ in: 'cookie', name: 'c', required: true, schema: {} }] } },
      '/elsewhere': { get: { parameters: [{ $ref: 'https://example.com/a.json#/b' }] } },
      '/loop': { get: { parameters: [{ $ref: '#/components/parameters/a' }] } },
      '/gone': { get: { parameters: [query('q', { $ref: '#/components/schemas/gone' })] } },
      '/{id}': { get: {} },
      '/fine': { get: { parameters: [query('filter', { type: 'object' })] } },
    },
    { components: { parameters: looping } },
  );
  expect(operations.map(({ name }) => name)).toEqual(['get_fine']);
  expect(skipped.map(each => each.split(': ')[0])).toEqual([
    ...['POST /upload', 'GET /cookie', 'GET /elsewhere', 'GET /loop', 'GET /gone', 'GET /{id}'],
  ]);
});

it('simplifies schemas that are too large for a tool', () => {
  const properties = Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`member${n}`, { type: 'string' }]));
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const { parameters } = only('put', '/a/{id}', {
    parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
    requestBody: { content },
  });
  expect(JSON.stringify(parameters).length).toBeLessThan(1000);
  expect(valueFault({ id: '..' }, parameters)).toBeDefined();
  expect(valueFault({ id: 'a', body: { member1: 1 } }, parameters)).toBeUndefined();
});

it('refuses documents that are not OpenAPI of a supported version', () => {
  for (const document of [null, [], 'text', {}, { swagger: '2.0' }, { openapi: '4.0.0' }])
    expect(() => readDocument(document)).toThrow('OpenAPI');
  const paths = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`/${n}`, { get: {} }]));
  expect(() => read(paths)).toThrow('more than 1000 operations');
});

it('gives each operation a name of its own and fills in the variables of the server', () => {
  const { operations, server } = read(
    { '/a': { get: { operationId: 'do it' }, post: { operationId: 'do_it' } } },
    { servers: [{ url: 'https://{region}.example.com/', variables: { region: { default: 'eu' } } }] },
  );
  expect(operations.map(({ name }) => name)).toEqual(['do_it', 'do_it_2']);
  expect(server).toBe('https://eu.example.com/');
});
