import { describe, expect, test } from '@jest/globals';
import { PortError } from '../../src/engine/ports.js';
import { fakePorts, upstreamDown, usageOf } from './fake-ports.js';
import { http, ifElse, llm, output, run, short, template, trigger, workflow } from './samples.js';

const t = trigger('t');

describe('failures', () => {
  test('fail the run, abort the other branches and start nothing more', async () => {
    const ports = fakePorts({ http: ({ url }) => (url.endsWith('bad') ? upstreamDown() : 'hang') });
    const data = workflow(
      [t, http('bad'), http('slow'), template('after', { template: 'x' })],
      ['t>slow', 't>bad', 'bad>after'],
    );
    const events = await run(data, { ports });
    expect(short(events)).toEqual([
      '+t',
      't={}',
      '+slow',
      '+bad',
      'bad!upstream_error',
      'slow!aborted',
      'run!upstream_error',
    ]);
    expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' }, output: null });
  });

  test('end even when an aborted call never answers', async () => {
    const ports = fakePorts({ http: ({ url }) => (url.endsWith('bad') ? upstreamDown() : 'deaf') });
    const events = await run(workflow([t, http('bad'), http('deaf')], ['t>deaf', 't>bad']), { ports });
    expect(short(events).slice(-3)).toEqual(['bad!upstream_error', 'deaf!aborted', 'run!upstream_error']);
  });

  test('keep what a provider charged for a failed call', async () => {
    const usage = usageOf({ settings: { model_name: 'm' } });
    const ports = fakePorts({ llm: () => new PortError('bad_answer', 'the answer was cut off', { usage }) });
    const events = await run(workflow([t, llm('a', 'hi')], ['t>a']), { ports });
    expect(events.find(event => event.type === 'node.failed')).toMatchObject({ usage, durable: true });
  });

  test('with on_error continue have an empty content, and the run continues', async () => {
    const data = workflow(
      [t, http('bad', { on_error: 'continue' }), output('o', { value: '[{{ nodes.bad.content }}]' })],
      ['t>bad', 'bad>o'],
    );
    const events = await run(data, { ports: fakePorts({ http: upstreamDown }) });
    expect(short(events).slice(2)).toEqual(['+bad', 'bad!upstream_error continued', '+o', 'o=[]', 'run="[]"']);
  });

  test('of a condition that may fail take neither branch', async () => {
    const broken = ifElse('if', {
      condition: { left: '{{ input.no.such }}', operator: '==', right: '' },
      on_error: 'continue',
    });
    const data = workflow(
      [t, broken, output('a'), output('b')],
      ['t>if', 'if:condition-true>a', 'if:condition-false>b'],
    );
    expect(short(await run(data)).slice(3)).toEqual(['if!unknown_reference continued', '-a', '-b', 'run=null']);
  });

  test('are retried as often as retry says, after its delay', async () => {
    let tries = 0;
    const ports = fakePorts({ http: () => (++tries < 3 ? upstreamDown() : { body: 'ok' }) });
    const data = workflow([t, http('a', { on_error: 'retry', retry: { attempts: 3, delay_seconds: 7 } })], ['t>a']);
    expect(short(await run(data, { ports })).slice(2)).toEqual(['+a', 'a~1', '+a2', 'a~2', '+a3', 'a=ok', 'run=null']);
    expect(ports.clock.waits.filter(wait => wait === 7000)).toHaveLength(2);
    expect(new Set(ports.httpRequests.map(request => request.key))).toEqual(new Set(['run-1:a']));
  });

  test('end the run when the last attempt failed as well', async () => {
    const data = workflow([t, http('a', { on_error: 'retry', retry: { attempts: 2, delay_seconds: 0 } })], ['t>a']);
    const events = await run(data, { ports: fakePorts({ http: upstreamDown }) });
    expect(short(events).slice(2)).toEqual(['+a', 'a~1', '+a2', 'a!upstream_error', 'run!upstream_error']);
  });

  test('of another branch cut a pause between attempts short', async () => {
    const ports = fakePorts({ http: upstreamDown, latency: ({ url }) => (url.endsWith('a') ? 1 : 50) });
    const retry = { on_error: 'retry', retry: { attempts: 9, delay_seconds: 3000 } };
    const events = await run(workflow([t, http('a', retry), http('b')], ['t>a', 't>b']), { ports });
    expect(short(events).slice(2)).toEqual(['+a', '+b', 'a~1', 'b!upstream_error', 'a!aborted', 'run!upstream_error']);
  });

  test('by timeout abort the call', async () => {
    let signal: AbortSignal | undefined;
    const ports = fakePorts({
      http: (_request, call) => {
        signal = call.signal;
        return 'hang';
      },
    });
    const began = ports.clock.time;
    const events = await run(workflow([t, http('a', { timeout_seconds: 5 })], ['t>a']), { ports });
    expect(short(events).slice(3)).toEqual(['a!timeout', 'run!timeout']);
    expect(signal?.aborted).toBe(true);
    expect(ports.clock.time - began).toBe(5000);
  });

  test('come after 60 seconds without a timeout of its own, also when the port ignores the abort', async () => {
    const ports = fakePorts({ http: () => 'deaf' });
    const began = ports.clock.time;
    expect(short(await run(workflow([t, http('a')], ['t>a']), { ports })).slice(3)).toEqual([
      'a!timeout',
      'run!timeout',
    ]);
    expect(ports.clock.time - began).toBe(60_000);
  });

  test('that are unexpected show no details', async () => {
    const events = await run(workflow([t, http('a')], ['t>a']), {
      ports: fakePorts({ http: () => new Error('password=hunter22') }),
    });
    expect(events.at(-1)).toMatchObject({
      error: { code: 'internal_error', message: 'the node failed for an internal reason' },
    });
  });

  test.each([
    ['an unknown reference', http('a', { url: 'http://x/{{ nodes.t.json.no.such }}' }), 'unknown_reference'],
    [
      'a setting of the wrong type',
      llm('a', 'hi', { settings: { model_name: 'm', temperature: '{{ input.hot }}' } }),
      'invalid_settings',
    ],
    ['an address of another scheme', http('a', { url: '{{ input.file }}' }), 'invalid_settings'],
    ['a line break in a header', http('a', { headers: { 'X-A': '{{ input.lines }}' } }), 'invalid_header'],
  ])('come from %s, before any call', async (_title, node, code) => {
    const ports = fakePorts();
    const input = { hot: 'very', file: 'file:///etc/passwd', lines: 'a\r\nX-B: b' };
    expect(short(await run(workflow([t, node], ['t>a']), { ports, input })).slice(3)).toEqual([
      `a!${code}`,
      `run!${code}`,
    ]);
    expect(ports.httpRequests.length + ports.prompts.length).toBe(0);
  });

  test('come from results beyond maxBytes and from a run beyond maxSeconds', async () => {
    const ports = fakePorts({ http: () => ({ body: 'x'.repeat(100) }) });
    expect(short(await run(workflow([t, http('a')], ['t>a']), { ports, limits: { maxBytes: 99 } })).slice(2)).toEqual([
      '+a',
      'a!run_too_large',
      'run!run_too_large',
    ]);
    const slow = fakePorts({ http: () => 'hang' });
    expect(
      short(await run(workflow([t, http('a')], ['t>a']), { ports: slow, limits: { maxSeconds: 2 } })).slice(2),
    ).toEqual(['+a', 'a!aborted', 'run!run_timeout']);
  });
});
