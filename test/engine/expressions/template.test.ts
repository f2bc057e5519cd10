import { describe, expect, test } from '@jest/globals';
import { MAX_RENDERED } from '../../../src/engine/expressions/evaluation.js';
import { TemplateError } from '../../../src/engine/expressions/expression.js';
import { Content, type Scope } from '../../../src/engine/expressions/scope.js';
import { compileValue, LateValue, renderText, renderValue } from '../../../src/engine/expressions/template.js';
import { parseTemplate } from '../../../src/engine/expressions/template-parser.js';

const contents: Record<string, Content> = {
  a: new Content('{"list":[1,"two",{"x":null}],"n":5,"__proto__":"own"}'),
  fenced: new Content('```json\n{"n":1}\n```'),
  plain: new Content('plain {{ run.id }}'),
  huge: new Content('{"n":1e999}'),
};
const scope: Scope = {
  input: JSON.parse(
    '{"name":"Ada","n":3,"flag":false,"list":["a",1],"deep":{"x":{"y":"z"}},"nothing":null,"__proto__":{"p":1},"evil":"{{ run.id }}","blank":"  x ","empty":""}',
  ),
  declared: new Set(['optional']),
  node: id => (Object.hasOwn(contents, id) ? contents[id] : undefined),
  previous: () => contents.a,
  runId: 'run-1',
  now: '2026-01-02T03:04:05.678Z',
};
const REMEDY = 'shorten the values';
const FILTERS = 'for example with the filter truncate or slice';
const render = (text: string) => renderText(parseTemplate(text), scope);
const fault = (text: string) => {
  try {
    return render(text);
  } catch (error) {
    return error instanceof TemplateError ? error.code : error;
  }
};

test.each(['{{ nodes.huge.json.n }}', '{{ [nodes.huge.json.n] }}', '{{ json(nodes.huge.json) }}'])(
  'fails for %s, a number of JSON that is not finite',
  text => expect(fault(text)).toBe('expression_failed'),
);

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
    ['{{ input.empty | default: "x" }}{{ input.optional | default: "y" }}{{ input.n | default: 5 }}', 'xy3'],
    ['{{ input.flag | default: true }}{{ input.nothing | default: null }}', 'falsenull'],
    ['{{ input.list | upper }} {{ input.name | join }}', '["A",1] Ada'],
    ['{{ input.name | truncate: 0 }}|{{ input.name | truncate: 3 }}', '|Ada'],
    ['{{ nodes.plain.json | default: "x" }}{{ nodes.b.json.a | default: "y" }}', 'xy'],
    ['{{ nodes.a.content }}', '{"list":[1,"two",{"x":null}],"n":5,"__proto__":"own"}'],
    ['{{ nodes.a.json.list.2.x }}', 'null'],
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
    ['{{ input.missing | json }}', 'unknown_reference'],
    ['{{ input.missing | upper }}', 'unknown_reference'],
    ['{{ input.missing | truncate: 1 }}', 'unknown_reference'],
    ['{{ input.missing | join }}', 'unknown_reference'],
    ['{{ input.nothing.deeper }}', 'unknown_reference'],
    ['{{ input.list.2 }}', 'unknown_reference'],
    ['{{ input.list.-1 }}', 'unknown_reference'],
    ['{{ args.name }}', 'unknown_reference'],
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
    ['{{ 1 + }}', 'malformed_placeholder'],
    ['{{ }}', 'malformed_placeholder'],
    ['{{ input.name | default: "open }}', 'malformed_placeholder'],
    ['{{ input[name] }}', 'unknown_reference'],
    ['{{ input["missing"] }}', 'unknown_reference'],
    ['{{ input["constructor"] }}', 'unknown_reference'],
  ])('%s fails with %s', (text, code) => {
    expect(fault(text)).toBe(code);
  });

  test.each([
    ['a😀', 2, 'a'],
    ['a😀', 3, 'a😀'],
    ['abc😀', 4, 'abc'],
    ['😀b', 2, '😀'],
    ['a\ud800b', 2, 'a'],
    ['a\udbffb', 2, 'a'],
    ['a\ud7ffb', 2, 'a\ud7ff'],
    ['a\udc00b', 2, 'a\udc00'],
    ['a\ud83d', 2, 'a\ud83d'],
    ['a\ud83d', 5, 'a\ud83d'],
  ])('never cuts a surrogate pair in two: %j to %i', (text, length, expected) => {
    const cut = renderText(parseTemplate(`{{ input.t | truncate: ${length} }}`), { ...scope, input: { t: text } });
    expect(cut).toBe(expected);
  });

  test.each([
    ['{{ input.missing }}', 'a placeholder refers to an input that the run did not receive'],
    ['{{ nodes.b.json.x }}', 'a placeholder refers to a node, or to a member of its content, that has no value'],
    ['{{ previous.json.x }}', 'a placeholder refers to a member of previous that has no value'],
    ['{{ args.x }}', 'a placeholder refers to a member of args that has no value'],
    ['{{ x }}', expect.stringContaining('unknown reference; valid references are')],
  ])('reports the remedy for a missing %s', (text, message) => {
    expect(() => render(text)).toThrow(expect.objectContaining({ name: 'TemplateError', message }));
  });

  test.each<[json: unknown, message: string]>([
    [{ params: { a: 1, b: '{{ 1 / input.zero }}' } }, 'division by zero (in "params.b")'],
    [{ a: '{{ run.id }}', list: ['x', '{{ round(input.text) }}'] }, 'value of round takes a number (in "list.1")'],
    [{ a: 'Dear {{ input.missing }}' }, 'a placeholder refers to an input that the run did not receive (in "a")'],
    ['{{ input.missing }}', 'a placeholder refers to an input that the run did not receive'],
  ])('names the setting whose placeholder fails: %j', (json, message) => {
    const rendered = () => renderValue(json, { ...scope, input: { zero: 0, text: 'a' } });
    expect(rendered).toThrow(expect.objectContaining({ name: 'TemplateError', message }));
  });

  test('is limited in its parts and in its result', () => {
    expect(fault('{{ run.id }}'.repeat(1001))).toBe('template_too_large');
    expect(MAX_RENDERED).toBe(8_388_608);
    const big = { ...scope, input: { most: 'x'.repeat(MAX_RENDERED - 1), half: 'x'.repeat(MAX_RENDERED / 2) } };
    expect(renderText(parseTemplate('-{{ input.most }}'), big)).toHaveLength(MAX_RENDERED);
    expect(() => renderText(parseTemplate('--{{ input.most }}'), big)).toThrow(
      expect.objectContaining({
        code: 'template_too_large',
        message: `the rendered texts have more than 8388608 characters together: ${REMEDY} in the template, ${FILTERS}`,
      }),
    );
    const halves = [
      '{{ input.half }}{{ input.empty | default: "" }}',
      '{{ input.half }}{{ input.empty | default: "" }}',
    ];
    const scoped = { ...big, declared: new Set(['empty']) };
    expect(renderValue(halves, scoped)).toHaveLength(2);
    expect(() =>
      renderValue([...halves, { a: '-{{ input.n }}' }], { ...scoped, input: { ...big.input, n: 1 } }),
    ).toThrow(TemplateError);
  });
});

describe('the error of a value above a limit of characters', () => {
  const half = 'x'.repeat(MAX_RENDERED / 2 + 1);
  const messageOf = (value: unknown) => {
    try {
      renderValue(value, { ...scope, input: { half } });
    } catch (error) {
      return error instanceof TemplateError ? error.message : error;
    }
  };

  test.each([
    [
      'texts of two fields',
      { messages: [{ text: '-{{ input.half }}' }, { text: '-{{ input.half }}' }] },
      `the rendered texts have more than 8388608 characters together: ${REMEDY} in "messages.1.text", ${FILTERS}`,
    ],
    [
      'the list of one field',
      { a: '{{ input.half }}', items: '{{ [input.half, input.half] }}' },
      `the value of an expression has more than 8388608 characters: ${REMEDY} in "items", ${FILTERS}`,
    ],
    [
      'a text that an expression creates',
      { body: { x: '{{ repeat("x", 100000000) }}' } },
      `an expression created more than 33554432 characters: ${REMEDY} in "body.x", ${FILTERS}`,
    ],
  ])('names the limit, the field and a remedy for %s', (_title, value, message) => {
    expect(messageOf(value)).toBe(message);
  });
});

describe('a value with placeholders', () => {
  test('keeps the type of a text that is a single placeholder', () => {
    const value = {
      n: ' {{ input.n }} ',
      all: ['{{ input.list }}', '{{ input.n }}!', 7, null],
      nothing: '{{ input.nothing }}',
      t: true,
    };
    expect(renderValue(value, scope)).toEqual({ n: 3, all: [['a', 1], '3!', 7, null], nothing: null, t: true });
  });

  test('treats members such as __proto__ as plain members', () => {
    const rendered = renderValue(JSON.parse('{"__proto__":"{{ input.n }}"}'), scope) as object;
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
    expect(Object.entries(rendered)).toEqual([['__proto__', 3]]);
  });

  test('names what it refers to', () => {
    const { uses } = compileValue({ a: ['{{ input.x.y }}'], b: '{{ nodes.q.json.z }} {{ previous.content }}' });
    expect(uses.map(({ reference }) => reference)).toEqual([
      { root: 'input', path: ['x', 'y'] },
      { root: 'nodes', node: 'q', member: 'json', path: ['z'] },
      { root: 'previous', member: 'content', path: [] },
    ]);
  });

  test('reports the positions of its placeholders, and which are optional', () => {
    const { uses, isConstant, problems } = compileValue({
      a: ['x', '{{ input.x | trim | default: 1 }}'],
      'b.c': { d: '{{ now }}{{ run.id | upper }}' },
    });
    expect([isConstant, problems]).toEqual([false, []]);
    expect(uses).toEqual([
      { path: 'a.1', reference: { root: 'input', path: ['x'] }, hasDefault: true },
      { path: 'b.c.d', reference: { root: 'now', path: [] }, hasDefault: false },
      { path: 'b.c.d', reference: { root: 'run', path: ['id'] }, hasDefault: false },
    ]);
    expect(compileValue('{{ now }}').uses).toMatchObject([{ path: '' }]);
  });

  test.each([[{ a: ['x', 1, null, { b: 'never {{ closed' }] }], [[]], ['x'], [5], [null]])(
    'is constant without placeholders, and renders to itself: %j',
    json => {
      const value = compileValue(json);
      expect([value.isConstant, value.uses, value.problems]).toEqual([true, [], []]);
      expect(value.render(scope)).toBe(json);
    },
  );

  test('reports the position of a fault, and renders to nothing', () => {
    const value = compileValue({ a: 'fine {{ now }}', b: ['{{ x }}'], c: '{{ 1 + }}', d: '{{ args.x }}' });
    expect(value.isConstant).toBe(false);
    expect(value.problems).toMatchObject([
      { path: 'b.0', code: 'unknown_reference' },
      { path: 'c', code: 'malformed_placeholder' },
      { path: 'd', code: 'unknown_reference' },
    ]);
    expect(() => value.render(scope)).toThrow(
      expect.objectContaining({ code: 'unknown_reference', message: value.problems[0]?.message }),
    );
    expect(compileValue('{{ x }}').isConstant).toBe(false);
  });

  test('may have parts that are rendered later, with the arguments of each call', () => {
    const json = {
      late: { a: ['{{ args.x }}', '{{ args.x.y | default: "-" }}{{ input.n }}'], fixed: 'f' },
      now: '{{ now }}',
    };
    const value = compileValue(json, path => path === 'late' || path === 'late.a');
    expect([value.problems, value.isConstant]).toEqual([[], false]);
    const { late, now } = value.render(scope) as { late: LateValue; now: string };
    expect(late).toBeInstanceOf(LateValue);
    expect(now).toBe(scope.now);
    const called = (values: Record<string, unknown>) => late.render({ values, declared: new Set(['x']) });
    expect(called({ x: 1 })).toEqual({ a: [1, '-3'], fixed: 'f' });
    expect(called({ x: { y: 'z' } })).toEqual({ a: [{ y: 'z' }, 'z3'], fixed: 'f' });
    expect(called({})).toEqual({ a: ['', '-3'], fixed: 'f' });
  });

  test('has only the named late parts, including constant ones', () => {
    const { problems } = compileValue({ a: '{{ args.x }}', b: '{{ args.x }}' }, path => path === 'a');
    expect(problems).toMatchObject([{ path: 'b' }]);
    const fixed = compileValue({ a: ['x'] }, path => path === 'a').render(scope) as { a: LateValue };
    expect(fixed.a.render({ values: {}, declared: new Set() })).toEqual(['x']);
    const most = { ...scope, input: { most: 'x'.repeat(MAX_RENDERED) } };
    const grown = compileValue('{{ args.x }}{{ input.most }}', () => true).render(most) as LateValue;
    expect(() => grown.render({ values: { x: 1 }, declared: new Set() })).toThrow(TemplateError);
  });

  test('nested without end is refused, not followed', () => {
    let most: unknown = '{{ input.n }}';
    for (let depth = 0; depth < 64; depth++) most = depth % 2 ? [most] : { a: most };
    expect(compileValue(most).problems).toEqual([]);
    const [problem, ...more] = compileValue({ top: most, other: 'x' }).problems;
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ code: 'template_too_large', message: 'must be nested at most 64 deep' });
    expect(problem?.path).toBe(`top${'.0.a'.repeat(32)}`);

    let deep: unknown = '{{ input.n }}';
    for (let depth = 0; depth < 5000; depth++) deep = [deep];
    expect(() => renderValue(deep, scope)).toThrow(TemplateError);
    expect(new Content(`${'['.repeat(5000)}${']'.repeat(5000)}`).json).toBeUndefined();
  });

  test('reads the JSON of a content once', () => {
    const content = new Content('{"a":[1]}');
    expect(content.json).toEqual({ a: [1] });
    expect(content.json).toBe(content.json);
  });
});
