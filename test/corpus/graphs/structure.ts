import { type Json, node, output, template } from '../../support/graphs.js';
import { failing, type GraphCase, named, sequence, wired } from '../graph-case.js';

const text = (id: string, value: string) => named(id, 'template-node', { template: value });
const end = (value?: string) => ({ ...output(value), id: 'end' });
/** The body of a loop: the nodes `before`, of which the first one starts it, and the output `each`. */
const body = (value: string, ...before: ReturnType<typeof node>[]) => {
  const nodes = [...before, named('each', 'output-node', { value })];
  return { nodes, edges: [], start_node: nodes[0]!.id };
};
const loop = (data: Json) => node('loop-node', data);
const list = (items: unknown, ...operations: Json[]) => node('list-node', { items, operations });

const ROWS = [
  { name: 'Ada', city: 'London', age: 36 },
  { name: 'Bob', city: 'Paris', age: 20 },
  { name: 'Cy', city: 'London', age: 7 },
];
const LISTS: [name: string, items: unknown, operations: Json[], expected: unknown][] = [
  [
    'filter by a field',
    ROWS,
    [
      { operation: 'filter', field: 'city', value: 'London' },
      { operation: 'limit', count: 1 },
    ],
    [ROWS[0]],
  ],
  ['filter with an operator', ROWS, [{ operation: 'filter', field: 'age', operator: '>', value: 30 }], [ROWS[0]]],
  ['sort ascending', [3, 1, 2], [{ operation: 'sort' }], [1, 2, 3]],
  [
    'sort descending by a field',
    ROWS.slice(0, 2),
    [{ operation: 'sort', field: 'name', order: 'desc' }],
    [ROWS[1], ROWS[0]],
  ],
  ['limit with an offset', [1, 2, 3, 4], [{ operation: 'limit', count: 2, offset: 1 }], [2, 3]],
  [
    'count by a group',
    ROWS,
    [{ operation: 'aggregate', group_by: 'city' }],
    [
      { key: 'London', value: 2 },
      { key: 'Paris', value: 1 },
    ],
  ],
  ['sum', [{ a: 1 }, { a: 2 }], [{ operation: 'aggregate', field: 'a', function: 'sum' }], [{ key: null, value: 3 }]],
  [
    'split a text',
    [{ tags: 'a,b' }],
    [{ operation: 'split', field: 'tags', separator: ',' }],
    [{ tags: 'a' }, { tags: 'b' }],
  ],
  ['remove duplicates', [1, 2, 1], [{ operation: 'dedupe' }], [1, 2]],
  ['remove duplicates by a field', ROWS, [{ operation: 'dedupe', field: 'city' }], [ROWS[0], ROWS[1]]],
  [
    'join two lists',
    [{ id: 1, a: 'x' }],
    [{ operation: 'join', with: [{ id: 1, b: 'y' }], key: 'id' }],
    [{ id: 1, a: 'x', b: 'y' }],
  ],
  [
    'several operations',
    [5, 3, 9, 3],
    [{ operation: 'dedupe' }, { operation: 'sort', order: 'desc' }, { operation: 'limit', count: 2 }],
    [9, 5],
  ],
];

/** Templates with the contents, all of which lead to a merge. */
const merged = (name: string, data: Json, contents: string[], expected: unknown): GraphCase => {
  const nodes = contents.map((content, index) => text(`n${index}`, content));
  const arrows = contents.flatMap((_content, index) => [`t>n${index}`, `n${index}>merge`]);
  return {
    name,
    data: wired([...nodes, named('merge', 'merge-node', data), end()], [...arrows, 'merge>end']),
    output: expected,
  };
};

/** Three contents that lead to a merge. Their order in the graph is the reverse of that in which they arrive. */
const raced = (name: string, data: Json, expected: unknown): GraphCase => {
  const late = [named('long', 'delay-node', { seconds: 4 }), text('n0', 'late')];
  const middle = [named('short', 'delay-node', { seconds: 0.5 }), text('n1', 'middle')];
  const nodes = [...late, ...middle, text('n2', 'early'), named('merge', 'merge-node', data), end()];
  const arrows = ['t>long', 'long>n0', 't>short', 'short>n1', 't>n2', 'n0>merge', 'n1>merge', 'n2>merge', 'merge>end'];
  return { name, data: wired(nodes, arrows), output: expected };
};

export const STRUCTURE: GraphCase[] = [
  sequence('a template', [template('Hello {{ input.name }}')], 'Hello Ada', { name: 'Ada' }),
  sequence('two templates in sequence', [template('a'), template('{{ previous.content }}b')], 'ab'),
  {
    name: 'two branches that join in the output',
    data: wired([text('a', 'x'), text('b', 'y'), end()], ['t>a', 't>b', 'a>end', 'b>end']),
    output: ['x', 'y'],
  },
  {
    name: 'a reference to a node by its id',
    data: wired([text('a', '{"total": 5}'), text('b', 'z'), end('{{ nodes.a.json.total }}')], ['t>a', 'a>b', 'b>end']),
    output: 5,
  },
  {
    name: 'the status of a skipped branch',
    data: wired(
      [
        named('if', 'if-else-node', { condition: { left: 1, operator: '==', right: 1 } }),
        text('yes', 'taken'),
        text('no', 'skipped'),
        end('{{ nodes.yes.status }} {{ nodes.no.status }}'),
      ],
      ['t>if', 'if:condition-true>yes', 'if:condition-false>no', 'yes>end', 'no>end'],
    ),
    output: 'succeeded skipped',
  },
  {
    name: 'several outputs',
    data: wired(
      [
        { ...output('1'), id: 'one' },
        { ...output('2'), id: 'two' },
      ],
      ['t>one', 't>two'],
    ),
    output: { one: '1', two: '2' },
  },
  { name: 'a run without an output', data: wired([text('a', 'x')], ['t>a']), output: null },
  {
    name: 'a note without connections',
    data: wired([named('note', 'note-node', { text: 'a **remark**' }), end('x')], ['t>end']),
    output: 'x',
  },
  merged('merge all', { mode: 'all' }, ['1', '"b"'], [1, 'b']),
  merged('merge by appending', { mode: 'append' }, ['[1, 2]', '3'], [1, 2, 3]),
  merged(
    'merge by a key',
    { mode: 'by_key', key: 'id' },
    ['[{"id": 1, "a": 1}]', '[{"id": 1, "b": 2}]'],
    [{ id: 1, a: 1, b: 2 }],
  ),
  merged(
    'merge by position',
    { mode: 'zip' },
    ['[1, 2]', '["a"]'],
    [
      [1, 'a'],
      [2, null],
    ],
  ),
  raced('merge the first', { mode: 'first' }, 'early'),
  raced('merge any of them', { mode: 'any', count: 2 }, ['early', 'middle']),
  ...LISTS.map(([name, items, operations, expected]) =>
    sequence(`list: ${name}`, [list(items, ...operations)], expected),
  ),
  sequence('list: items of the input', [list('{{ input.items }}', { operation: 'sort' })], ['a', 'b'], {
    items: ['b', 'a'],
  }),
  sequence('set: a variable', [node('set-node', { values: { total: 5 } }), template('{{ vars.total }}')], 5),
  sequence(
    'set: the last value counts',
    [
      node('set-node', { values: { a: 1 } }),
      node('set-node', { values: { a: '{{ vars.a + 1 }}' } }),
      template('{{ vars.a }}'),
    ],
    2,
  ),
  sequence('loop: each item', [loop({ items: [1, 2], body: body('{{ item * 2 }}') })], ['2', '4']),
  sequence('loop: the index', [loop({ items: ['a', 'b'], body: body('{{ index }}{{ item }}') })], ['0a', '1b']),
  sequence('loop: members of an item', [loop({ items: [{ name: 'Ada' }], body: body('{{ input.name }}') })], ['Ada']),
  sequence('loop: an empty list', [loop({ items: [], body: body('x') })], []),
  sequence(
    'loop: in parallel with results in order',
    [loop({ items: '{{ range(20) }}', concurrency: 5, body: body('{{ item }}') })],
    Array.from({ length: 20 }, (_, index) => String(index)),
  ),
  sequence('loop: batches', [loop({ items: [1, 2, 3], batch_size: 2, body: body('{{ length(item) }}') })], ['2', '1']),
  sequence(
    'loop: a node in the body',
    [
      loop({
        items: ['a'],
        body: body('{{ previous.content }}!', {
          ...text('shout', '{{ item | upper }}'),
          data: { template: '{{ item | upper }}', next_nodes: ['each'] },
        }),
      }),
    ],
    ['A!'],
  ),
  sequence(
    'loop: until a condition holds',
    [
      loop({
        repeat: 'until',
        condition: { left: '{{ args.index }}', operator: '>=', right: 3 },
        body: body('{{ index }}'),
      }),
    ],
    ['0', '1', '2'],
  ),
  sequence(
    'loop: while a condition holds',
    [
      loop({
        repeat: 'while',
        condition: { left: '{{ args.index }}', operator: '<', right: 2 },
        body: body('{{ index }}'),
      }),
    ],
    ['0', '1'],
  ),
  failing('loop: too many items', [loop({ items: [1, 2], max_items: 1, body: body('x') })], 'too_many_items'),
  failing(
    'loop: too many iterations',
    [loop({ repeat: 'while', condition: { left: 1, operator: '==', right: 1 }, max_rounds: 3, body: body('x') })],
    'too_many_rounds',
  ),
  sequence('delay: a short time', [node('delay-node', { seconds: 0.01 }), template('later')], 'later'),
  sequence(
    'delay: until a time that has passed',
    [node('delay-node', { until: '2020-01-01T00:00:00Z' }), template('now')],
    'now',
  ),
  sequence(
    'delay: until a time in the near future',
    [
      named('before', 'template-node', { template: '{{ now }}' }),
      node('delay-node', { until: '{{ add_time(now, 1, "second") }}' }),
      template('{{ diff_time(nodes.before.content, now, "seconds") >= 1 }}'),
    ],
    true,
  ),
];
