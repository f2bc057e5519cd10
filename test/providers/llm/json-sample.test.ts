import { expect, it } from '@jest/globals';
import { valueFault } from '../../../src/engine/json-schema/value-fault.js';
import { jsonSample } from '../../../src/providers/llm/json-sample.js';

it.each<[string, object, string, unknown]>([
  [
    'a reference as the first choice, next to properties of its own',
    {
      ...{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      ...{ anyOf: [{ $ref: '#/$defs/b' }], $defs: { b: { properties: { b: { type: 'integer' } }, required: ['b'] } } },
    },
    'x',
    { a: 'x', b: 1 },
  ],
  [
    'a reference with keywords next to it',
    { $ref: '#/$defs/a', required: ['a'], $defs: { a: { type: 'object', properties: { a: { type: 'boolean' } } } } },
    'x',
    { a: true },
  ],
  [
    'a reference to an item of a list',
    { type: 'array', prefixItems: [{ type: 'integer' }, { $ref: '#/prefixItems/0' }] },
    'x',
    [1, 1],
  ],
  ['a small range that excludes its end', { type: 'number', minimum: 0.8, exclusiveMaximum: 1 }, 'x', 0.9],
  ['a length in code points', { type: 'string', minLength: 2 }, '😀', '😀.'],
])('conforms to a schema with %s', (_title, schema, text, expected) => {
  const sample = jsonSample(schema, text);
  expect(sample).toEqual(typeof expected === 'number' ? expect.closeTo(expected) : expected);
  expect(valueFault(sample, schema)).toBeUndefined();
});
