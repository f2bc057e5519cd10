import { describe, expect, test } from '@jest/globals';
import { Content } from '../../../src/engine/expressions/scope.js';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { checkNodes } from '../../../src/engine/workflow/graph/node-checks.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { RunScope } from '../../../src/engine/workflow/run/run-scope.js';
import { fakePorts, upstreamDown } from '../fake-ports.js';
import {
  http,
  ifElse,
  list,
  loop,
  merge,
  note,
  output,
  resultsOf,
  run,
  set,
  short,
  subworkflow,
  template,
  trigger,
  workflow,
} from '../samples.js';

const t = trigger('t');
const outputOf = async (data: JsonObject, options: Parameters<typeof run>[1] = {}) => {
  const last = (await run(data, options)).at(-1);
  return last?.type === 'run.succeeded' ? JSON.parse(String(last.output)) : last;
};

describe('a merge', () => {
  const merged = (data: JsonObject, contents: unknown[]) =>
    outputOf(
      workflow(
        [
          t,
          ...contents.map((value, index) => template(`c${index}`, { template: JSON.stringify(value) })),
          merge('m', data),
          output('o'),
        ],
        [...contents.flatMap((_, index) => [`t>c${index}`, `c${index}>m`]), 'm>o'],
      ),
    );

  test.each<[JsonObject, unknown[], unknown]>([
    [{}, [1, 'a', { b: 2 }], [1, 'a', { b: 2 }]],
    [{ mode: 'all' }, [[1], null], [[1], null]],
    [{ mode: 'append' }, [[1, 2], 3, [[4]]], [1, 2, 3, [4]]],
    [
      { mode: 'zip' },
      [
        [1, 2, 3],
        ['a', 'b'],
      ],
      [
        [1, 'a'],
        [2, 'b'],
        [3, null],
      ],
    ],
    [
      { mode: 'by_key', key: 'id' },
      [
        [
          { id: 1, a: 1 },
          { id: 2, a: 2 },
        ],
        [{ id: 2, a: 9, b: 3 }, { id: 3 }],
      ],
      [{ id: 1, a: 1 }, { id: 2, a: 9, b: 3 }, { id: 3 }],
    ],
    [{ mode: 'any', count: 2 }, [1, 2], [1, 2]],
  ])('with %j joins %j to %j', async (data, contents, expected) => {
    expect(await merged(data, contents)).toEqual(expected);
  });

  test.each([
    [{ mode: 'by_key', key: 'id' }, [[{ id: 1 }], [{ no: 1 }]], 'invalid_items'],
    [{ mode: 'any', count: 3 }, [1, 2], 'too_few_inputs'],
  ])('with %j fails for %j', async (data, contents, code) => {
    expect(await merged(data, contents)).toMatchObject({ error: { code } });
  });

  const race = (data: JsonObject) =>
    workflow(
      [t, http('slow'), http('fast'), http('middle'), merge('m', data), output('o')],
      ['t>slow', 't>fast', 't>middle', 'slow>m', 'fast>m', 'middle>m', 'm>o'],
    );
  const racing = () =>
    fakePorts({
      http: ({ url }) => ({ body: url.split('/').at(-1) ?? '' }),
      latency: ({ url }) => (url.endsWith('slow') ? 50 : url.endsWith('fast') ? 5 : 20),
    });

  test('with first starts after the first content and only once', async () => {
    const events = short(await run(race({ mode: 'first' }), { ports: racing() }));
    expect(events.filter(event => event === '+m' || event.startsWith('m='))).toEqual(['+m', 'm=fast']);
    expect(events.indexOf('+m')).toBeLessThan(events.indexOf('middle=middle'));
    expect(events.at(-1)).toBe('run="fast"');
  });

  test('with any takes the first contents in the order of arrival', async () => {
    const events = short(await run(race({ mode: 'any', count: 2 }), { ports: racing() }));
    expect(events.at(-1)).toBe('run="[\\"fast\\",\\"middle\\"]"');
    expect(events.indexOf('+m')).toBeLessThan(events.indexOf('slow=slow'));
  });

  test('with first starts the other way when a branch is skipped, and is skipped when all are', async () => {
    const condition = (left: number) => ifElse('if', { condition: { left, operator: '==', right: 1 } });
    const graph = (left: number) =>
      workflow(
        [
          t,
          condition(left),
          template('a', { template: 'A' }),
          template('b', { template: 'B' }),
          merge('m', { mode: 'first' }),
          output('o'),
        ],
        ['t>if', 'if:condition-true>a', 'if:condition-true>b', 'a>m', 'b>m', 'm>o'],
      );
    expect(short(await run(graph(1))).at(-1)).toBe('run="A"');
    expect(short(await run(graph(2))).slice(-3)).toEqual(['-m', '-o', 'run=null']);
  });

  test('that does not wait proves none of several previous nodes', () => {
    const graph = workflow(
      [t, http('a'), http('b'), merge('m', { mode: 'first' }), output('o', { value: '{{ nodes.a.content }}' })],
      ['t>a', 't>b', 'a>m', 'b>m', 'm>o'],
    );
    expect(checkNodes(compileGraph(graph)).issues).toMatchObject([{ code: 'may_be_skipped', path: 'value' }]);
  });
});

describe('a loop', () => {
  const body = workflow([http('x', { url: 'http://outside/x/{{ input.index }}' }), output('y')], ['x>y'], {
    start_node: 'x',
  });
  const failing = () =>
    fakePorts({ http: ({ url }) => (url.endsWith('/1') ? upstreamDown() : { body: `answer ${url.slice(-1)}` }) });

  test.each([
    ['skip', ['answer 0', 'answer 2']],
    [
      'collect',
      [
        'answer 0',
        { index: 1, error: { code: 'upstream_error', message: 'the upstream cannot be reached' } },
        'answer 2',
      ],
    ],
  ])('with %s continues after a failed iteration', async (on_item_error, expected) => {
    for (const concurrency of [1, 3]) {
      const data = workflow(
        [t, loop('l', [0, 1, 2], { body, on_item_error, concurrency }), output('o')],
        ['t>l', 'l>o'],
      );
      expect(await outputOf(data, { ports: failing() })).toEqual(expected);
    }
  });

  test('continues after a failed iteration that an earlier process has recorded, and repeats no iteration', async () => {
    const data = workflow([t, loop('l', [0, 1, 2], { body, on_item_error: 'skip' }), output('o')], ['t>l', 'l>o']);
    const whole = await run(data, { ports: failing() });
    const cut = whole.findIndex(event => event.type === 'node.failed') + 1;
    const ports = failing();
    expect(short(await run(data, { ports, recorded: whole.slice(0, cut) }))).toEqual(short(whole.slice(cut)));
    expect(ports.httpRequests.map(({ url }) => url)).toEqual(['http://outside/x/2']);
  });

  test('ends with its run whatever its policy', async () => {
    const data = workflow([t, http('bad'), loop('l', [0, 1], { body, on_item_error: 'skip' })], ['t>bad', 't>l']);
    const ports = fakePorts({ http: ({ url }) => (url.endsWith('bad') ? upstreamDown() : 'hang') });
    expect(short(await run(data, { ports })).at(-1)).toBe('run!upstream_error');
  });

  test('over a workflow collects failed sub-runs', async () => {
    const ports = fakePorts({
      runs: {
        start: async ({ key }) => key,
        findEnd: async runId =>
          runId.includes('round 1')
            ? { status: 'failed', runId, error: { code: 'x', message: 'no' } }
            : { status: 'succeeded', runId, content: 'ok' },
      },
    });
    const data = workflow(
      [t, loop('l', [0, 1], { workflow_id: 7, on_item_error: 'collect' }), output('o')],
      ['t>l', 'l>o'],
    );
    expect(await outputOf(data, { ports })).toEqual(['ok', { index: 1, error: { code: 'x', message: 'no' } }]);
  });

  test('with batch_size gives each iteration a list', async () => {
    const items = workflow([output('y', { value: '{{ input.index }}:{{ input.item }}' })], [], { start_node: 'y' });
    const data = workflow([t, loop('l', [1, 2, 3, 4, 5], { body: items, batch_size: 2 }), output('o')], ['t>l', 'l>o']);
    expect(await outputOf(data)).toEqual(['0:[1,2]', '1:[3,4]', '2:[5]']);
  });

  const counting = workflow(
    [template('x', { template: '{{ input.output }}{{ input.index }}' }), output('y')],
    ['x>y'],
    {
      start_node: 'x',
    },
  );
  const repeated = (repeat: string, condition: JsonObject, more: JsonObject = {}) =>
    outputOf(
      workflow([t, loop('l', undefined, { repeat, condition, body: counting, ...more }), output('o')], ['t>l', 'l>o']),
    );

  test.each([
    ['while', { left: '{{ args.index }}', operator: '<', right: 3 }, ['0', '01', '012']],
    ['while', { left: '{{ args.output }}', operator: '!=', right: '' }, []],
    ['until', { left: '{{ args.output }}', operator: '==', right: '01' }, ['0', '01']],
    ['until', { left: '{{ args.output }}', operator: 'contains', right: '1' }, ['0', '01']],
    [
      'while',
      {
        combine: 'not',
        conditions: [
          { left: '{{ args.output }}', operator: 'matches', right: '1$' },
          { left: '{{ args.index }}', operator: 'in', right: [7, 8] },
        ],
      },
      ['0', '01'],
    ],
    ['until', { left: '{{ args.json }}', operator: '>=', right: '{{ nodes.t.json.least | default: 0 }}' }, ['0']],
  ])('with %s and %j has the outputs %j', async (repeat, condition, expected) => {
    expect(await repeated(repeat, condition)).toEqual(expected);
  });

  test.each(['while', 'until'])('with %s fails at max_rounds', async repeat => {
    const condition = { left: repeat, operator: '==', right: 'while' };
    expect(await repeated(repeat, condition, { max_rounds: 2 })).toMatchObject({ error: { code: 'too_many_rounds' } });
  });

  test.each<[JsonObject, string]>([
    [{ repeat: 'while' }, 'condition'],
    [{}, 'items'],
  ])('with %j is refused', (data, path) => {
    const graph = workflow([t, loop('l', undefined, { body: counting, ...data })], ['t>l']);
    const { issues } = checkWorkflow(graph, { servesModel: () => true });
    expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([{ node_id: 'l', path }]);
  });
});

test('a detached sub-workflow starts its run once and does not wait', async () => {
  const started: string[] = [];
  const ports = fakePorts({
    runs: {
      start: async ({ key, isDetached }) => {
        expect(isDetached).toBe(true);
        started.push(key);
        return 'run-2';
      },
    },
  });
  const data = workflow([t, subworkflow('s', { workflow_id: 7, detached: true }), output('o')], ['t>s', 's>o']);
  const events = await run(data, { ports });
  expect(short(events).slice(2)).toEqual(['+s', '+s/run', 's/run=run-2', 's=run-2', '+o', 'o=run-2', 'run="run-2"']);
  for (let cut = 1; cut < events.length; cut++) await run(data, { ports, recorded: events.slice(0, cut) });
  expect(new Set(started).size).toBe(1);
});

describe('variables', () => {
  test('are those of earlier nodes, the last one in topological order first', () => {
    const graph = compileGraph(
      workflow(
        [t, set('a', { x: 1, y: 1 }), set('b', { x: 2 }), set('c', { z: 3 }), output('o')],
        ['t>a', 'a>b', 't>c', 'b>o'],
      ),
    );
    const contents = graph.nodes.map(({ data }) => new Content(JSON.stringify(data.values ?? {})));
    const scopeOf = (id: string) =>
      new RunScope({ runId: 'r', graph, input: {}, reader: graph.byId.get(id)!, now: '' }, resultsOf(contents));
    expect(['t', 'b', 'o'].map(id => scopeOf(id).variables())).toEqual([{}, { x: 1, y: 1 }, { x: 2, y: 1 }]);
    const inner = compileGraph(workflow([set('i', { y: 9 }), output('p')], ['i>p'], { start_node: 'i' }));
    const outer = scopeOf('o');
    const parts = { runId: 'r', graph: inner, input: {}, reader: inner.byId.get('p')!, now: '', outer };
    expect(new RunScope(parts, resultsOf([new Content('{"y":9}')])).variables()).toEqual({ x: 2, y: 9 });
  });

  test('are read by the nodes that follow, also in a loop', async () => {
    const body = workflow([output('y', { value: '{{ vars.a.b }}{{ input.item }}' })], [], { start_node: 'y' });
    const data = workflow(
      [t, set('s', { a: { b: '{{ input.n }}' } }), loop('l', [1, 2], { body }), output('o')],
      ['t>s', 's>l', 'l>o'],
    );
    expect(await outputOf(data, { input: { n: 5 } })).toEqual(['51', '52']);
    const unset = workflow([t, set('s', { a: 1 }), output('o', { value: '{{ vars.b }}' })], ['t>s', 's>o']);
    expect(checkNodes(compileGraph(unset)).issues).toMatchObject([{ node: { id: 'o' }, code: 'unknown_reference' }]);
  });

  test('keep the types of their values and are the content', async () => {
    const data = workflow([t, set('s', { n: '{{ input.n }}', text: 'n={{ input.n }}' }), output('o')], ['t>s', 's>o']);
    expect(await outputOf(data, { input: { n: 5 } })).toEqual({ n: 5, text: 'n=5' });
  });

  test.each(['a b', '1', '', 'é'])('cannot have the name %j', name => {
    const { issues } = checkWorkflow(workflow([t, set('s', { [name]: 1 })], ['t>s']), { servesModel: () => true });
    expect(issues.map(({ severity }) => severity)).toEqual(['error']);
  });
});

describe('a list operation', () => {
  const people = [
    { name: 'Ada', age: 36, city: { name: 'London' }, tags: ['x', 'y'] },
    { name: 'Bob', age: '9', city: { name: 'Rome' }, tags: [] },
    { name: 'Cyd', city: { name: 'London' } },
  ];
  const names = (items: JsonObject[]) => items.map(({ name }) => name);
  const result = (operations: JsonObject[], items: unknown = people) =>
    outputOf(workflow([t, list('l', items, operations), output('o')], ['t>l', 'l>o']));

  test.each<[JsonObject, unknown[]]>([
    [{ operation: 'filter', field: 'city.name', value: 'London' }, ['Ada', 'Cyd']],
    [{ operation: 'filter', field: 'age', operator: '>', value: 10 }, ['Ada', 'Cyd']],
    [{ operation: 'filter', field: 'age', operator: 'exists' }, ['Ada', 'Bob']],
    [{ operation: 'filter', field: 'name', operator: 'in', value: 'bob,cyd', ignore_case: true }, ['Bob', 'Cyd']],
    [{ operation: 'filter', field: 'name', operator: 'matches', value: '^[ab]', ignore_case: true }, ['Ada', 'Bob']],
    [{ operation: 'sort', field: 'age' }, ['Bob', 'Ada', 'Cyd']],
    [{ operation: 'sort', field: 'age', order: 'desc' }, ['Cyd', 'Ada', 'Bob']],
    [{ operation: 'sort', field: 'city.name' }, ['Ada', 'Cyd', 'Bob']],
    [{ operation: 'limit', count: 1, offset: 1 }, ['Bob']],
    [{ operation: 'limit' }, ['Ada', 'Bob', 'Cyd']],
    [{ operation: 'dedupe', field: 'city.name' }, ['Ada', 'Bob']],
    [{ operation: 'split', field: 'tags' }, ['Ada', 'Ada', 'Cyd']],
    [{ operation: 'join', with: [{ name: 'Bob', extra: 1 }], key: 'name', keep_unmatched: false }, ['Bob']],
  ])('%j gives %j', async (operation, expected) => {
    expect(names((await result([operation])) as JsonObject[])).toEqual(expected);
  });

  test.each<[JsonObject[], unknown, unknown]>([
    [[{ operation: 'aggregate' }], people, [{ key: null, value: 3 }]],
    [
      [{ operation: 'aggregate', function: 'count', group_by: 'city.name' }],
      people,
      [
        { key: 'London', value: 2 },
        { key: 'Rome', value: 1 },
      ],
    ],
    [[{ operation: 'aggregate', function: 'sum', field: 'age' }], people, [{ key: null, value: 45 }]],
    [[{ operation: 'aggregate', function: 'average', field: 'age' }], people, [{ key: null, value: 22.5 }]],
    [[{ operation: 'aggregate', function: 'min', field: 'age' }], people, [{ key: null, value: 9 }]],
    [[{ operation: 'aggregate', function: 'max', field: 'no' }], people, [{ key: null, value: null }]],
    [
      [{ operation: 'aggregate', function: 'collect', field: 'name' }],
      people,
      [{ key: null, value: ['Ada', 'Bob', 'Cyd'] }],
    ],
    [[{ operation: 'split', separator: ',' }], ['a,b', 'c'], ['a', 'b', 'c']],
    [
      [{ operation: 'dedupe' }, { operation: 'sort', order: 'desc' }],
      [1, '2', 1, 10],
      [10, '2', 1],
    ],
    [
      [{ operation: 'join', with: '[{"id":1,"b":2,"a":0}]', key: 'id' }],
      [{ id: 1, a: 1 }, { id: 2 }],
      [{ id: 1, b: 2, a: 1 }, { id: 2 }],
    ],
    [[], '{{ nodes.t.json.list }}', [7]],
    [[{ operation: 'filter', field: '__proto__.x', value: null }], [{}], [{}]],
  ])('%j of %j gives %j', async (operations, items, expected) => {
    const data = workflow([t, list('l', items, operations), output('o')], ['t>l', 'l>o']);
    expect(await outputOf(data, { input: { list: [7] } })).toEqual(expected);
  });

  test.each([
    [[], 'no list', 'invalid_items'],
    [[{ operation: 'join', with: 'no list', key: 'a' }], [], 'invalid_items'],
    [[{ operation: 'split', separator: ',' }], [','.repeat(10_001)], 'too_many_items'],
  ])('%j of %j fails', async (operations, items, code) => {
    expect(await result(operations, items)).toMatchObject({ error: { code } });
  });
});

describe('a note', () => {
  test('is neither reached nor reported', async () => {
    const data = workflow([t, note('n', { text: 'Hi {{ no.such }}' }), output('o')], ['t>o']);
    expect(checkWorkflow(data, { servesModel: () => true })).toMatchObject({ is_valid: true, issues: [] });
    expect(short(await run(data))).toEqual(['+t', 't={}', '+o', 'o={}', 'run="{}"']);
  });

  test('must have no connections', () => {
    const data = workflow([t, note('n', { text: 'Hi' })], ['t>n']);
    expect(checkWorkflow(data, { servesModel: () => true }).issues).toMatchObject([
      { node_id: 'n', severity: 'error', message: 'a note has no connections' },
    ]);
  });
});
