import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { validateRun } from '../../../src/engine/workflow/graph/validate.js';
import { formValues } from '../../../src/engine/workflow/nodes/flow/approval-form.js';
import type { RunEvent } from '../../../src/engine/workflow/run/run-event.js';
import { fakePorts } from '../fake-ports.js';
import { approval, execution, run, short, template, trigger, workflow } from '../samples.js';

const models = { servesModel: () => true };
const BRANCHES = ['a:approved>yes', 'a:rejected>no', 'a:expired>late'];

const graph = (data: JsonObject = {}) =>
  workflow(
    [trigger('t'), approval('a', data), ...['yes', 'no', 'late'].map(id => template(id, { template: id }))],
    ['t>a', ...BRANCHES],
  );
const contentOf = (events: readonly RunEvent[]) =>
  events.flatMap(event =>
    event.type === 'node.succeeded' && event.node === 'a' ? [JSON.parse(event.content)] : [],
  )[0];
const requestOf = (events: readonly RunEvent[]) =>
  events.flatMap(event =>
    event.type === 'node.waiting' && event.wait.kind === 'approval' ? [event.wait.request] : [],
  )[0];

describe('an approval', () => {
  test('suspends the run, and continues with the decision, its comment, the values and the votes', async () => {
    const ports = fakePorts();
    const fields = [
      { name: 'amount', type: 'number', is_required: true, default_value: '{{ input.amount }}' },
      { name: 'unit', type: 'select', options: ['a', 'b'], default_value: 'c' },
    ];
    const data = graph({ title: 'Pay {{ input.amount }}?', fields, approvals: 2 });
    const first = await execution(data, { ports, input: { amount: '24.5' } });
    expect(short(first.events)).toEqual(['+t', 't={"amount":"24.5"}', '+a', 'a/decision…approval']);
    expect(requestOf(first.events)).toMatchObject({
      ...{ kind: 'decision', tool: null, arguments: { amount: 24.5 } },
      details: {
        question: {
          title: 'Pay 24.5?',
          message: '',
          deciders: 'members',
          requiredApprovalCount: 2,
          requiredRejectionCount: 1,
        },
        schema: {
          properties: { amount: { type: 'number' }, unit: { type: 'string', enum: ['a', 'b'] } },
          required: ['amount'],
          additionalProperties: false,
        },
      },
    });
    const votes = [{ userId: 7, decision: 'approved', comment: null, decidedAt: '2026-01-02T03:05:00.000Z' }] as const;
    const edit = { shown: { amount: 24.5 }, edited: { amount: 20, unit: 'a' } };
    ports.decisions.set('request-1', { decision: 'approved', comment: 'Fine.', edit, votes });
    const later = await execution(data, { ports, recorded: first.events, input: { amount: '24.5' } });
    expect(contentOf(later.events)).toEqual({
      ...{ decision: 'approved', comment: 'Fine.', values: { amount: 20, unit: 'a' } },
      votes: [{ user_id: 7, decision: 'approved', comment: null, decided_at: '2026-01-02T03:05:00.000Z' }],
    });
    expect(short(later.events)).toEqual(expect.arrayContaining(['+yes', '-no', '-late']));
  });

  test('follows its output after a rejection', async () => {
    const ports = fakePorts();
    ports.decisions.set('request-1', { decision: 'rejected' });
    expect(short(await run(graph(), { ports }))).toEqual(expect.arrayContaining(['-yes', '+no', '-late']));
  });

  test('follows its output `expired` after its time', async () => {
    const ports = fakePorts();
    const began = ports.clock.time;
    const events = await run(graph({ approval_timeout_seconds: 3600 }), { ports });
    expect(short(events)).toEqual(expect.arrayContaining(['-yes', '-no', '+late']));
    expect(contentOf(events)).toEqual({ decision: 'expired', comment: null, values: {}, votes: [] });
    expect(ports.clock.time - began).toBe(3_600_000);
  });

  test('follows the same output when the run resumes after the node', async () => {
    const ports = fakePorts();
    ports.decisions.set('request-1', { decision: 'rejected' });
    const events = await run(graph(), { ports });
    const end = events.findIndex(event => event.type === 'node.succeeded' && event.node === 'a');
    const recorded = events.slice(0, end + 1).map(event => {
      if (event.type !== 'node.succeeded') return event;
      const { branch: _, ...rest } = event;
      return rest;
    });
    const again = await run(graph(), { ports, recorded });
    expect(short(again)).toEqual(expect.arrayContaining(['-yes', '+no', '-late']));
  });

  test.each<[JsonObject, string]>([
    [{ title: '' }, 'title'],
    [{ deciders: 'users' }, 'user_ids'],
    [{ deciders: 'users', user_ids: [] }, 'user_ids'],
    [{ deciders: 'users', user_ids: [1, 1], approvals: 2 }, 'approvals'],
    [{ deciders: 'everybody' }, 'deciders'],
    [{ approvals: 21 }, 'approvals'],
    [{ approval_timeout_seconds: 0 }, 'approval_timeout_seconds'],
    [{ fields: [{ name: '1st' }] }, 'fields.0.name'],
    [{ fields: [{ name: 'a' }, { name: 'a' }] }, 'fields.1.name'],
    [{ fields: [{ name: 'a', type: 'select' }] }, 'fields.0.options'],
  ])('with %j is refused', (data, path) => {
    const check = validateRun(compileGraph(graph(data)), {}, models);
    expect(check).toMatchObject({ status: 422, data: { a: { result: [{ [path]: expect.any(String) }] } } });
  });
});

describe('the first value of a field', () => {
  type FieldType = 'text' | 'number' | 'boolean' | 'select';
  const valuesOf = (type: FieldType, default_value: unknown) =>
    formValues([{ name: 'f', type, options: ['a'], default_value }]);

  test.each<[FieldType, unknown, unknown]>([
    ['number', ' 24.5 ', 24.5],
    ['number', 0, 0],
    ['boolean', true, true],
    ['boolean', 'true', true],
    ['boolean', false, false],
    ['boolean', 'false', false],
    ['select', 'a', 'a'],
    ['text', ' ', ' '],
    ['text', { b: 1 }, '{"b":1}'],
  ])('of the type %s with the default %j is %j', (type, default_value, value) => {
    expect(valuesOf(type, default_value)).toEqual({ f: value });
  });

  test.each<[FieldType, unknown[]]>([
    ['number', [null, '', ' ', 'many', '0x10', '1e999', true, []]],
    ['boolean', [null, '', ' ', 'maybe', 1, 0, []]],
    ['select', [null, '', 'b', 1]],
  ])('of the type %s is left out if the default does not fit', (type, defaults) => {
    for (const each of defaults) expect(valuesOf(type, each)).toEqual({});
  });
});
