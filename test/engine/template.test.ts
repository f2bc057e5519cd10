import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  Content,
  referencesIn,
  renderText,
  renderValue,
  type Scope,
  TemplateError,
} from '../../src/engine/template.js';
import { parseTemplate } from '../../src/engine/template-parser.js';

/** Random texts for each property. */
const PROPERTY_RUNS = 500;

const contents: Record<string, Content> = {
  a: new Content('{"list":[1,"two",{"x":null}],"n":5,"__proto__":"own"}'),
  fenced: new Content('Sure:\n```json\n{"n":1}\n```'.slice(6)),
  plain: new Content('plain {{ run.id }}'),
};
const scope: Scope = {
  input: JSON.parse(
    '{"name":"Ada","n":3,"flag":false,"list":["a",1],"deep":{"x":{"y":"z"}},"nothing":null,"__proto__":{"p":1},"evil":"{{ run.id }}","blank":"  x "}',
  ),
  declared: new Set(['optional']),
  node: id => (Object.hasOwn(contents, id) ? contents[id] : undefined),
  previous: () => contents.a,
  runId: 'run-1',
  now: '2026-01-02T03:04:05.678Z',
};
const render = (text: string) => renderText(parseTemplate(text), scope);
const fault = (text: string) => {
  try {
    return render(text);
  } catch (error) {
    return error instanceof TemplateError ? error.code : error;
  }
};

describe('a text with placeholders', () => {
  test.each([
    ['Hello {{ input.name }}!', 'Hello Ada!'],
    ['{{input.name}}{{ input.n }}', 'Ada3'],
    ['{{ input.deep.x.y }}', 'z'],
    ['{{ input.list.1 }}', '1'],
    ['{{ input.list }} {{ input.flag }} {{ input.nothing }}', '["a",1] false null'],
    ['{{ nodes.a.json.list.1 }}/{{ nodes.a.json.n }}', 'two/5'],
    ['{{ nodes.fenced.json.n }}', '1'],
    ['{{ nodes.plain.content }}', 'plain {{ run.id }}'],
    ['{{ previous.json.n }} {{ run.id }} {{ now }}', '5 run-1 2026-01-02T03:04:05.678Z'],
    ['{{ input.evil }}', '{{ run.id }}'],
    ['[{{ input.optional }}]', '[]'],
    ['{"a":{{ input.n }}}', '{"a":3}'],
    ['{{{ input.n }}}', '{3}'],
    ['{{ {{ input.n }} }}', '{{ 3 }}'],
    ['{{ never closed', '{{ never closed'],
    ['a }} b { { c', 'a }} b { { c'],
    ['{{ input.missing | default: "x}}" }}', 'x}}'],
    ['{{ input.missing.deeper | default: 5 }}', '5'],
    ["{{ input.nothing | default: 'it\\'s' }}", "it's"],
    ['{{ input.name | upper }} {{ input.name | lower }} {{ input.blank | trim }}', 'ADA ada x'],
    ['{{ input.name | json }} {{ input.n | json }}', '"Ada" 3'],
    ['{{ input.name | truncate: 2 }}{{ input.name | truncate: 9 }}', 'AdAda'],
    ['{{ input.list | join: " + " }} {{ input.list | join }}', 'a + 1 a,1'],
    ['{{ input.missing | default: "a" | upper | json }}', '"A"'],
  ])('%s becomes %s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  test.each([
    ['{{ constructor }}', 'unknown_reference'],
    ['{{ __proto__ }}', 'unknown_reference'],
    ['{{ input.constructor.name }}', 'unknown_reference'],
    ['{{ input.__proto__.p }}', 'unknown_reference'],
    ['{{ nodes.a.json.__proto__ | default: "x" }}', 'unknown_reference'],
    ['{{ input.name.length }}', 'unknown_reference'],
    ['{{ input.list.length }}', 'unknown_reference'],
    ['{{ input.toString }}', 'unknown_reference'],
    ['{{ input.missing }}', 'unknown_reference'],
    ['{{ input.optional.deeper }}', 'unknown_reference'],
    ['{{ nodes.b.content }}', 'unknown_reference'],
    ['{{ nodes.plain.json }}', 'unknown_reference'],
    ['{{ nodes.a.content.length }}', 'unknown_reference'],
    ['{{ env.SECRET }}', 'unknown_reference'],
    ['{{ run.secret }}', 'unknown_reference'],
    ['{{ input.name | shout }}', 'unknown_filter'],
    ['{{ input.name | constructor }}', 'unknown_filter'],
    ['{{ input.name | truncate: -1 }}', 'malformed_placeholder'],
    ['{{ input.name | upper: 1 }}', 'malformed_placeholder'],
    ['{{ input.name | default }}', 'malformed_placeholder'],
    ['{{ 1 + 1 }}', 'malformed_placeholder'],
    ['{{ }}', 'malformed_placeholder'],
    ['{{ input.name | default: "open }}', 'malformed_placeholder'],
    ['{{ input["name"] }}', 'malformed_placeholder'],
  ])('%s fails with %s', (text, code) => {
    expect(fault(text)).toBe(code);
  });

  test('never cuts a surrogate pair in two', () => {
    expect(renderText(parseTemplate('{{ input.t | truncate: 2 }}'), { ...scope, input: { t: 'a😀' } })).toBe('a');
  });

  test('is bounded in what it holds and in what it becomes', () => {
    expect(fault('{{ run.id }}'.repeat(1001))).toBe('template_too_large');
    const big = { ...scope, input: { big: 'x'.repeat(1024 * 1024) } };
    expect(() => renderText(parseTemplate('{{ input.big }}'.repeat(9)), big)).toThrow(TemplateError);
    expect(() => renderValue(Array(9).fill('-{{ input.big }}'), big)).toThrow(TemplateError);
  });

  test.each(['{{', '{{ a', '{{ a|b:"', '{{ a | ', '{', '}}{{', '{{ "', '{{ x }} ', '{{ run.id', '{{a.'])(
    'costs linear time when hostile: %s repeated',
    piece => {
      const text = piece.repeat(400_000 / piece.length);
      const began = performance.now();
      parseTemplate(text);
      expect(performance.now() - began).toBeLessThan(5000);
    },
  );

  test('without placeholders stays itself, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        fc.pre(!text.includes('{{'));
        expect(render(text)).toBe(text);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  test('inserts any value once and never reads it again', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, value) => {
        fc.pre(!before.includes('{') && !before.includes('}'));
        const text = renderText(parseTemplate(`${before}{{ input.v }}`), { ...scope, input: { v: `{{ ${value} }}` } });
        expect(text).toBe(`${before}{{ ${value} }}`);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

describe('a value with placeholders', () => {
  test('keeps the type of a text that is one placeholder alone', () => {
    const value = {
      n: ' {{ input.n }} ',
      all: ['{{ input.list }}', '{{ input.n }}!', 7, null],
      nothing: '{{ input.nothing }}',
      t: true,
    };
    expect(renderValue(value, scope)).toEqual({ n: 3, all: [['a', 1], '3!', 7, null], nothing: null, t: true });
  });

  test('keeps members called like machinery as plain members', () => {
    const rendered = renderValue(JSON.parse('{"__proto__":"{{ input.n }}"}'), scope) as object;
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
    expect(Object.entries(rendered)).toEqual([['__proto__', 3]]);
  });

  test('names what it refers to', () => {
    expect(referencesIn({ a: ['{{ input.x.y }}'], b: '{{ nodes.q.json.z }} {{ previous.content }}' })).toEqual([
      { root: 'input', path: ['x', 'y'] },
      { root: 'nodes', node: 'q', member: 'json', path: ['z'] },
      { root: 'previous', member: 'content', path: [] },
    ]);
  });

  test('nested without end is refused, not followed', () => {
    let deep: unknown = '{{ input.n }}';
    for (let depth = 0; depth < 5000; depth++) deep = [deep];
    expect(() => renderValue(deep, scope)).toThrow(TemplateError);
    expect(new Content(`${'['.repeat(5000)}${']'.repeat(5000)}`).json).toBeUndefined();
  });
});
