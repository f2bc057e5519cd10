import { describe, expect, test } from '@jest/globals';
import type { SubRunEnd } from '../../../src/engine/ports.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { FakeClock, fakePorts, upstreamDown } from '../fake-ports.js';
import { execution, http, loop, output, run, short, start, subworkflow, trigger, workflow } from '../samples.js';

const t = trigger('t');
/** The time does not advance, so no limit is exceeded. */
const stillClock = Object.assign(new FakeClock(), {
  sleep: (ms: number) => new Promise<void>(resolve => (ms === 0 ? setImmediate(resolve) : undefined)),
});
const models = { servesModel: () => true };

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
        start: async request => `sub-${started.push(request)}`,
        findEnd: async id => ends.get(id),
        cancel: async id => void cancelled.push(id),
      },
    });
    return { ports, started, cancelled };
  }

  test('is started once, waited for without a worker, and returns its output', async () => {
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

  test('that ends while the run executes another node is noticed by a signal', async () => {
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

  test('is not cancelled by a process that stops', async () => {
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
    expect(checkWorkflow(data, { ...models, workflowId: 7 })).toMatchObject({
      data: { s: { result: [{ workflow_id: expect.any(String) }] } },
      issues: expect.arrayContaining([expect.objectContaining({ code: 'invalid_setting', path: 'workflow_id' })]),
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
