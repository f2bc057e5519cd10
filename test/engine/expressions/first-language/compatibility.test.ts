import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Content, type Scope } from '../../../../src/engine/expressions/scope.js';
import { renderText } from '../../../../src/engine/expressions/template.js';
import { parseTemplate } from '../../../../src/engine/expressions/template-parser.js';
import { textOf } from '../../../../src/engine/json-value.js';
import { filters } from './first-filters.js';
import { parseTemplate as firstParse, type Placeholder } from './first-parser.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 3000);

const content = new Content('{"a":[1,"two",{"x":null}],"b-c":"dash","text":" Mixed Case "}');
const scope: Scope = {
  input: { a: ' Ada ', 'b-c': 5, list: ['x', 1, null], deep: { x: { y: 'z' } }, nothing: null, empty: '' },
  declared: new Set(['optional']),
  node: id => (id === 'n' ? content : undefined),
  previous: () => content,
  runId: 'run-1',
  now: '2026-01-02T03:04:05.678Z',
};

const piece = fc.constantFrom(
  ...[
    '{{',
    '}}',
    '{',
    '}',
    '{{ ',
    ' }}',
    ' ',
    '|',
    ' | ',
    ':',
    ': ',
    '.',
    '"',
    "'",
    '\\',
    '(',
    ')',
    '[',
    ']',
    ',',
    '\n',
  ],
  ...[
    'input',
    'input.a',
    'input.b-c',
    'input.list',
    'input.deep.x',
    'input.nothing',
    'input.optional',
    'input.missing',
  ],
  ...['nodes.n.json.a', 'nodes.n.content', 'previous.json', 'run.id', 'now', 'args.x', 'env.x', 'item', 'x', 'a', '5'],
  ...[
    'default',
    'json',
    'upper',
    'lower',
    'trim',
    'truncate',
    'join',
    'shout',
    '-12.5',
    'true',
    'null',
    '+',
    '?',
    ' and ',
  ],
  ...[
    ': "x"',
    ': 3',
    ': "{{ now }}"',
    ' | default: "-"',
    ' | truncate: 2',
    ' | join: ", "',
    '{{ input.a }}',
    '{{ now }}',
  ],
);
const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''));
const placeholders = fc
  .array(fc.tuple(text, fc.constantFrom('input.a', 'input.list', 'nodes.n.json.a', 'previous.content'), text), {
    maxLength: 3,
  })
  .map(parts => parts.map(([before, path, inside]) => `${before}{{ ${path}${inside} }}`).join(''));

/** The value of a path with filters by the rules of the first language; undefined: none. */
function firstValue({ reference, filters: used }: Placeholder): unknown {
  const source = `{{ ${[reference.root, reference.node, reference.member, ...reference.path].filter(Boolean).join('.')} }}`;
  let value: unknown;
  try {
    value = parseTemplate(source).single && valueOfPlaceholder(source);
  } catch {
    value = undefined;
  }
  for (const { name, argument } of used) value = filters.get(name)?.apply(value, argument);
  return value;
}

/** The value of a placeholder. As JSON only a text looks different, because it has quotes. */
function valueOfPlaceholder(source: string): unknown {
  const text = renderText(parseTemplate(source), scope);
  const json = renderText(parseTemplate(`${source.slice(0, -2)} | json }}`), scope);
  return text === json ? JSON.parse(json) : text;
}

test('every text that the first language accepts has the same parts and values', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(text, placeholders), source => {
      const first = firstParse(source);
      if (first.problems.length > 0) return;
      accepted++;
      const now = parseTemplate(source);
      expect(now.problems).toEqual([]);
      expect(now.parts.map(part => typeof part)).toEqual(first.parts.map(part => typeof part));
      expect(now.references).toEqual(first.references);
      expect(now.single === null).toBe(first.single === null);
      const values = first.parts.map(part => (typeof part === 'string' ? part : firstValue(part)));
      if (values.includes(undefined)) expect(() => renderText(now, scope)).toThrow();
      else expect(renderText(now, scope)).toBe(values.map(textOf).join(''));
    }),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(RUNS / 10);
});
