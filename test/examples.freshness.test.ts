import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from './support/readme/readme.js';

interface ExcerptScript {
  routesOf(source: string): { method: string; path: string }[];
  excerpt(document: object, routes: { method: string; path: string }[]): Record<string, unknown>;
  missingFrom(excerpted: object, document: object): string[];
}

const schema = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const json = (of: object) => ({ content: { 'application/json': { schema: of, example: { id: 1 } } } });

/** A document of two routes; `change` is made to a copy. */
function documentWith(change: (document: any) => void = () => undefined): object {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/things/': {
        post: {
          summary: 'Create',
          parameters: [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }],
          requestBody: json(schema({ name: { type: 'string' }, example: { type: 'string' } }, { required: ['name'] })),
          responses: { 201: json({ $ref: '#/components/schemas/Thing' }) },
        },
        get: { responses: { 200: json({ type: 'array' }) } },
      },
    },
    components: {
      schemas: {
        Thing: schema({ id: { type: 'integer' }, part: { $ref: '#/components/schemas/Part' } }, { required: ['id'] }),
        Part: schema({ size: { type: ['integer', 'null'] }, whole: { $ref: '#/components/schemas/Thing' } }),
        Other: schema({}),
      },
    },
  };
  change(document);
  return document;
}

describe('the excerpt of openapi.json', () => {
  const routes = [{ method: 'post', path: '/things/' }];
  let checker: ExcerptScript;

  beforeAll(async () => {
    checker = (await import(pathToFileURL(path.join(ROOT, 'scripts/openapi-excerpt.mjs')).href)) as ExcerptScript;
  });

  it('holds the routes that a client calls, with the components they name and without samples', () => {
    const source = `await api.POST('/things/', { body });\nawait api.GET('/other/{id}/');`;
    expect(checker.routesOf(source)).toEqual([...routes, { method: 'get', path: '/other/{id}/' }]);
    const made = checker.excerpt(documentWith(), routes) as any;
    expect(Object.keys(made.paths['/things/'])).toEqual(['post']);
    expect(Object.keys(made.components.schemas)).toEqual(['Thing', 'Part']);
    const body = made.paths['/things/'].post.requestBody.content['application/json'];
    expect(Object.keys(body.schema.properties)).toEqual(['name', 'example']);
    expect(body.example).toBeUndefined();
    expect(() => checker.excerpt(documentWith(), [{ method: 'put', path: '/things/' }])).toThrow('PUT /things/');
  });

  it.each<[string, (document: any) => void]>([
    ['nothing changed', () => undefined],
    ['texts changed', document => Object.assign(document.paths['/things/'].post, { summary: 'Make' })],
    ['a route came', document => Object.assign(document.paths, { '/more/': { get: {} } })],
    ['a member came', ({ components }) => Object.assign(components.schemas.Thing.properties, { more: {} })],
    ['a member always comes', ({ components }) => components.schemas.Thing.required.push('part')],
    [
      'a parameter came that may be left out',
      ({ paths }) => paths['/things/'].post.parameters.push({ name: 'q', in: 'query', required: false }),
    ],
  ])('covers a document in which %s', (_what, change) => {
    expect(checker.missingFrom(checker.excerpt(documentWith(), routes), documentWith(change))).toEqual([]);
  });

  it.each<[string, (document: any) => void]>([
    ['a route went', document => Reflect.deleteProperty(document.paths, '/things/')],
    ['a member went', ({ components }) => Reflect.deleteProperty(components.schemas.Part.properties, 'size')],
    ['a type changed', ({ components }) => Object.assign(components.schemas.Thing.properties.id, { type: 'string' })],
    ['a member is null no more', ({ components }) => components.schemas.Part.properties.size.type.pop()],
    ['a member need not come any more', ({ components }) => components.schemas.Thing.required.pop()],
    [
      'a request asks for more',
      ({ paths }) => paths['/things/'].post.requestBody.content['application/json'].schema.required.push('example'),
    ],
    [
      'a parameter must be given',
      ({ paths }) => Object.assign(paths['/things/'].post.parameters[0], { required: true }),
    ],
  ])('is outdated when %s', (_what, change) => {
    expect(checker.missingFrom(checker.excerpt(documentWith(), routes), documentWith(change))).not.toEqual([]);
  });
});
