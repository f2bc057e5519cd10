import { describe, expect, test } from '@jest/globals';
import { compileGraph, GraphError } from '../../../src/engine/workflow/graph/graph.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { openNodes } from '../../../src/engine/workflow/run/recorded-state.js';
import { fakePorts, upstreamDown } from '../fake-ports.js';
import { delay, execution, http, loop, output, run, short, template, trigger, workflow } from '../samples.js';

const t = trigger('t');
const models = { servesModel: () => true };
const body = (nodes: ReturnType<typeof http>[], edges: string[]) =>
  workflow(nodes, edges, { start_node: nodes[0]?.id });

describe('a loop', () => {
  const greet = body([http('h', { url: 'http://outside/{{ input.name }}' }), output('r')], ['h>r']);

  test('runs its body for each item and returns the results in the order of the items', async () => {
    const items = [{ name: 'a' }, { name: 'b' }];
    const ports = fakePorts({
      http: ({ url }) => ({ body: url.slice(-1) }),
      latency: ({ url }) => (url.endsWith('a') ? 9 : 1),
    });
    const data = workflow([t, loop('l', items, { body: greet, concurrency: 2 }), output('o')], ['t>l', 'l>o']);
    const events = await run(data, { ports });
    expect(short(events)).toEqual([
      '+t',
      't={}',
      '+l',
      '+l/items',
      'l/items=[{"name":"a"},{"name":"b"}]',
      '[0]+h',
      '[1]+h',
      '[1]h=b',
      '[1]+r',
      '[1]r=b',
      '[0]h=a',
      '[0]+r',
      '[0]r=a',
      'l=["a","b"]',
      '+o',
      'o=["a","b"]',
      'run="[\\"a\\",\\"b\\"]"',
    ]);
  });

  test('gives an iteration its item, its index and what ran before the loop', async () => {
    const inner = body(
      [template('x', { template: '{{ nodes.before.content }} {{ input.index }} {{ input.item }}' }), output('r')],
      ['x>r'],
    );
    const data = workflow(
      [t, template('before', { template: 'B' }), loop('l', '[5, {{ input.n }}]', { body: inner })],
      ['t>before', 'before>l'],
    );
    expect(short(await run(data, { input: { n: 7 } })).at(-2)).toBe('l=["B 0 5","B 1 7"]');
  });

  test('starts no more iterations at a time than its concurrency', async () => {
    const ports = fakePorts();
    const data = workflow(
      [t, loop('l', [1, 2, 3, 4, 5, 6, 7], { body: body([http('h')], []), concurrency: 3 })],
      ['t>l'],
    );
    await run(data, { ports });
    expect([ports.httpRequests.length, ports.inFlight.most]).toEqual([7, 3]);
  });

  test('over an empty list returns an empty list', async () => {
    expect(short(await run(workflow([t, loop('l', [], { body: greet })], ['t>l']))).at(-2)).toBe('l=[]');
  });

  test.each([
    ['a million items', JSON.stringify(new Array(1_000_000).fill(0)), 'too_many_items'],
    ['one item more than max_items', '[1,2,3]', 'too_many_items'],
    ['what is not a list', '{"a":1}', 'invalid_items'],
  ])('fails over %s', async (_what, items, code) => {
    const events = await run(workflow([t, loop('l', items, { body: greet, max_items: 2 })], ['t>l']));
    expect(short(events).slice(-2)).toEqual([`l!${code}`, `run!${code}`]);
  });

  test('fails with the first iteration that fails, and ends the others first', async () => {
    const ports = fakePorts({ http: ({ url }) => (url.endsWith('b') ? upstreamDown() : 'hang') });
    const data = workflow(
      [t, loop('l', [{ name: 'a' }, { name: 'b' }], { body: greet, concurrency: 2 }), output('o')],
      ['t>l', 'l>o'],
    );
    const events = await run(data, { ports });
    expect(short(events).slice(-4)).toEqual([
      '[1]h!upstream_error',
      '[0]h!aborted',
      'l!upstream_error',
      'run!upstream_error',
    ]);
    expect(openNodes(events)).toEqual([]);
  });

  test('that may fail lets the run continue', async () => {
    const data = workflow(
      [t, loop('l', [{ name: 'a' }], { body: greet, on_error: 'continue' }), output('o')],
      ['t>l', 'l>o'],
    );
    expect(short(await run(data, { ports: fakePorts({ http: upstreamDown }) })).at(-1)).toBe('run=""');
  });

  test('that is retried starts its iterations anew, with other numbers', async () => {
    let calls = 0;
    const ports = fakePorts({ http: () => (++calls === 2 ? upstreamDown() : { body: 'ok' }) });
    const retry = { on_error: 'retry', retry: { attempts: 2, delay_seconds: 0 } };
    const data = workflow([t, loop('l', [{ name: 'a' }, { name: 'b' }], { body: greet, ...retry })], ['t>l']);
    const events = short(await run(data, { ports }));
    expect(events).toContain('[1]h!upstream_error');
    expect(events).toContain('[2~0]h=ok');
    expect(events.at(-2)).toBe('l=["ok","ok"]');
    expect(new Set(ports.httpRequests.map(({ key }) => key)).size).toBe(4);
  });

  test('does not repeat recorded calls of an iteration when the process dies', async () => {
    const data = workflow([t, loop('l', [{ name: 'a' }, { name: 'b' }], { body: greet })], ['t>l']);
    const whole = await run(data, { ports: fakePorts({ http: ({ url }) => ({ body: url }) }) });
    const cut =
      whole.findIndex(event => event.type === 'node.succeeded' && event.node === 'h' && event.iteration === '0') + 1;
    const ports = fakePorts({ http: ({ url }) => ({ body: url }) });
    const rest = await run(data, { ports, recorded: whole.slice(0, cut) });
    expect(ports.httpRequests.map(({ url }) => url)).toEqual(['http://outside/b']);
    expect(short(rest).at(-2)).toBe('l=["http://outside/a","http://outside/b"]');
  });

  test('nests, and waits inside its iterations without a worker', async () => {
    const inner = loop('in', [1, 2], {
      body: body([delay('d', 60), output('r', { value: '{{ input.item }}' })], ['d>r']),
      concurrency: 2,
    });
    const data = workflow([t, loop('out', ['x', 'y'], { body: body([inner, output('r2')], ['in>r2']) })], ['t>out']);
    const ports = fakePorts();
    const began = ports.clock.time;
    const first = await execution(data, { ports });
    expect(short(first.events).filter(text => text.includes('…'))).toEqual([
      '[0.0]d/delay…timer',
      '[0.1]d/delay…timer',
    ]);
    expect(first.suspended?.until).toBe(new Date(began + 60_000).toISOString());
    const events = await run(data, { ports: fakePorts() });
    expect(short(events).at(-2)).toBe(`out=${JSON.stringify(['["1","2"]', '["1","2"]'])}`);
    expect(openNodes(first.events).map(({ node, iteration }) => [node, iteration])).toEqual([
      ['d', '0.0'],
      ['d', '0.1'],
      ['in', '0'],
      ['out', undefined],
    ]);
  });

  test('ends within its own time', async () => {
    const data = workflow([t, loop('l', [1], { body: body([http('h')], []), timeout_seconds: 2 })], ['t>l']);
    const events = short(await run(data, { ports: fakePorts({ http: () => 'hang' }) }));
    expect(events.slice(-3)).toEqual(['[0]h!aborted', 'l!timeout', 'run!timeout']);
  });

  test('ends with the run that is aborted for another reason', async () => {
    const ports = fakePorts({ http: ({ url }) => (url.endsWith('x') ? upstreamDown() : 'hang') });
    const data = workflow([t, http('x'), loop('l', [{ name: 'a' }], { body: greet })], ['t>x', 't>l']);
    const events = await run(data, { ports });
    expect(short(events).slice(-3)).toEqual(['[0]h!aborted', 'l!aborted', 'run!upstream_error']);
  });
});

describe('the body of a loop', () => {
  const within = (inner: unknown) =>
    workflow([t, template('before', { template: '' }), loop('l', [1], { body: inner })], ['t>before', 'before>l']);

  test.each([
    ['a cycle', workflow([http('a'), http('b')], ['a>b', 'b>a'], { start_node: 'a' }), 'cycle'],
    ['an id of the graph around it', body([http('before')], []), 'duplicate_node_id'],
    ['no nodes', { nodes: [] }, 'no_nodes'],
    [
      'an edge to outside',
      { nodes: body([http('a')], []).nodes, start_node: 'a', edges: [{ id: 'e', source: 'a', target: 'before' }] },
      'dangling_edge',
    ],
  ])('with %s is a structural error', (_what, inner, code) => {
    expect(() => compileGraph(within(inner))).toThrow(GraphError);
    expect(checkWorkflow(within(inner), models)).toMatchObject({
      status: 400,
      issues: [{ code, path: expect.stringMatching(/^nodes\.2\.data\.body/) }],
    });
  });

  test('is validated like any graph, node by node', () => {
    const inner = body(
      [http('a', { url: 'ftp://x' }), template('b', { template: '{{ nodes.gone.content }}' })],
      ['a>b'],
    );
    expect(checkWorkflow(within(inner), models)).toMatchObject({
      status: 422,
      data: {
        a: { result: [{ url: expect.any(String) }] },
        b: { result: [{ template: 'refers to the node "gone", which does not exist' }] },
      },
    });
  });

  test('may refer to nodes before the loop and to none behind it', () => {
    const inner = body(
      [template('a', { template: '{{ nodes.before.content }} {{ nodes.after.content }} {{ input.any }}' })],
      [],
    );
    const data = workflow(
      [t, template('before', { template: '' }), loop('l', [1], { body: inner }), template('after', { template: '' })],
      ['t>before', 'before>l', 'l>after'],
    );
    expect(checkWorkflow(data, models).data).toEqual({
      a: {
        id: 'a',
        status: 'failed',
        result: [{ template: 'refers to a node that can never have run before this one' }],
      },
    });
  });

  test.each([
    [{}, 'required without workflow_id'],
    [{ body: body([http('a')], []), workflow_id: 3 }, 'must be absent if workflow_id is set'],
  ])('is either a graph or a workflow_id', (data, message) => {
    expect(checkWorkflow(workflow([t, loop('l', [1], data)], ['t>l']), models)).toMatchObject({
      data: { l: { result: [{ body: message }] } },
      issues: expect.arrayContaining([expect.objectContaining({ code: 'invalid_setting', path: 'body' })]),
    });
  });
});
