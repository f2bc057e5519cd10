import { describe, expect, test } from '@jest/globals';
import { type Placeholder, parseTemplate, type Reference } from '../../../src/engine/template-parser.js';

const problemsOf = (text: string) => parseTemplate(text).problems;
const only = (text: string): Placeholder => {
  const { parts, problems } = parseTemplate(text);
  expect([problems, parts.length]).toEqual([[], 1]);
  return parts[0] as Placeholder;
};
const argumentOf = (text: string) => only(`{{ input.a | default: ${text} }}`).filters[0]?.argument;

const unknownReference = {
  code: 'unknown_reference',
  message:
    'unknown reference; valid references are input.<field id>, nodes.<node id>.content, nodes.<node id>.json, previous.content, run.id, now',
};
const unknownFilter = {
  code: 'unknown_filter',
  message: 'unknown filter; valid filters are default, json, upper, lower, trim, truncate, join',
};
const malformed = {
  code: 'malformed_placeholder',
  message: 'malformed placeholder; the form is {{ name | filter: argument }}',
};

describe('a placeholder', () => {
  test.each<[string, Reference]>([
    ['input', { root: 'input', path: [] }],
    ['input.a.0.b', { root: 'input', path: ['a', '0', 'b'] }],
    ['args.a.b', { root: 'args', path: ['a', 'b'] }],
    ['nodes.n.content', { root: 'nodes', node: 'n', member: 'content', path: [] }],
    ['nodes.n.json.a', { root: 'nodes', node: 'n', member: 'json', path: ['a'] }],
    ['previous.content', { root: 'previous', member: 'content', path: [] }],
    ['previous.json', { root: 'previous', member: 'json', path: [] }],
    ['run.id', { root: 'run', path: ['id'] }],
    ['now', { root: 'now', path: [] }],
    ['input.größe-1_x@y/z', { root: 'input', path: ['größe-1_x@y/z'] }],
  ])('names %s', (text, reference) => {
    expect(only(`{{ ${text} }}`)).toEqual({ reference, filters: [] });
    expect(only(`{{${text.replaceAll('.', ' \n.\t ')}}}`)).toEqual({ reference, filters: [] });
  });

  test.each([
    'args',
    'nodes',
    'nodes.n',
    'nodes.n.other',
    'nodes.n.content.a',
    'previous',
    'previous.other',
    'previous.content.a',
    'run',
    'run.other',
    'run.id.a',
    'now.a',
    'other.a',
    'Input.a',
    'input.prototype',
    'input.__proto__',
    'nodes.constructor.content',
  ])('names nothing as %s', text => {
    expect(problemsOf(`{{ ${text} }}`)).toEqual([unknownReference]);
  });

  test.each([
    '',
    '.a',
    'input.',
    'input..a',
    'input.a b',
    'input.a |',
    'input.a | | upper',
    'input.a | : 1',
    'input.a upper',
    'input.a | truncate:',
    'input.a | truncate: 1 2',
    ...[...`:"'()[],`].map(character => `input.a${character}b`),
  ])('is malformed as %j', text => {
    expect(problemsOf(`{{ ${text} }}`)).toEqual([malformed]);
  });

  test('may be of 32 names and have 16 filters', () => {
    const named = (names: number) => `{{ input${'.a'.repeat(names - 1)} }}`;
    expect(only(named(32)).reference.path).toHaveLength(31);
    expect(problemsOf(named(33))).toEqual([malformed]);
    const filtered = (filters: number) => `{{ input.a ${'| trim'.repeat(filters)} }}`;
    expect(only(filtered(16)).filters).toHaveLength(16);
    expect(problemsOf(filtered(17))).toEqual([malformed]);
  });
});

describe('an argument', () => {
  test.each<[string, unknown]>([
    ['0', 0],
    ['12', 12],
    ['-12', -12],
    ['12.25', 12.25],
    ['-0.5', -0.5],
    ['true', true],
    ['false', false],
    ['null', null],
    ['""', ''],
    [`"it's"`, "it's"],
    [`'"'`, '"'],
    ['"a}} {{b | c"', 'a}} {{b | c'],
    [String.raw`"\n\t\r\"\\\x"`, '\n\t\r"\\x'],
    [`"${'x'.repeat(998)}"`, 'x'.repeat(998)],
  ])('is read from %s', (text, value) => {
    expect(argumentOf(text)).toBe(value);
    expect(only(`{{input.a|default:${text}|trim}}`).filters).toEqual([
      { name: 'default', argument: value },
      { name: 'trim', argument: undefined },
    ]);
  });

  test.each([
    '-',
    '1.',
    '.5',
    '1.2.3',
    '1e3',
    '5a',
    'a5',
    '--1',
    'True',
    'nil',
    '0x1',
    `"${'x'.repeat(999)}"`,
    '"open',
    '\'a"',
  ])('is not read from %s', text => {
    expect(problemsOf(`{{ input.a | default: ${text} }}`)).toEqual([malformed]);
  });

  test.each<[string, string]>([
    ['upper: 1', 'the filter upper takes no argument'],
    ['json: "x"', 'the filter json takes no argument'],
    ['trim: null', 'the filter trim takes no argument'],
    ['default', 'the filter default takes a text, a number, true, false or null'],
    ['truncate', 'the filter truncate takes a whole number of characters'],
    ['truncate: -1', 'the filter truncate takes a whole number of characters'],
    ['truncate: 1.5', 'the filter truncate takes a whole number of characters'],
    ['truncate: "1"', 'the filter truncate takes a whole number of characters'],
    ['truncate: true', 'the filter truncate takes a whole number of characters'],
    ['truncate: null', 'the filter truncate takes a whole number of characters'],
    ['join: 1', 'the filter join takes a text'],
    ['join: null', 'the filter join takes a text'],
  ])('that a filter does not take is named: %s', (filter, message) => {
    expect(problemsOf(`{{ input.a | trim | ${filter} }}`)).toEqual([{ code: 'malformed_placeholder', message }]);
  });

  test('of a filter that nobody knows is no matter', () => {
    expect(problemsOf('{{ input.a | shout: 1 }}')).toEqual([unknownFilter]);
    expect(problemsOf('{{ input.a | trim | toString }}')).toEqual([unknownFilter]);
  });
});

describe('a text', () => {
  const n = { reference: { root: 'now', path: [] }, filters: [] };

  test.each<[string, unknown[]]>([
    ['', []],
    ['a', ['a']],
    ['{{ now }}', [n]],
    ['a{{ now }}{{ now }}b', ['a', n, n, 'b']],
    ['{{{{ now }}}}', ['{{', n, '}}']],
    ['{{ a {{ now }}', ['{{ a ', n]],
    ['{{ now }', ['{{ now }']],
    ['{{ now } }', ['{{ now } }']],
    ['{{ now {{', ['{{ now {{']],
    ['}}{{ now }}', ['}}', n]],
    ['{ {now}}', ['{ {now}}']],
  ])('is read in its parts: %j', (text, parts) => {
    expect(parseTemplate(text)).toMatchObject({
      parts,
      problems: [],
      references: parts.filter(part => part === n).map(() => n.reference),
    });
  });

  test.each<[string, unknown[], unknown[]]>([
    ['{{ 1 + 1 }}{{ now }}', ['{{ 1 + 1 }}', n], [malformed]],
    ['{{}}{{ now }}', ['{{}}', n], [malformed]],
    ['{{ }}}} {{ now }}', ['{{ }}}} ', n], [malformed]],
    ['{{ now.a }}{{ now | x }} {{ now }}', ['{{ now.a }}{{ now | x }} ', n], [unknownReference, unknownFilter]],
    ['{{ now | default: "a }} {{ now }}', ['{{ now | default: "a }} {{ now }}'], [malformed]],
    ['{{ a b {{ c d }}', ['{{ a b {{ c d }}'], [malformed]],
  ])('keeps what is wrong as it stands: %j', (text, parts, problems) => {
    expect(parseTemplate(text)).toMatchObject({ parts, problems });
  });

  test.each<[string, boolean]>([
    ['{{ now }}', true],
    [' \n{{ now }}\t ', true],
    ['{{ now }}.', false],
    ['.{{ now }}', false],
    ['{{ now }}{{ now }}', false],
    [' ', false],
    ['', false],
  ])('is one placeholder alone, spaces aside: %j %j', (text, isAlone) => {
    expect(parseTemplate(text).single).toEqual(isAlone ? n : null);
  });

  test('holds a thousand placeholders, and a thousand faults are told', () => {
    expect(parseTemplate('{{ now }}'.repeat(1000))).toMatchObject({ problems: [], references: { length: 1000 } });
    expect(parseTemplate('{{ now }}'.repeat(1500))).toMatchObject({
      problems: [{ code: 'template_too_large', message: 'must hold at most 1000 placeholders' }],
      references: { length: 1001 },
    });
    expect(problemsOf('{{ x }}'.repeat(999))).toHaveLength(999);
    expect(problemsOf('{{ x }}'.repeat(1500))).toEqual(Array(1000).fill(unknownReference));
    expect(problemsOf('{{ 1 + }}'.repeat(999))).toHaveLength(999);
    expect(problemsOf('{{ 1 + }}'.repeat(1500))).toHaveLength(1000);
  });
});
