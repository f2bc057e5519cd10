import { describe, expect, test } from '@jest/globals';
import type { Expression, Literal, Reference } from '../../../src/engine/expressions/expression.js';
import { parseTemplate } from '../../../src/engine/expressions/template-parser.js';

interface Path {
  reference: Reference;
  filters: { name: string; argument: Literal | undefined }[];
}

/** A path with its filters. */
function toPath(expression: Expression): Path {
  if (expression.kind === 'reference') return { reference: expression.reference, filters: [] };
  if (expression.kind !== 'call') throw new Error(`unexpected ${expression.kind}`);
  const [value, argument] = expression.args as [Expression, Expression?];
  const path = toPath(value);
  const filter = { name: expression.name, argument: argument?.kind === 'literal' ? argument.value : undefined };
  return { ...path, filters: [...path.filters, filter] };
}

/** Parses a text, with paths in place of expressions. */
function pathsOf(text: string) {
  const { parts, single, ...rest } = parseTemplate(text);
  const shown = parts.map(part => (typeof part === 'string' ? part : toPath(part.expression)));
  return { ...rest, parts: shown, single: single && toPath(single.expression) };
}

const problemsOf = (text: string) => parseTemplate(text).problems;
const only = (text: string): Path => {
  const { parts, problems } = pathsOf(text);
  expect([problems, parts.length]).toEqual([[], 1]);
  return parts[0] as Path;
};
const argumentOf = (text: string) => only(`{{ input.a | default: ${text} }}`).filters[0]?.argument;

const unknownReference = { code: 'unknown_reference', message: expect.stringMatching(/^unknown reference; /) };
const unknownFilter = { code: 'unknown_filter', message: expect.stringMatching(/^unknown filter "[^"]+"; /) };
const malformed = {
  code: 'malformed_placeholder',
  message: expect.stringMatching(/^malformed placeholder: .+; examples are /),
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
  ])('is invalid as %s', text => {
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

  test('may have 32 names and 16 filters', () => {
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

  test.each(['-', '1.', '.5', '1.2.3', '1e3', '5a', '0x1', `"${'x'.repeat(999)}"`, '"open', '\'a"'])(
    'is not read from %s',
    text => {
      expect(problemsOf(`{{ input.a | default: ${text} }}`)).toEqual([malformed]);
    },
  );

  test.each<[string, string]>([
    ['upper: 1', 'the filter upper has 1 argument after the value in front of it; it is upper(text: text): text'],
    ['json: "x"', 'the filter json has 1 argument after the value in front of it; it is json(value: any): text'],
    ['trim: null', 'the filter trim has 1 argument after the value in front of it; it is trim(text: text): text'],
    [
      'default',
      'the filter default has 0 arguments after the value in front of it; it is default(value: any, substitute: any): any',
    ],
    [
      'truncate',
      'the filter truncate has 0 arguments after the value in front of it; it is truncate(text: text, length: count): text',
    ],
    ...['-1', '1.5', '"1"', 'true', 'null'].map((argument): [string, string] => [
      `truncate: ${argument}`,
      'the filter truncate takes a whole number from 0 as length; it is truncate(text: text, length: count): text',
    ]),
    ['join: [1]', 'the filter join takes a text as separator; it is join(value: any, separator?: text): any'],
  ])('that a filter does not accept is named: %s', (filter, message) => {
    expect(problemsOf(`{{ input.a | trim | ${filter} }}`)).toEqual([{ code: 'malformed_placeholder', message }]);
  });

  test('of an unknown filter is ignored', () => {
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
    expect(pathsOf(text)).toMatchObject({
      parts,
      problems: [],
      references: parts.filter(part => part === n).map(() => n.reference),
    });
  });

  test.each<[string, unknown[], unknown[]]>([
    ['{{ 1 + + }}{{ now }}', ['{{ 1 + + }}', n], [malformed]],
    ['{{}}{{ now }}', ['{{}}', n], [malformed]],
    ['{{ }}}} {{ now }}', ['{{ }}}} ', n], [malformed]],
    ['{{ now.a }}{{ now | x }} {{ now }}', ['{{ now.a }}{{ now | x }} ', n], [unknownReference, unknownFilter]],
    ['{{ now | default: "a }} {{ now }}', ['{{ now | default: "a }} {{ now }}'], [malformed]],
    ['{{ a b {{ c d }}', ['{{ a b {{ c d }}'], [malformed]],
  ])('keeps invalid parts unchanged: %j', (text, parts, problems) => {
    expect(pathsOf(text)).toMatchObject({ parts, problems });
  });

  test.each<[string, boolean]>([
    ['{{ now }}', true],
    [' \n{{ now }}\t ', true],
    ['{{ now }}.', false],
    ['.{{ now }}', false],
    ['{{ now }}{{ now }}', false],
    [' ', false],
    ['', false],
  ])('is a single placeholder, except for spaces: %j %j', (text, isSingle) => {
    expect(pathsOf(text).single).toEqual(isSingle ? n : null);
  });

  test('has at most a thousand placeholders, and reports a thousand faults', () => {
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
