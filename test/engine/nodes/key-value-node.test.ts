import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakeKeyValues, fakePorts } from '../fake-ports.js';
import { run, trigger, workflow } from '../samples.js';

const t = trigger('t');

/** Runs one node after another on one store and returns their contents, or the code of the error. */
async function runNodes(store: ReturnType<typeof fakeKeyValues>, ...data: JsonObject[]) {
  const nodes = data.map((each, at) => ({ id: `n${at}`, type: 'key-value-node', data: each }));
  const edges = nodes.map(({ id }, at) => `${at === 0 ? 't' : `n${at - 1}`}>${id}`);
  const events = await run(workflow([t, ...nodes], edges), { ports: fakePorts({ keyValues: store }) });
  return events.flatMap(event => {
    if (event.type === 'node.succeeded' && event.node !== 't') return [JSON.parse(event.content)];
    return event.type === 'node.failed' ? [event.error.code] : [];
  });
}

describe('a key-value node', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['reads a missing value', { key: 'a' }, { key: 'a', found: false, value: null, version: '' }],
    ['reads a value', { key: 'n' }, { key: 'n', found: true, value: 5, version: '1' }],
    [
      'replaces a value',
      { operation: 'set', key: 'n', value: { x: [1] } },
      { key: 'n', applied: true, found: true, value: { x: [1] }, version: '2' },
    ],
    [
      'writes null without a value',
      { operation: 'set', key: 'a' },
      { key: 'a', applied: true, found: false, value: null, version: '2' },
    ],
    [
      'counts from zero',
      { operation: 'increment', key: 'a' },
      { key: 'a', applied: true, found: false, value: 1, version: '2' },
    ],
    [
      'subtracts',
      { operation: 'increment', key: 'n', by: -2.5 },
      { key: 'n', applied: true, found: true, value: 2.5, version: '2' },
    ],
    [
      'deletes a value',
      { operation: 'delete', key: 'n' },
      { key: 'n', applied: true, found: true, value: null, version: '' },
    ],
    [
      'deletes nothing',
      { operation: 'delete', key: 'a' },
      { key: 'a', applied: false, found: false, value: null, version: '' },
    ],
    [
      'exchanges the expected value',
      { operation: 'compare_and_set', key: 'n', expected: 5, value: 6 },
      { key: 'n', applied: true, found: true, value: 6, version: '2' },
    ],
    [
      'keeps another value',
      { operation: 'compare_and_set', key: 'n', expected: 4, value: 6 },
      { key: 'n', applied: false, found: true, value: 5, version: '1' },
    ],
    [
      'creates a value once',
      { operation: 'compare_and_set', key: 'n', value: 6 },
      { key: 'n', applied: false, found: true, value: 5, version: '1' },
    ],
    [
      'exchanges the expected version',
      { operation: 'compare_and_set', key: 'n', expected_version: '1', value: 6 },
      { key: 'n', applied: true, found: true, value: 6, version: '2' },
    ],
    [
      'keeps another version',
      { operation: 'compare_and_set', key: 'n', expected_version: '', value: 6 },
      { key: 'n', applied: false, found: true, value: 5, version: '1' },
    ],
  ])('%s', async (_title, data, outcome) => {
    const first = { operation: 'set', key: 'n', value: 5 };
    expect((await runNodes(fakeKeyValues(), first, data))[1]).toEqual(outcome);
  });

  it('lists the entries that begin with a prefix', async () => {
    const set = (key: string, value: unknown) => ({ operation: 'set', key, value });
    const writes = [set('b', 0), set('a:2', 2), set('a:1', 1), set('a:3', 3)];
    const lists = [
      { operation: 'list', prefix: 'a:', limit: 2 },
      { operation: 'list', prefix: 'a:', after: 'a:2' },
    ];
    const [first, second] = (await runNodes(fakeKeyValues(), ...writes, ...lists)).slice(4);
    expect(first).toEqual({
      entries: [
        { key: 'a:1', value: 1, version: '3' },
        { key: 'a:2', value: 2, version: '2' },
      ],
      truncated: true,
    });
    expect(second).toEqual({ entries: [{ key: 'a:3', value: 3, version: '4' }], truncated: false });
  });

  it('bounds the length of a list', async () => {
    const store = fakeKeyValues();
    for (let at = 10; at < 40; at++) store.stored.set(`k${at}`, 'x'.repeat(50_000));
    const [{ entries, truncated }] = await runNodes(store, { operation: 'list' });
    expect([entries.length, truncated]).toEqual([19, true]);
  });

  it.each([
    [{ operation: 'increment', key: 't' }, 'not_a_number'],
    [{ operation: 'increment', key: 'n', by: 9007199254740991 }, 'not_a_number'],
    [{ operation: 'get', key: '{{ input.none | default: "" }}' }, 'invalid_settings'],
  ])('fails for %j', async (data, code) => {
    const store = fakeKeyValues();
    store.stored.set('t', 'text').set('n', 1);
    expect(await runNodes(store, data)).toEqual([code]);
  });

  it('applies a change of a resumed run once', async () => {
    const store = fakeKeyValues();
    const data = workflow(
      [t, { id: 'n', type: 'key-value-node', data: { operation: 'increment', key: 'n' } }],
      ['t>n'],
    );
    const events = await run(data, { ports: fakePorts({ keyValues: store }) });
    const cut = events.findIndex(event => event.type === 'node.succeeded' && event.node === 'n');
    const again = await run(data, { ports: fakePorts({ keyValues: store }), recorded: events.slice(0, cut) });
    expect(again.find(event => event.type === 'node.succeeded')).toMatchObject({
      content: expect.stringContaining('"value":1'),
    });
    expect([store.changes, store.stored.get('n')]).toEqual([1, 1]);
  });

  it.each([
    [{}, ['key']],
    [{ operation: 'list' }, []],
    [{ key: 'x'.repeat(257) }, ['key']],
    [{ operation: 'swap', key: 'x' }, ['operation']],
    [{ operation: 'set', key: 'x', ttl_seconds: 0 }, ['ttl_seconds']],
    [{ operation: 'list', limit: 1001 }, ['limit']],
  ])('checks %j before the run', (data, paths) => {
    const { issues } = checkWorkflow(workflow([t, { id: 'n', type: 'key-value-node', data }], ['t>n']), {
      servesModel: () => true,
    });
    expect(issues.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual(paths);
  });
});
