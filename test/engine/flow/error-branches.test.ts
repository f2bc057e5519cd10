import { describe, expect, test } from '@jest/globals';
import { PortError } from '../../../src/engine/ports.js';
import { policyOf } from '../../../src/engine/workflow/graph/common-members.js';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { retryDelayMs } from '../../../src/engine/workflow/run/failure-policy.js';
import { RunScope } from '../../../src/engine/workflow/run/run-scope.js';
import { fakePorts, upstreamDown } from '../fake-ports.js';
import { http, ifElse, output, resultsOf, run, short, subworkflow, template, trigger, workflow } from '../samples.js';

const t = trigger('t');
const down = () => fakePorts({ http: upstreamDown });

describe('a failure with on_error branch', () => {
  const data = workflow(
    [t, http('a', { on_error: 'branch' }), output('ok'), output('bad', { value: 'sorry' })],
    ['t>a', 'a>ok', 'a:error>bad'],
  );

  test('follows the edges of the handle error, and a success all others', async () => {
    const failed = await run(data, { ports: down() });
    expect(short(failed).slice(2)).toEqual([
      '+a',
      'a!upstream_error continued',
      '-ok',
      '+bad',
      'bad=sorry',
      'run="sorry"',
    ]);
    const ports = fakePorts({ http: () => ({ body: 'fine' }) });
    expect(short(await run(data, { ports })).slice(2)).toEqual([
      '+a',
      'a=fine',
      '+ok',
      '-bad',
      'ok=fine',
      'run="fine"',
    ]);
  });

  test('follows error_nodes, which take precedence over edges', async () => {
    const listed = workflow(
      [t, http('a', { on_error: 'branch', error_nodes: ['bad'] }), output('ok'), output('bad', { value: 'sorry' })],
      ['t>a', 'a>ok'],
    );
    expect(short(await run(listed, { ports: down() })).at(-1)).toBe('run="sorry"');
  });

  test('leaves no content for the nodes behind it', async () => {
    const both = workflow(
      [t, http('a', { on_error: 'branch' }), template('b', { template: 'b' }), output('o')],
      ['t>a', 'a>o', 'a:error>b', 'b>o'],
    );
    expect(short(await run(both, { ports: down() })).at(-1)).toBe('run="b"');
  });

  test('continues in the same branch after the process died', async () => {
    const events = await run(data, { ports: down() });
    const cut = events.findIndex(({ type }) => type === 'node.failed') + 1;
    const resumed = await run(data, { ports: down(), recorded: events.slice(0, cut) });
    expect(short(resumed)).toEqual(short(events.slice(cut)));
  });

  test('of a condition takes neither branch but error', async () => {
    const broken = ifElse('if', {
      condition: { left: '{{ input.no.such }}', operator: '==', right: '' },
      on_error: 'branch',
    });
    const graph = workflow([t, broken, output('a'), output('e')], ['t>if', 'if:condition-true>a', 'if:error>e']);
    expect(short(await run(graph)).slice(3)).toEqual(['if!unknown_reference continued', '-a', '+e', 'e=', 'run=""']);
  });

  test('of a sub-run follows the handle error', async () => {
    const end = { status: 'failed', runId: 'r', error: { code: 'x', message: 'no' } } as const;
    const ports = fakePorts({ runs: { start: async () => 'r', findEnd: async () => end } });
    const graph = workflow(
      [t, subworkflow('s', { workflow_id: 7, on_error: 'branch' }), output('e', { value: 'x' })],
      ['t>s', 's:error>e'],
    );
    expect(short(await run(graph, { ports })).at(-1)).toBe('run="x"');
  });
});

test('without on_error branch an edge with the handle error is a usual edge', async () => {
  const data = workflow([t, http('a'), output('o')], ['t>a', 'a:error>o']);
  expect(short(await run(data, { ports: fakePorts() })).at(-1)).toBe('run=""');
});

test.each([
  ['text', 'text'],
  [{ list: [1] }, '{"list":[1]}'],
  ['{{ input.x }}', '{{ input.x }}'],
  [null, ''],
  [undefined, ''],
])('on_error default continues with default_value %j', async (default_value, content) => {
  const data = workflow([t, http('a', { on_error: 'default', default_value }), output('o')], ['t>a', 'a>o']);
  const events = await run(data, { ports: down() });
  expect(short(events).slice(3)).toEqual([
    'a!upstream_error continued',
    '+o',
    `o=${content}`,
    `run=${JSON.stringify(content)}`,
  ]);
});

test('on_error default of a condition selects the branch of default_value', async () => {
  const broken = ifElse('if', {
    condition: { left: '{{ input.no.such }}', operator: '==', right: '' },
    on_error: 'default',
    default_value: true,
  });
  const data = workflow([t, broken, output('a')], ['t>if', 'if:condition-true>a']);
  expect(short(await run(data)).at(-1)).toBe('run="true"');
});

describe('retries', () => {
  test.each(['branch', 'default'])('come first with on_error %s if retry is present', async on_error => {
    const retry = { attempts: 2, delay_seconds: 0 };
    const data = workflow([t, http('a', { on_error, retry })], ['t>a']);
    const events = await run(data, { ports: down() });
    expect(short(events).slice(2)).toEqual(['+a', 'a~1', '+a2', 'a!upstream_error continued', 'run=null']);
    expect(events.find(({ type }) => type === 'node.failed')).toMatchObject({ attempts: 2, continued: true });
    const once = await run(workflow([t, http('a', { on_error })], ['t>a']), { ports: down() });
    expect(short(once).slice(2)).toEqual(['+a', 'a!upstream_error continued', 'run=null']);
  });

  test('are limited to the listed error codes', async () => {
    const retry = { attempts: 3, delay_seconds: 0, error_codes: ['http_status', 'timeout'] };
    const data = workflow([t, http('a', { on_error: 'retry', retry })], ['t>a']);
    expect(short(await run(data, { ports: down() })).slice(2)).toEqual([
      '+a',
      'a!upstream_error',
      'run!upstream_error',
    ]);
    const ports = fakePorts({ http: () => ({ status: 503 }) });
    expect(short(await run(data, { ports })).slice(2, 6)).toEqual(['+a', 'a~1', '+a2', 'a~2']);
  });

  test.each([
    [{}, [1000, 1000, 1000]],
    [{ delay_seconds: 2, backoff: 'exponential' }, [2000, 4000, 8000]],
    [{ delay_seconds: 2, backoff: 'exponential', max_delay_seconds: 5 }, [2000, 4000, 5000]],
    [{ delay_seconds: 9, max_delay_seconds: 5 }, [5000, 5000, 5000]],
  ])('with %j wait %j milliseconds', (retry, delays) => {
    const policy = policyOf({ on_error: 'retry', retry });
    expect([1, 2, 3].map(attempt => retryDelayMs(policy, attempt, 'seed'))).toEqual(delays);
  });

  test('with jitter wait between half of the delay and the delay, fixed by the seed', () => {
    const policy = policyOf({ on_error: 'retry', retry: { delay_seconds: 10, jitter: true } });
    const delays = Array.from({ length: 1000 }, (_, index) => retryDelayMs(policy, 1, `run-${index}`));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(5000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(10_000);
    expect(new Set(delays).size).toBeGreaterThan(500);
    expect(delays).toEqual(delays.map((_, index) => retryDelayMs(policy, 1, `run-${index}`)));
  });
});

test('the error of a node has its code, message, HTTP status and number of attempts', async () => {
  const data = workflow([t, http('a', { on_error: 'branch' }), output('o')], ['t>a', 'a:error>o']);
  const events = await run(data, { ports: fakePorts({ http: () => ({ status: 404 }) }) });
  expect(events.find(({ type }) => type === 'node.failed')).toMatchObject({
    error: { code: 'http_status', message: 'the server answered with status 404' },
    status: 404,
  });
  const graph = compileGraph(data);
  const reader = graph.byId.get('o')!;
  const error = { code: 'x', message: 'm', status: 404, attempts: 1 };
  const parts = { runId: 'r', graph, input: {}, reader, now: '' };
  const outer = new RunScope(parts, resultsOf([], new Map([[graph.byId.get('a')!.index, error]])));
  const body = compileGraph(workflow([trigger('inner')]));
  const scope = new RunScope({ ...parts, graph: body, reader: body.start, outer }, resultsOf([]));
  expect([outer.errorOf('a'), outer.errorOf('o'), scope.errorOf('a')]).toEqual([error, undefined, error]);
  expect(new PortError('c', 'm', { status: 503 }).status).toBe(503);
});
