import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { loop, output, run, template, trigger, workflow } from '../samples.js';

const FIELDS = [
  ...['text', 'number', 'integer', 'boolean', 'email', 'date', 'multiselect', 'select', 'file', 'json'].map(type => ({
    id: type,
    type,
  })),
  { id: 'needed', type: 'number', input_requirements: true },
  { id: 'flag', type: 'boolean', input_requirements: true },
  { id: 'own', type: 'of another program' },
];
const t = trigger('t', { input_fields: FIELDS });
const call = { id: 'h', type: 'http-node', data: { url: 'https://example.com', on_error: 'continue' } };
const context = { servesModel: () => true, variables: new Set(['REGION']) };

const graphOf = (text: string, data: JsonObject = {}) =>
  workflow([t, call, template('n', { template: text, ...data }), output('o')], ['t>h', 'h>n', 'n>o']);
const problemsIn = (graph: JsonObject) =>
  checkWorkflow(graph, context)
    .issues.filter(({ node_id, code }) => node_id !== 't' && code !== 'may_be_skipped')
    .map(({ severity, path, message }) => [severity, path, message]);

const NO_MEMBERS = 'refers to a member of a value that has no members';
const KEYS = 'the function keys takes a map as map; it is keys(map: map): list';

describe('the check before a run', () => {
  test.each([
    ['keys(input.text)', KEYS],
    ['keys(input.number)', KEYS],
    ['keys(input.boolean)', KEYS],
    ['keys(input.email)', KEYS],
    ['keys(input.multiselect)', KEYS],
    ['map(input.date, x => x)', expect.stringContaining('the function map takes a list as list')],
    ['-input.flag | keys', expect.stringContaining('the filter keys takes a map')],
    ['input.text.length', NO_MEMBERS],
    ['input.number.value', NO_MEMBERS],
    ['keys(env.REGION)', KEYS],
    ['nodes.h.error - 1', '- takes a number or a text, not a map'],
    ['-nodes.h.usage', '- takes a number or a text, not a map'],
    ['keys(nodes.h.error.code)', KEYS],
    ['nodes.h.error.message.text', NO_MEMBERS],
    ['nodes.h.error.attempts + [1]', '+ adds numbers, or joins texts or lists'],
    ['first(nodes.h.error.status)', expect.stringContaining('the function first takes a list')],
    ['keys(nodes.h.usage.total_tokens)', KEYS],
    ['keys(nodes.h.usage.cost_usd)', KEYS],
    ['keys(nodes.h.http_status)', KEYS],
    ['nodes.h.http_status + [1]', '+ adds numbers, or joins texts or lists'],
  ])('reports %s, which always fails', (expression, message) => {
    expect(problemsIn(graphOf(`{{ ${expression} }}`))).toEqual([['error', 'template', message]]);
  });

  test.each([
    'input.text * 2',
    'input.text + 2',
    'round(input.text)',
    'truncate("abc", input.text)',
    'input.number + [1]',
    'input.needed + 1',
    'truncate("abc", input.needed)',
    '"1" in input.needed',
    '-input.boolean',
    'upper(input.multiselect)',
    'input.multiselect[0]',
    'map(input.multiselect, x => x)',
    'keys(input.file)',
    'keys(input.json)',
    'input.json.a.b',
    'input.file.name',
    'keys(input.select)',
    'keys(input.own)',
    'keys(input)',
    'format_date(input.date, "yyyy")',
    'truncate("abc", env.REGION)',
    'keys(nodes.h.error)',
    'upper(nodes.h.error)',
    '"http" in nodes.h.error',
    'nodes.h.error.status - 1',
    'input.own + nodes.h.error',
    '"5" in nodes.h.http_status',
    'nodes.h.http_status / 100',
    'nodes.h.usage.cost_usd * 100',
    'keys(nodes.h.headers)',
    'nodes.h.headers["content-type"] | upper',
  ])('accepts %s, which can succeed', expression => {
    expect(problemsIn(graphOf(`{{ ${expression} }}`))).toEqual([]);
  });

  test.each([
    'keys(env.REGION) ?? 1',
    'default(keys(nodes.h.error.code), 1)',
    'input.text.length ?? 0',
    'input.flag ? keys(input.text) : 1',
    'input.flag and keys(input.text)',
    'map(input.multiselect, x => keys(input.text))',
  ])('accepts %s, whose failing part may not be evaluated', expression => {
    expect(problemsIn(graphOf(`{{ ${expression} }}`))).toEqual([]);
  });

  test.each(['continue', 'branch', 'default'])('warns if the run continues after the failure: %s', onError => {
    const problems = problemsIn(graphOf('{{ keys(input.text) }}', { on_error: onError, default_value: 'a' }));
    expect(problems).toContainEqual(['warning', 'template', KEYS]);
    expect(problems.filter(([severity]) => severity === 'error')).toEqual([]);
  });

  test('knows the fields of the body of a loop, and none of the graph around it', () => {
    const start = trigger('b', { input_fields: [{ id: 'item', type: 'number' }] });
    const text = '{{ keys(input.item) }} {{ keys(input.text) }}';
    const body = workflow([start, template('n', { template: text }), output('r')], ['b>n', 'n>r']);
    const graph = workflow([t, loop('l', [1], { body }), output('o')], ['t>l', 'l>o']);
    const errors = problemsIn(graph).filter(([severity]) => severity === 'error');
    expect(errors).toEqual([['error', 'template', KEYS]]);
  });

  test('does not change a run: an operation that was reported fails there', async () => {
    const events = await run(
      workflow([t, template('n', { template: '{{ keys(input.text) }}' }), output('o')], ['t>n', 'n>o']),
      { input: { text: 'a' } },
    );
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'node.failed', error: expect.objectContaining({ code: 'expression_failed' }) }),
    );
  });
});
