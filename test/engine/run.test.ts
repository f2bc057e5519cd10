import { describe, expect, test } from '@jest/globals';
import { compileGraph } from '../../src/engine/workflow/graph/graph.js';
import { runInGroups } from '../../src/engine/workflow/run/run.js';
import type { RunEvent, RunSuspended } from '../../src/engine/workflow/run/run-event.js';
import { fakePorts } from './fake-ports.js';
import { http, ifElse, output, run, short, start, switchNode, template, trigger, workflow } from './samples.js';

const t = trigger('t');
const isBig = ifElse('if', { condition: { left: '{{ input.n }}', operator: '>', right: '9' } });

describe('the order of a run', () => {
  test('goes from the trigger through a condition to the output', async () => {
    const data = workflow(
      [t, isBig, output('big', { value: 'big {{ input.n }}' }), output('small')],
      ['t>if', 'if:condition-true>big', 'if:condition-false>small'],
    );
    expect(short(await run(data, { input: { n: 10 } }))).toEqual([
      '+t',
      't={"n":10}',
      '+if',
      'if=true',
      '+big',
      '-small',
      'big=big 10',
      'run="big 10"',
    ]);
    expect(short(await run(data, { input: { n: 5 } })).at(-1)).toBe('run="false"');
  });

  test('follows next_nodes, true_node and false_node where they are given, whatever the edges show', async () => {
    const data = workflow(
      [
        trigger('t', { next_nodes: ['if'] }),
        ifElse('if', { ...isBig.data, true_node: 'a', false_node: 'b' }),
        template('a', { template: 'A' }),
        template('b', { template: 'B' }),
      ],
      ['t>a'],
    );
    expect(short(await run(data, { input: { n: '10' } }))).toContain('a=A');
    expect(short(await run(data, { input: { n: '5' } }))).toContain('b=B');
  });

  test('runs a join once, after all its live predecessors, and gives it their contents in the order of nodes', async () => {
    const ports = fakePorts({
      http: ({ url }) => ({ body: url.slice(-1) }),
      latency: ({ url }) => (url.endsWith('a') ? 50 : 5),
    });
    const data = workflow([t, http('a'), http('b'), output('o')], ['t>b', 't>a', 'b>o', 'a>o']);
    expect(short(await run(data, { ports }))).toEqual([
      '+t',
      't={}',
      '+b',
      '+a',
      'b=b',
      'a=a',
      '+o',
      'o=["a","b"]',
      'run="[\\"a\\",\\"b\\"]"',
    ]);
    expect(ports.inFlight.most).toBe(2);
  });

  test('spreads a skip along a branch and does not wait for it in a join', async () => {
    const data = workflow(
      [t, isBig, template('x', { template: 'X' }), template('y', { template: 'Y' }), output('o')],
      ['t>if', 'if:condition-true>x', 'x>y', 'y>o', 't>o'],
    );
    const events = short(await run(data, { input: { n: 1 } }));
    expect(events.filter(event => event.startsWith('-'))).toEqual(['-x', '-y']);
    expect(events.at(-1)).toBe('run="{\\"n\\":1}"');
  });

  test('returns several outputs by node id, and null when there is none', async () => {
    const two = workflow(
      [t, output('a', { value: '1' }), output('b', { value: { x: '{{ input.n }}' } })],
      ['t>a', 't>b'],
    );
    expect((await run(two, { input: { n: 2 } })).at(-1)).toMatchObject({ output: { a: '1', b: '{"x":2}' } });
    expect((await run(workflow([t]))).at(-1)).toMatchObject({ type: 'run.succeeded', output: null });
  });

  test('takes the first matching case of a switch, else the default', async () => {
    const cases = [{ equals: '1', next_nodes: ['one'] }, { equals: 'x' }, { equals: '01', next_nodes: ['never'] }];
    const data = workflow(
      [
        t,
        switchNode('s', { value: '{{ input.v }}', cases }),
        ...['one', 'x', 'never', 'd'].map(id => output(id, { value: id })),
      ],
      ['t>s', 's:case-1>x', 's:default>d'],
    );
    const outcomes = [1, '01', 'x', 'y'].map(async v => (await run(data, { input: { v } })).at(-1));
    expect(await Promise.all(outcomes)).toMatchObject([
      { output: 'one' },
      { output: 'one' },
      { output: 'x' },
      { output: 'd' },
    ]);
  });

  test('keeps at most maxParallel outbound calls in flight', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `h${index}`);
    const ports = fakePorts();
    await run(
      workflow(
        [t, ...ids.map(id => http(id))],
        ids.map(id => `t>${id}`),
      ),
      { ports, limits: { maxParallel: 3 } },
    );
    expect(ports.httpRequests).toHaveLength(20);
    expect(ports.inFlight.most).toBe(3);
  });
});

describe('the caller’s recording decides what happens next', () => {
  test('a node with an outbound call starts after its start was recorded, and its successors after its end was', async () => {
    const ports = fakePorts();
    const events = start(workflow([t, http('a'), http('b')], ['t>a', 'a>b']), { ports });
    for await (const event of events) {
      await new Promise(resolve => setImmediate(resolve));
      if (event.type === 'node.started' && event.node === 'a') expect(ports.httpRequests).toHaveLength(0);
      if (event.type === 'node.succeeded' && event.node === 'a') expect(ports.httpRequests).toHaveLength(1);
      if (event.type === 'node.started' && event.node !== 't') expect(event.durable).toBe(true);
    }
    expect(ports.httpRequests).toHaveLength(2);
  });

  test('a caller that stops reading aborts what is in flight', async () => {
    let signal: AbortSignal | undefined;
    const ports = fakePorts({
      http: (_request, call) => {
        signal = call.signal;
        return 'hang';
      },
    });
    for await (const event of start(workflow([t, http('a'), template('b', { template: 'x' })], ['t>a', 't>b']), {
      ports,
    })) {
      if (event.type === 'node.succeeded' && event.node === 'b') break;
    }
    expect(signal?.aborted).toBe(true);
  });

  test.each(['hang', 'deaf'] as const)(
    'an aborted signal ends a run whose call would %s, with its reason',
    async kind => {
      const controller = new AbortController();
      const reason = new Error('draining');
      const events = start(workflow([t, http('a')], ['t>a']), {
        ports: fakePorts({ http: () => kind }),
        signal: controller.signal,
      });
      const seen: (RunEvent | RunSuspended)[] = [];
      const ended = (async () => {
        for await (const event of events) seen.push(event);
      })();
      if (kind === 'hang') {
        while (seen.length < 3) await new Promise(resolve => setImmediate(resolve));
      } else while (seen.length < 3) await Promise.resolve();
      controller.abort(reason);
      await expect(ended).rejects.toBe(reason);
      expect(short(seen)).toEqual(['+t', 't={}', '+a']);
    },
  );

  test('an answer that came before the abort is still reported', async () => {
    const controller = new AbortController();
    const events = start(workflow([t, http('a'), http('b')], ['t>a', 't>b']), { signal: controller.signal });
    const seen: (RunEvent | RunSuspended)[] = [];
    await expect(
      (async () => {
        for await (const event of events) {
          seen.push(event);
          if (event.type !== 'node.succeeded' || event.node !== 'a') continue;
          for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve));
          controller.abort(new Error('stop'));
        }
      })(),
    ).rejects.toThrow('stop');
    expect(short(seen).slice(-2)).toEqual(['a=', 'b=']);
  });

  test('nothing starts under a signal that is aborted already', async () => {
    await expect(run(workflow([t]), { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });
});

describe('a run that continues after its process died', () => {
  const data = workflow([t, http('a'), http('b'), output('o')], ['t>a', 'a>b', 'b>o']);

  test('repeats no recorded call, and reports only new events', async () => {
    const before = (await run(data, { ports: fakePorts({ http: () => ({ body: 'x' }) }) })).slice(0, 5);
    const ports = fakePorts({ http: () => ({ body: 'y' }) });
    expect(short(await run(data, { ports, recorded: before }))).toEqual(['+b2', 'b=y', '+o', 'o=y', 'run="y"']);
    expect(ports.httpRequests.map(request => request.url)).toEqual(['http://outside/b']);
  });

  const startedEvent = (attempt: number): RunEvent => ({
    type: 'node.started',
    node: 'a',
    at: '',
    attempt,
    durable: true,
  });

  test.each([
    ['once by default', {}, 1, '+a2'],
    ['not a second time', {}, 2, 'a!interrupted'],
    ['and not at all when retry allows one try', { on_error: 'retry', retry: { attempts: 1 } }, 1, 'a!interrupted'],
    ['as long as retry has tries left', { on_error: 'retry', retry: { attempts: 3 } }, 2, '+a3'],
    ['and passes over it when on_error says so', { on_error: 'continue' }, 2, 'a!interrupted continued'],
  ])('repeats what was in flight, %s', async (_title, policy, attempt, first) => {
    const recorded = [...(await run(data)).slice(0, 2), startedEvent(attempt)];
    const events = await run(workflow([t, http('a', policy)], ['t>a']), { recorded });
    expect(short(events)[0]).toBe(first);
  });

  test.each([
    ['makes the call that was announced', {}, ['a=x', '+b', 'b=x', '+o', 'o=x', 'run="x"']],
    [
      'tries it again as its policy says',
      { on_error: 'retry' },
      ['a~1', '+a2', 'a=x', '+b', 'b=x', '+o', 'o=x', 'run="x"'],
    ],
    ['and counts no death', { on_error: 'retry', retry: { attempts: 1 } }, ['a!http_status', 'run!http_status']],
  ])('started by any process %s', async (_title, policy, rest) => {
    const graph = workflow([t, http('a', policy), http('b'), output('o')], ['t>a', 'a>b', 'b>o']);
    const recorded = (await run(graph)).slice(0, 3);
    expect(short(recorded)).toEqual(['+t', 't={}', '+a']);
    let isRefused = 'on_error' in policy;
    const ports = fakePorts({
      http: () => {
        const status = isRefused ? 503 : 200;
        isRefused = false;
        return { status, body: 'x' };
      },
    });
    expect(short(await run(graph, { ports, recorded, isUninterrupted: true }))).toEqual(rest);
  });

  test('fails as it had failed, and ends what was in flight', async () => {
    const recorded: RunEvent[] = [
      ...(await run(data)).slice(0, 2),
      startedEvent(1),
      { type: 'node.failed', node: 'b', at: '', error: { code: 'timeout', message: 'late' }, continued: false },
    ];
    expect(short(await run(data, { recorded }))).toEqual(['a!aborted', 'run!timeout']);
  });

  test.each([true, false])('takes the branch it had taken (recorded with its name: %s)', async isNamed => {
    const branching = workflow(
      [
        t,
        isBig,
        switchNode('s', { value: 'b', cases: [{ equals: 'a' }, { equals: 'b' }] }),
        output('no'),
        output('yes', { value: 'y' }),
      ],
      ['t>if', 'if:condition-true>s', 'if:condition-false>no', 's:case-0>no', 's:case-1>yes', 's:default>no'],
    );
    const events = await run(branching, { input: { n: 99 } });
    const last = events.findIndex(event => event.type === 'node.succeeded' && event.node === 's');
    const recorded = events
      .slice(0, last + 1)
      .map(event => (isNamed || event.type !== 'node.succeeded' ? event : { ...event, branch: undefined }));
    expect(short(await run(branching, { input: { n: 99 }, recorded }))).toEqual(
      expect.arrayContaining(['-no', '+yes', 'yes=y', 'run="y"']),
    );
  });
});

test('calls that begin together are announced in one group and made after it is taken', async () => {
  const ids = ['a', 'b', 'c'];
  const data = workflow(
    [t, ...ids.map(id => http(id)), output('o')],
    [...ids.map(id => `t>${id}`), ...ids.map(id => `${id}>o`)],
  );
  const ports = fakePorts();
  const groups = runInGroups({
    ...{ graph: compileGraph(data), input: {}, runId: 'run-1', ports },
    signal: new AbortController().signal,
  });
  const taken: string[][] = [];
  const requests: number[] = [];
  for await (const group of groups) {
    requests.push(ports.httpRequests.length);
    taken.push('type' in group ? [group.type] : short([...group]));
  }
  const at = taken.findIndex(group => group.length > 1);
  expect(taken[at]).toEqual(['+a', '+b', '+c']);
  expect(taken.filter(group => group.length > 1)).toHaveLength(1);
  expect(requests.slice(at, at + 2)).toEqual([0, 3]);
});
