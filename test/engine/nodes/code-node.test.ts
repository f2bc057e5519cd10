import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { PortError, type Script } from '../../../src/engine/ports.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { progressOf, resultOf } from '../../../src/engine/workflow/run/progress.js';
import { fakePorts } from '../fake-ports.js';
import { http, ifElse, loop, output, run, short, template, trigger, workflow } from '../samples.js';

const code = (id: string, data: JsonObject) => ({ id, type: 'code-node', data });
const t = trigger('t');

/** Runs a graph with a code node. Returns the scripts that the sandbox received, and the events. */
async function runScripts(data: JsonObject, graph = workflow([t, code('c', data)], ['t>c']), input: JsonObject = {}) {
  const scripts: Script[] = [];
  const ports = fakePorts({
    sandbox: async script => {
      scripts.push(script);
      return 'made';
    },
  });
  const events = await run(graph, { ports, input });
  return { scripts, events };
}

describe('a code node', () => {
  test('passes its code to the sandbox unchanged, with placeholders', async () => {
    const text = 'return `{{ input.name }}` + input.name; // {{ nodes.gone.content }}';
    const { scripts } = await runScripts({ code: text }, undefined, { name: '`+process.exit()+`' });
    expect(scripts).toEqual([
      {
        code: text,
        input: { name: '`+process.exit()+`' },
        nodes: new Map([['t', '{"name":"`+process.exit()+`"}']]),
        memoryMb: 16,
        timeoutMs: 4_900,
      },
    ]);
  });

  test('has the time and memory that it asks for', async () => {
    const { scripts } = await runScripts({ code: 'return 1', memory_mb: 64, timeout_seconds: 0.5 });
    expect(scripts[0]).toMatchObject({ memoryMb: 64, timeoutMs: 450 });
  });

  test('names its language, and keeps what the console wrote in every attempt', async () => {
    const languages: unknown[] = [];
    const ports = fakePorts({
      sandbox: async ({ language }, call) => {
        languages.push(language);
        call.log?.([`try ${languages.length}`]);
        if (languages.length === 1) throw new PortError('code_error', 'no');
        return 'made';
      },
    });
    const data = { code: 'return 1', language: 'typescript', on_error: 'retry', retry: { delay_seconds: 1 } };
    const events = await run(workflow([t, code('c', data)], ['t>c']), { ports });
    expect(languages).toEqual(['typescript', 'typescript']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'node.retrying', log: ['try 1'] }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'node.succeeded', log: ['try 2'] }));
    expect(progressOf(events).logs).toEqual(new Map([['c', ['try 1', 'try 2']]]));
    expect(resultOf(progressOf(events)).logs).toEqual({ c: ['try 1', 'try 2'] });
  });

  test('waits for a thread outside of its time limit, and reports for how long', async () => {
    const ports = fakePorts({
      sandbox: async (_script, call) => {
        await call.waitFor!(ports.clock.sleep(60_000, call.signal));
        await ports.clock.sleep(4_000, call.signal);
        await call.waitFor!(ports.clock.sleep(30_000, call.signal));
        await ports.clock.sleep(900, call.signal);
        return 'made';
      },
    });
    const events = await run(workflow([t, code('c', { code: 'return 1', timeout_seconds: 5 })], ['t>c']), { ports });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'node.succeeded', node: 'c', content: 'made', waitedMs: 90_000 }),
    );
    expect(progressOf(events).slotWaits).toEqual(new Map([['c', 90_000]]));
  });

  test('times out by its working time, in each attempt anew, and reports for how long it waited', async () => {
    const ports = fakePorts({
      sandbox: async (_script, call) => {
        await call.waitFor!(ports.clock.sleep(60_000, call.signal));
        await ports.clock.sleep(5_001, call.signal);
        return 'made';
      },
    });
    const data = { code: 'return 1', timeout_seconds: 5, on_error: 'retry', retry: { attempts: 2, delay_seconds: 0 } };
    const events = await run(workflow([t, code('c', data)], ['t>c']), { ports });
    const errorEvents = events.filter(event => 'error' in event && 'node' in event);
    expect(errorEvents).toMatchObject([
      { type: 'node.retrying', error: { code: 'timeout' }, waitedMs: 60_000 },
      { type: 'node.failed', error: { code: 'timeout' }, waitedMs: 60_000 },
    ]);
    expect(resultOf(progressOf(events)).waits).toEqual({ c: 120_000 });
  });

  test('in a loop waits outside of the time of the loop', async () => {
    const ports = fakePorts({
      sandbox: async (_script, call) => {
        await call.waitFor!(ports.clock.sleep(60_000, call.signal));
        await ports.clock.sleep(1_000, call.signal);
        return 'made';
      },
    });
    const body = workflow(
      [trigger('bt'), code('c', { code: 'return 1' }), output('bo', { value: 'x' })],
      ['bt>c', 'c>bo'],
    );
    const inLoop = (timeout: number) =>
      run(workflow([t, loop('l', [1, 2, 3], { body, timeout_seconds: timeout })], ['t>l']), { ports });
    expect(short(await inLoop(3.5)).at(-1)).toContain('run=');
    expect(short(await inLoop(2.5)).at(-1)).toContain('timeout');
  });

  test('can read the nodes before it, and no parallel ones', async () => {
    const graph = workflow(
      [
        t,
        template('a', { template: 'A' }),
        template('b', { template: 'B' }),
        http('slow'),
        ifElse('if', { condition: { left: 1, right: 2, operator: '==' } }),
        template('skipped', { template: 'S' }),
        code('c', { code: 'return 1' }),
      ],
      ['t>a', 'a>b', 't>slow', 't>if', 'if:condition-true>skipped', 'if:condition-false>c', 'b>c', 'skipped>c'],
    );
    const { scripts } = await runScripts({}, graph);
    expect([...(scripts[0]?.nodes ?? [])]).toEqual([
      ['t', '{}'],
      ['a', 'A'],
      ['if', 'false'],
      ['b', 'B'],
    ]);
  });

  test('returns the result of the sandbox, for later nodes to use', async () => {
    const graph = workflow(
      [t, code('c', { code: 'return 1' }), output('o', { value: '{{ nodes.c.json.sum }}' })],
      ['t>c', 'c>o'],
    );
    const ports = fakePorts({ sandbox: async () => '{"sum":3}' });
    expect(short(await run(graph, { ports })).at(-1)).toBe('run="3"');
  });

  test('fails with the error of the sandbox', async () => {
    const ports = fakePorts({
      sandbox: async () => {
        throw new PortError('code_error', 'TypeError: x is not a function (line 3)');
      },
    });
    const events = await run(workflow([t, code('c', { code: 'x()' })], ['t>c']), { ports });
    expect(JSON.stringify(events)).toContain('TypeError: x is not a function (line 3)');
    expect(short(events).at(-1)).toBe('run!code_error');
  });

  test.each<[JsonObject, string, string]>([
    [{}, 'code', 'required'],
    [{ code: '' }, 'code', 'must not be empty'],
    [{ code: 5 }, 'code', 'must be a text'],
    [{ code: 'x'.repeat(100_001) }, 'code', 'must have at most 100000 characters'],
    [{ code: '1', memory_mb: 129 }, 'memory_mb', 'must be at most 128'],
    [{ code: '1', memory_mb: '{{ input.x }}' }, 'memory_mb', 'must be a number'],
    [{ code: '1', timeout_seconds: 0 }, 'timeout_seconds', 'must be more than 0'],
  ])('is refused with %j', (data, path, message) => {
    const checked = checkWorkflow(workflow([t, code('c', data)], ['t>c']), { servesModel: () => true });
    expect(checked.issues).toEqual([expect.objectContaining({ node_id: 'c', path, message })]);
  });
});
