import { describe, expect, test } from '@jest/globals';
import type { SubRunEnd } from '../../src/engine/ports.js';
import { compileGraph, GraphError } from '../../src/engine/workflow/graph/graph.js';
import { checkWorkflow, validateRun } from '../../src/engine/workflow/graph/validate.js';
import { openNodes } from '../../src/engine/workflow/run/recorded.js';
import { FakeClock, fakePorts, upstreamDown } from './fake-ports.js';
import {
  delay,
  execution,
  http,
  loop,
  output,
  run,
  short,
  start,
  subworkflow,
  template,
  trigger,
  workflow,
} from './samples.js';

const t = trigger('t');
/** Time stands still: nothing times out. */
const stillClock = Object.assign(new FakeClock(), {
  sleep: (ms: number) => new Promise<void>(resolve => (ms === 0 ? setImmediate(resolve) : undefined)),
});
const world = { servesModel: () => true };
const body = (nodes: ReturnType<typeof http>[], edges: string[]) =>
  workflow(nodes, edges, { start_node: nodes[0]?.id });

describe('a delay', () => {
  test('suspends the run until its time, and goes on from there', async () => {
    const data = workflow([t, delay('d', 3600), output('o', { value: 'late' })], ['t>d', 'd>o']);
    const ports = fakePorts();
    const began = ports.clock.time;
    const first = await execution(data, { ports });
    expect(short(first.events)).toEqual(['+t', 't={}', '+d', 'd/delay…timer']);
    expect(first.suspended?.until).toBe(new Date(began + 3_600_000).toISOString());
    const early = await execution(data, { ports, recorded: first.events });
    expect([short(early.events), early.suspended?.until]).toEqual([[], first.suspended?.until]);
    ports.clock.time = began + 3_600_000;
    const late = await execution(data, { ports, recorded: first.events });
    expect(short(late.events)).toEqual(['d=', '+o', 'o=late', 'run="late"']);
  });

  test('keeps other branches going, and the run awake while they work', async () => {
    const data = workflow([t, delay('d', 5), http('h'), output('o')], ['t>d', 't>h', 'd>o', 'h>o']);
    const ports = fakePorts({ latency: () => 10_000 });
    const { events, suspended } = await execution(data, { ports });
    expect(suspended).toBeUndefined();
    expect(short(events)).toEqual([
      '+t',
      't={}',
      '+d',
      '+h',
      'd/delay…timer',
      'd=',
      'h=',
      '+o',
      'o=["",""]',
      'run="[\\"\\",\\"\\"]"',
    ]);
  });

  test('too short to suspend the run is waited for in place', async () => {
    const { events, suspended } = await execution(workflow([t, delay('d', 0.5)], ['t>d']));
    expect([suspended, short(events).at(-1)]).toEqual([undefined, 'run=null']);
  });

  test.each([
    [-1, 'seconds'],
    [2_592_001, 'seconds'],
    ['soon', 'seconds'],
  ])('of %p seconds is refused', (seconds, path) => {
    const check = validateRun(compileGraph(workflow([t, delay('d', seconds)], ['t>d'])), {}, world);
    expect(check).toMatchObject({ status: 422, data: { d: { result: [{ [path]: expect.any(String) }] } } });
  });

  test('that is longer than any timer of the process is waited for all the same', async () => {
    const ports = fakePorts({ latency: () => 40 * 86_400_000 });
    const data = workflow([t, delay('d', 30 * 86_400), http('h', { timeout_seconds: 3600 })], ['t>d', 't>h']);
    expect(short(await run(data, { ports })).at(-1)).toBe('run!timeout');
  });
});

describe('a loop', () => {
  const greet = body([http('h', { url: 'http://outside/{{ input.name }}' }), output('r')], ['h>r']);

  test('runs its body for each item and gives the results in the order of the items', async () => {
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

  test('shows a round its item, its index and what ran before the loop', async () => {
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

  test('gives no more rounds at a time than its concurrency', async () => {
    const ports = fakePorts();
    const data = workflow(
      [t, loop('l', [1, 2, 3, 4, 5, 6, 7], { body: body([http('h')], []), concurrency: 3 })],
      ['t>l'],
    );
    await run(data, { ports });
    expect([ports.asked.length, ports.inFlight.most]).toEqual([7, 3]);
  });

  test('over an empty list gives an empty list', async () => {
    expect(short(await run(workflow([t, loop('l', [], { body: greet })], ['t>l']))).at(-2)).toBe('l=[]');
  });

  test.each([
    ['a million items', JSON.stringify(new Array(1_000_000).fill(0)), 'too_many_items'],
    ['one item more than max_items', '[1,2,3]', 'too_many_items'],
    ['what is no list', '{"a":1}', 'invalid_items'],
  ])('fails over %s', async (_what, items, code) => {
    const events = await run(workflow([t, loop('l', items, { body: greet, max_items: 2 })], ['t>l']));
    expect(short(events).slice(-2)).toEqual([`l!${code}`, `run!${code}`]);
  });

  test('fails with the first round that fails, and ends the others before itself', async () => {
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

  test('that may fail lets the run go on', async () => {
    const data = workflow(
      [t, loop('l', [{ name: 'a' }], { body: greet, on_error: 'continue' }), output('o')],
      ['t>l', 'l>o'],
    );
    expect(short(await run(data, { ports: fakePorts({ http: upstreamDown }) })).at(-1)).toBe('run=""');
  });

  test('that is tried again begins its rounds anew, as other iterations', async () => {
    let calls = 0;
    const ports = fakePorts({ http: () => (++calls === 2 ? upstreamDown() : { body: 'ok' }) });
    const retry = { on_error: 'retry', retry: { attempts: 2, delay_seconds: 0 } };
    const data = workflow([t, loop('l', [{ name: 'a' }, { name: 'b' }], { body: greet, ...retry })], ['t>l']);
    const events = short(await run(data, { ports }));
    expect(events).toContain('[1]h!upstream_error');
    expect(events).toContain('[2~0]h=ok');
    expect(events.at(-2)).toBe('l=["ok","ok"]');
    expect(new Set(ports.asked.map(({ key }) => key)).size).toBe(4);
  });

  test('does not ask again for what a round had, when the process dies', async () => {
    const data = workflow([t, loop('l', [{ name: 'a' }, { name: 'b' }], { body: greet })], ['t>l']);
    const whole = await run(data, { ports: fakePorts({ http: ({ url }) => ({ body: url }) }) });
    const cut =
      whole.findIndex(event => event.type === 'node.succeeded' && event.node === 'h' && event.iteration === '0') + 1;
    const ports = fakePorts({ http: ({ url }) => ({ body: url }) });
    const rest = await run(data, { ports, recorded: whole.slice(0, cut) });
    expect(ports.asked.map(({ url }) => url)).toEqual(['http://outside/b']);
    expect(short(rest).at(-2)).toBe('l=["http://outside/a","http://outside/b"]');
  });

  test('nests, and waits inside its rounds without a worker', async () => {
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
    expect(checkWorkflow(within(inner), world)).toMatchObject({
      status: 400,
      issues: [{ code, path: expect.stringMatching(/^nodes\.2\.data\.body/) }],
    });
  });

  test('is validated like any graph, node by node', () => {
    const inner = body(
      [http('a', { url: 'ftp://x' }), template('b', { template: '{{ nodes.gone.content }}' })],
      ['a>b'],
    );
    expect(checkWorkflow(within(inner), world)).toMatchObject({
      status: 422,
      data: {
        a: { result: [{ url: expect.any(String) }] },
        b: { result: [{ template: 'refers to a node that does not exist' }] },
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
    expect(checkWorkflow(data, world).data).toEqual({
      a: {
        id: 'a',
        status: 'failed',
        result: [{ template: 'refers to a node that can never have run before this one' }],
      },
    });
  });

  test.each([
    [{}, 'required when there is no workflow_id'],
    [{ body: body([http('a')], []), workflow_id: 3 }, 'must be absent when there is a workflow_id'],
  ])('stands alone', (data, message) => {
    expect(checkWorkflow(workflow([t, loop('l', [1], data)], ['t>l']), world).data).toMatchObject({
      l: { result: [{ body: message }] },
    });
  });
});

describe('a sub-workflow', () => {
  const data = workflow(
    [t, subworkflow('s', { workflow_id: 7, input: { a: '{{ input.a }}' } }), output('o')],
    ['t>s', 's>o'],
  );

  function subRuns(ends: Map<string, SubRunEnd>) {
    const started: { workflowId: number; input: unknown; key: string }[] = [];
    const cancelled: string[] = [];
    const ports = fakePorts({
      runs: {
        start: async asked => `sub-${started.push(asked)}`,
        end: async id => ends.get(id),
        cancel: async id => void cancelled.push(id),
      },
    });
    return { ports, started, cancelled };
  }

  test('is started once, waited for without a worker, and gives its output', async () => {
    const ends = new Map<string, SubRunEnd>();
    const { ports, started } = subRuns(ends);
    const first = await execution(data, { ports, input: { a: 5 } });
    expect(short(first.events)).toEqual(['+t', 't={"a":5}', '+s', '+s/run', 's/run…run']);
    expect(first.suspended).toMatchObject({ until: null });
    expect(started).toEqual([{ workflowId: 7, input: { a: 5 }, key: expect.any(String) }]);
    ends.set('sub-1', { status: 'succeeded', runId: 'sub-1', content: 'done' });
    const second = await execution(data, { ports, input: { a: 5 }, recorded: first.events });
    expect(short(second.events).at(-1)).toBe('run="done"');
    expect(started).toHaveLength(1);
  });

  test('that ends while the run works on something else is heard of at a signal', async () => {
    const ends = new Map<string, SubRunEnd>();
    const { ports } = subRuns(ends);
    let signal = () => {};
    const onSignal = (listener: () => void) => {
      signal = listener;
      return () => {};
    };
    const seen: string[] = [];
    const busy = workflow([t, subworkflow('s', { workflow_id: 7 }), http('h')], ['t>s', 't>h']);
    const slow = { ...ports, clock: stillClock, http: { request: () => new Promise<never>(() => {}) } };
    const events = start(busy, { ports: slow, onSignal });
    for await (const event of events) {
      seen.push(...short([event]));
      if (event.type === 'node.waiting')
        setImmediate(() => {
          ends.set('sub-1', { status: 'succeeded', runId: 'sub-1', content: 'x' });
          signal();
        });
      if (event.type === 'node.succeeded' && event.node === 's') break;
    }
    expect(seen.at(-1)).toBe('s=x');
  });

  test('that fails, fails the node with its reason', async () => {
    const { ports } = subRuns(
      new Map([['sub-1', { status: 'failed', runId: 'sub-1', error: { code: 'c', message: 'why' } }]]),
    );
    const events = await run(data, { ports, input: { a: 5 } });
    expect(short(events).slice(-2)).toEqual(['s!subworkflow_failed', 'run!subworkflow_failed']);
  });

  test('is cancelled with the run that waits for it, and when its time is over', async () => {
    const failing = subRuns(new Map());
    const ports = { ...failing.ports, http: fakePorts({ http: upstreamDown, latency: () => 50 }).http };
    await run(workflow([t, subworkflow('s', { workflow_id: 7 }), http('h')], ['t>s', 't>h']), { ports });
    expect(failing.cancelled).toEqual(['sub-1']);

    const slow = subRuns(new Map());
    const events = await run(workflow([t, subworkflow('s', { workflow_id: 7, timeout_seconds: 30 })], ['t>s']), slow);
    expect([short(events).at(-1), slow.cancelled]).toEqual(['run!timeout', ['sub-1']]);
  });

  test('is left alone by a process that stops', async () => {
    const { ports, cancelled } = subRuns(new Map());
    const controller = new AbortController();
    const busy = workflow([t, subworkflow('s', { workflow_id: 7 }), http('h')], ['t>s', 't>h']);
    const slow = { ...ports, clock: stillClock, http: { request: () => new Promise<never>(() => {}) } };
    const events = start(busy, { ports: slow, signal: controller.signal });
    await expect(
      (async () => {
        for await (const event of events)
          if (event.type === 'node.waiting') setImmediate(() => controller.abort(new Error('stop')));
      })(),
    ).rejects.toThrow('stop');
    expect(cancelled).toEqual([]);
  });

  test('that is the workflow itself is refused', () => {
    expect(checkWorkflow(data, { ...world, workflowId: 7 }).data).toMatchObject({
      s: { result: [{ workflow_id: expect.any(String) }] },
    });
  });

  test('runs for each item of a loop', async () => {
    const { ports, started } = subRuns(
      new Map([1, 2].map(n => [`sub-${n}`, { status: 'succeeded', runId: '', content: `r${n}` }])),
    );
    const events = await run(workflow([t, loop('l', ['a', 'b'], { workflow_id: 7 })], ['t>l']), { ports });
    expect(short(events).at(-2)).toBe('l=["r1","r2"]');
    expect(started.map(({ input }) => input)).toEqual([
      { item: 'a', index: 0 },
      { item: 'b', index: 1 },
    ]);
  });
});
