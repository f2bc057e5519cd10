import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { schemaFault } from '../../../src/engine/json-schema/schema-fault.js';
import { valueFault } from '../../../src/engine/json-schema/value-fault.js';

describe('a schema', () => {
  test.each<[string, unknown, string | undefined]>([
    [
      'of all keywords',
      { type: ['object', 'null'], properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: true } },
      undefined,
    ],
    ['that refers to itself', { properties: { next: { $ref: '#' } } }, undefined],
    ['with an escaped reference', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': {} } }, undefined],
    [
      'of another address',
      { $ref: 'https://example.com/s.json' },
      '$ref must refer to a part of this schema, as #/$defs/name',
    ],
    ['that refers to nothing', { items: { $ref: '#/$defs/x' } }, 'items.$ref refers to a part that does not exist'],
    [
      'with a misspelled type',
      { properties: { a: { type: 'text' } } },
      'properties.a.type must be one of string, number, integer, boolean, object, array, null, or a list of them',
    ],
    [
      'with a backreference',
      { pattern: '(a)\\1' },
      'pattern must be a pattern in the syntax of RE2 with at most 1000 characters',
    ],
    [
      'with a huge pattern',
      { pattern: '(?:a{100}){10}{100}' },
      'pattern must be a pattern in the syntax of RE2 with at most 1000 characters',
    ],
    ['with unevaluated members', { unevaluatedProperties: false }, 'unevaluatedProperties is not supported'],
    ['with a number for a list', { anyOf: 5 }, 'anyOf must be a list of schemas'],
    ['with a negative length', { items: { minLength: -1 } }, 'items.minLength must be a whole number of at least 0'],
    ['with a text for a schema', { not: 'x' }, 'not must be a schema, an object'],
    ['of a long list', { enum: [Array(70_000).fill('')] }, 'must have at most 65536 characters'],
  ])('%s', (_title, schema, fault) => {
    expect(schemaFault(schema)).toBe(fault);
  });

  test('nested too deep is refused', () => {
    let schema: object = {};
    for (let depth = 0; depth < 100; depth++) schema = { not: schema };
    expect(schemaFault(schema)).toBe('must be nested at most 64 deep');
  });
});

describe('a fault', () => {
  test.each<[unknown, unknown, string | undefined]>([
    [
      { items: [{ price: '5' }] },
      { properties: { items: { items: { properties: { price: { type: 'number' } } } } } },
      'items.0.price must be of the type number',
    ],
    [{}, { required: ['a'] }, 'a is required'],
    [{ b: 1 }, { additionalProperties: false }, 'b is not allowed'],
    ['no', { enum: ['yes', 1] }, 'must be one of "yes", 1'],
    [2, { const: 1 }, 'must be 1'],
    ['🙂🙂', { maxLength: 1 }, 'must have at most 1 characters'],
    ['abc', { pattern: '^\\d+$' }, 'must match the pattern ^\\d+$'],
    [0.3, { multipleOf: 0.1 }, undefined],
    [
      5,
      { anyOf: [{ type: 'string' }, { minimum: 6 }] },
      'must conform to one of 2 alternatives; the first reports: must be of the type string',
    ],
    [5, { oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 'must conform to one alternative of oneOf and conforms to 2'],
    [{ a: 1 }, { dependentRequired: { a: ['b'] } }, 'b is required'],
    [{ Ab: 1 }, { propertyNames: { pattern: '^[a-z]+$' } }, 'Ab has a name that must match the pattern ^[a-z]+$'],
    [[1, '1', 1], { uniqueItems: true }, 'must not contain equal items'],
    [[1, 'x'], { prefixItems: [{ type: 'number' }], items: false }, '1 is not allowed'],
    [
      { k: 'us', zip: 1 },
      JSON.parse('{"if": {"properties": {"k": {"const": "us"}}}, "then": {"properties": {"zip": {"type": "string"}}}}'),
      'zip must be of the type string',
    ],
  ])('of %j under %j is %s', (value, schema, fault) => {
    expect(valueFault(value, schema)).toBe(fault);
  });

  test('names a member of any length with a bounded text', () => {
    // 300 characters of the name, an ellipsis and ` is not allowed`.
    expect(valueFault({ ['x'.repeat(5000)]: 1 }, { additionalProperties: false })).toHaveLength(316);
  });

  test('of a schema that grows without end is found in bounded steps', () => {
    const tooComplex = 'cannot be checked: the schema is too complex for this value';
    expect(valueFault(1, { $ref: '#' })).toBe(tooComplex);
    const levels = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`l${at}`, { allOf: Array(2).fill({ $ref: `#/$defs/l${at + 1}` }) }]),
    );
    expect(valueFault(1, { $ref: '#/$defs/l0', $defs: { ...levels, l40: true } })).toBe(tooComplex);
    expect(valueFault(Array(100_000).fill('x'.repeat(300)), { uniqueItems: true })).toBe(tooComplex);
  });
});

const names = fc.constantFrom('a', 'b', 'cc');
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, 1.5),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('', 'a', 'ab', '🙂', '12'),
);
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const count = fc.nat(3);
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
const { schema } = fc.letrec<{ schema: object | boolean }>(tie => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(names, tie('schema'), { maxKeys: 2, noNullPrototype: true });
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
          const: value,
          enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          ...{ minimum: count, maximum: count, exclusiveMinimum: count, multipleOf: fc.constantFrom(1, 2, 0.5) },
          ...{ minLength: count, maxLength: count, pattern: fc.constantFrom('a', '^\\d+$', '^.$') },
          ...{ minItems: count, maxItems: count, uniqueItems: fc.boolean() },
          ...{ minProperties: count, maxProperties: count, required: fc.uniqueArray(names) },
          dependentRequired: fc.dictionary(names, fc.uniqueArray(names), { maxKeys: 2, noNullPrototype: true }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: map,
          patternProperties: fc.dictionary(fc.constantFrom('^a', 'c'), tie('schema'), { noNullPrototype: true }),
          additionalProperties: tie('schema'),
          propertyNames: tie('schema'),
          dependentSchemas: map,
        },
        { requiredKeys: [] },
      ),
      fc.record({ items: tie('schema'), prefixItems: list }, { requiredKeys: [] }),
      // Ajv accepts an empty list next to prefixItems, and for `false`.
      fc.record(
        { contains: fc.record({ type: types }), minContains: count, maxContains: count },
        { requiredKeys: ['contains'] },
      ),
      fc.record({ allOf: list, anyOf: list, oneOf: list, not: tie('schema') }, { requiredKeys: [] }),
      fc.record(Object.fromEntries(['if', 'then', 'else'].map(keyword => [keyword, tie('schema')])), {
        requiredKeys: [],
      }),
    ),
  };
});

test('random values conform to random schemas exactly if Ajv says so', () => {
  fc.assert(
    fc.property(schema, value, (each, json) => {
      const expected = verdictOfAjv(each, json);
      fc.pre(expected !== undefined);
      expect([valueFault(json, each) === undefined, schemaFault(each)]).toEqual([expected, undefined]);
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
  );
});

/** Returns undefined if the code that Ajv generates is not valid, as for some nested `dependentSchemas`. */
function verdictOfAjv(each: object | boolean, json: unknown): boolean | undefined {
  try {
    return new Ajv2020({ strict: false, unicodeRegExp: true }).compile(each)(json) as boolean;
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}
