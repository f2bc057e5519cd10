import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { demoGraph } from '../../src/demo/workflow.js';
import { nodeKinds } from '../../src/engine/workflow/nodes/index.js';
import { ROOT } from '../support/readme/readme.js';

type Json = Record<string, any>;

let document: Json;

/** Ajv with the document, whose schemas are those of JSON Schema 2020-12. */
function ajvWithDocument(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  return ajv;
}

beforeAll(async () => {
  document = JSON.parse(await readFile(path.join(ROOT, 'rest-compat/generated/openapi.json'), 'utf8'));
});

/** Calls `visit` with each object of the document and its path. Examples are values, so they are left out. */
function visitObjects(value: unknown, at: string, visit: (object: Json, at: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json, at);
  for (const [key, member] of Object.entries(value))
    if (key !== 'example' && key !== 'examples') visitObjects(member, `${at}/${key}`, visit);
}

it('each example fits its schema', () => {
  const ajv = ajvWithDocument();
  const faults: string[] = [];
  let examples = 0;
  const check = (schema: Json, example: unknown, at: string) => {
    examples++;
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
    if (!ajv.validate(JSON.parse(text), example)) faults.push(`${at}: ${ajv.errorsText()}`);
  };
  visitObjects(document.paths, '', ({ schema, example, examples: named }, at) => {
    if (schema === undefined) return;
    if (schema.default !== undefined) check(schema, schema.default, `${at}/default`);
    if (example !== undefined) check(schema, example, at);
    for (const [name, { value }] of Object.entries((named ?? {}) as Json)) check(schema, value, `${at}/${name}`);
  });
  expect(faults).toEqual([]);
  expect(examples).toBeGreaterThan(300);
});

it('each required member is declared', () => {
  const faults: string[] = [];
  visitObjects(document, '', ({ required, properties = {} }, at) => {
    if (!Array.isArray(required)) return;
    if (required.length === 0) faults.push(`${at}: empty list`);
    for (const name of required) if (!(name in properties)) faults.push(`${at}: ${name}`);
  });
  expect(faults).toEqual([]);
});

describe('graphs', () => {
  /** Returns the errors of a graph that does not fit the schema of runnable graphs, otherwise an empty list. */
  const runnableErrors = (graph: unknown) => {
    const ajv = ajvWithDocument();
    const fits = ajv.compile({ $ref: 'openapi#/components/schemas/RunnableGraph' });
    return fits(graph) ? [] : ajv.errorsText(fits.errors);
  };

  it('have a schema of the settings of each kind of node, selected by its type', () => {
    const { GraphNode, ...schemas } = document.components.schemas;
    expect(GraphNode.discriminator.propertyName).toBe('type');
    const { mapping } = GraphNode.discriminator;
    expect(Object.keys(mapping)).toEqual(nodeKinds.map(({ type }) => type));
    expect(GraphNode.oneOf).toEqual(Object.values(mapping).map($ref => ({ $ref })));
    for (const { type, nodeType, members } of nodeKinds) {
      const { properties } = schemas[mapping[type].split('/').at(-1)];
      expect(properties.type.enum).toEqual([type]);
      expect(properties.data.$ref).toBe(`#/components/schemas/${nodeType}`);
      expect(Object.keys(schemas[nodeType].properties)).toEqual(expect.arrayContaining([...members]));
    }
    expect(Object.keys(schemas.NodeData.properties)).toEqual(expect.arrayContaining(['name', 'next_nodes', 'version']));
  });

  it('of the demo and of the example fit the schema of runnable graphs', () => {
    const demo = demoGraph({ model: 'echo', customersUrl: 'https://example.com/customers' });
    expect(runnableErrors(demo)).toEqual([]);
    const { example } = document.paths['/api/v1/workflows/'].post.requestBody.content['application/json'];
    expect(runnableErrors(example.data)).toEqual([]);
  });

  it('with missing or wrong settings or an unknown type fit only the schema of drafts', () => {
    const node = (type: string, data: object) => ({ nodes: [{ id: 'a', type, data }], edges: [] });
    expect(runnableErrors(node('http-node', { url: 'https://example.com', method: 'GET' }))).toEqual([]);
    for (const graph of [
      node('http-node', { method: 'GET' }),
      node('http-node', { url: 'https://example.com', method: 'FETCH' }),
      node('no-such-node', {}),
      { nodes: 'none' },
      {},
    ]) {
      expect(runnableErrors(graph)).not.toEqual([]);
      expect(ajvWithDocument().validate({ $ref: 'openapi#/components/schemas/WorkflowGraph' }, graph)).toBe(true);
    }
  });
});
