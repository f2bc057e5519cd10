import { describe, expect, test } from '@jest/globals';
import { MASK, maskSecrets } from '../../src/engine/secrets.js';
import { compileGraph } from '../../src/engine/workflow/graph/graph.js';
import {
  inputFieldsOf,
  inputFromText,
  parseInputFields,
  prepareInput,
  valueFromTexts,
} from '../../src/engine/workflow/graph/input-fields.js';
import { validateRun } from '../../src/engine/workflow/graph/validate.js';
import { loop, output, run, short, template, trigger, workflow } from './samples.js';

const prepare = (field: object, value?: unknown, secrets = {}) =>
  prepareInput(parseInputFields([{ id: 'f', ...field }]), value === undefined ? {} : { f: value }, secrets);

describe('the texts of a form', () => {
  const options = [
    { title: 'One', value: 1 },
    { title: 'Two', value: 'two' },
  ];
  test.each<[type: string, texts: string[], value: unknown]>([
    ['text', ['5'], '5'],
    ['number', ['5.5'], 5.5],
    ['integer', [' 5 '], 5],
    ['number', ['five'], 'five'],
    ['boolean', ['true'], true],
    ['checkbox', ['false'], false],
    ['boolean', ['yes'], 'yes'],
    ['json', ['{"a":[1]}'], { a: [1] }],
    ['json', ['{'], '{'],
    ['select', ['1'], 1],
    ['select', ['three'], 'three'],
    ['multiselect', ['1', 'two'], [1, 'two']],
    ['multiselect', ['two'], ['two']],
    ['multiselect', ['[1,"two"]'], [1, 'two']],
    ['date', ['2026-01-02'], '2026-01-02'],
    ['unknown', ['5'], '5'],
  ])('for a field of the type %s: %j', (type, texts, value) => {
    const [field] = parseInputFields([{ id: 'f', type, options }]);
    expect(valueFromTexts(field!, texts)).toEqual(value);
  });
});

describe('declared input fields', () => {
  test('are read also when they are incomplete or badly formed', () => {
    expect(
      parseInputFields([null, 5, {}, { id: '' }, { id: '__proto__' }, { id: 'a' }, { id: 'a', type: 'number' }]),
    ).toEqual([
      {
        id: 'a',
        title: 'a',
        type: 'text',
        input_requirements: false,
        placeholder: '',
        tooltip: '',
        default_value: '',
        is_secret: false,
        options: [],
      },
    ]);
    expect(parseInputFields('x')).toEqual([]);
  });

  test('are those of the start node, also of a workflow that could not run', () => {
    const fields = [{ id: 'a' }];
    expect(inputFieldsOf(workflow([output('o'), trigger('t', { input_fields: fields })], ['t>nowhere']))).toMatchObject(
      fields,
    );
    expect(
      inputFieldsOf(workflow([trigger('t', { input_fields: fields }), trigger('u')], [], { start_node: 'u' })),
    ).toEqual([]);
    for (const data of [null, [], {}, { nodes: 5 }, { nodes: [null] }]) expect(inputFieldsOf(data)).toEqual([]);
  });
});

describe('a value of the type', () => {
  test.each<[object, unknown, string | undefined]>([
    [{ type: 'text' }, 'x', undefined],
    [{ type: 'text' }, 5, 'must be a text'],
    [{ type: 'password' }, {}, 'must be a text'],
    [{ type: 'number' }, 1.5, undefined],
    [{ type: 'number' }, ' -2e3 ', undefined],
    [{ type: 'number' }, '0x10', 'must be a number'],
    [{ type: 'number' }, true, 'must be a number'],
    [{ type: 'integer' }, '1.5', 'must be a whole number'],
    [{ type: 'checkbox' }, false, undefined],
    [{ type: 'boolean' }, 'yes', 'must be true or false'],
    [{ type: 'select', options: [{ value: 'a' }, { value: 2 }] }, '2', undefined],
    [{ type: 'select', options: [{ value: 'a' }, { value: 2 }] }, 'c', 'must be one of a, 2'],
    [{ type: 'select', is_secret: true, options: [{ value: 'sk' }] }, 'c', 'must be one of the options'],
    [{ type: 'select' }, 'anything', undefined],
    [{ type: 'json' }, { any: [1] }, undefined],
    [{ type: 'json' }, '{', 'must be JSON'],
    [{ type: 'hologram' }, [{}], undefined],
    [{ type: 'number' }, '', undefined],
    [{ type: 'number', input_requirements: true }, '', 'required'],
    [{ input_requirements: true }, null, 'required'],
    [{ input_requirements: true }, undefined, 'required'],
    [{ input_requirements: true, default_value: 'd' }, undefined, undefined],
  ])('%j given %j: %s', (field, value, message) => {
    expect(prepare(field, value).faults).toEqual(message ? [{ path: 'input_fields.f', message }] : []);
  });
});

describe('a missing value', () => {
  test.each<[string, object, unknown, object]>([
    ['is the default', { default_value: 7, type: 'number' }, undefined, { f: 7 }],
    ['is the default when null was given', { default_value: 'd' }, null, { f: 'd' }],
    [
      'is the default option',
      { type: 'select', options: [{ value: 'a' }, { value: 'b', is_default: true }] },
      undefined,
      { f: 'b' },
    ],
    ['stays absent without a default', {}, undefined, {}],
    [
      'is the stored default of a secret field',
      { is_secret: true, default_value: MASK },
      undefined,
      { f: 'sk-stored' },
    ],
    [
      'is the stored default of a secret field when the mask was given',
      { is_secret: true, default_value: MASK },
      MASK,
      { f: 'sk-stored' },
    ],
    ['is not the secret of a field that is not secret', { default_value: 'd' }, MASK, { f: MASK }],
  ])('%s', (_title, field, value, input) => {
    expect(prepare(field, value, { f: 'sk-stored' }).input).toEqual(input);
  });

  test('does not change names of built-in members', () => {
    const given = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}');
    const { input } = prepareInput(
      parseInputFields([{ id: 'toString', input_requirements: true, default_value: 'x' }]),
      given,
    );
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(JSON.stringify(input)).toBe('{"__proto__":{"polluted":1},"constructor":2,"toString":"x"}');
  });
});

test.each<[string, object]>([
  ['{"b": 1}', { b: 1 }],
  ['  ', {}],
  ['[1]', { first: '[1]' }],
  ['5', { first: '5' }],
  ['hello', { first: 'hello' }],
  ['{broken', { first: '{broken' }],
])('the plain text %j means %j', (text, input) => {
  expect(inputFromText(parseInputFields([{ id: 'first' }, { id: 'second' }]), text)).toEqual(input);
});

test('a plain text without declared fields is stored under the name text', () => {
  expect(inputFromText([], 'hello')).toEqual({ text: 'hello' });
});

const keyOf = (value: string) => ({ input_fields: [{ id: 'key', is_secret: true, default_value: value }] });

test('a run has the secret of the trigger that it starts at, not of another one with that id', () => {
  const data = workflow([trigger('t', keyOf('one')), trigger('u', keyOf('two'))], [], { start_node: 'u' });
  const { data: masked, secrets } = maskSecrets(data);
  const checked = validateRun(compileGraph(masked), {}, { servesModel: () => true, secrets });
  expect(checked).toMatchObject({ status: 201, input: { key: 'two' } });
});

test('an iteration of a loop has the secret of its own trigger, also under an id that the start uses', async () => {
  const inner = workflow([trigger('u', keyOf('inner')), template('x', { template: '{{ input.key }}' })], ['u>x']);
  const data = workflow([trigger('t', keyOf('outer')), loop('l', [1], { body: inner })], ['t>l']);
  const { data: masked, secrets } = maskSecrets(data);
  expect(short(await run(masked, { secrets }))).toContain('[0]x=inner');
});

test('a missing field is explained to callers who wrapped the input', () => {
  const fields = parseInputFields([{ id: 'topic', type: 'text', input_requirements: true }]);
  expect(prepareInput(fields, { input_data: { topic: 'x' } }).faults).toEqual([
    {
      path: 'input_fields.topic',
      message: 'required; with an API key send the fields themselves, without "input_data"',
    },
  ]);
});
