import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/engine/json-value.js';
import { compileGraph, type GraphError } from '../../src/engine/workflow/graph/graph.js';
import { checkWorkflow, summaryOf, validateRun } from '../../src/engine/workflow/graph/validate.js';
import { cpuSecondsOf, LINEAR_SECONDS } from '../support/processes/cpu-seconds.js';
import { http, ifElse, llm, output, switchNode, template, trigger, workflow } from './samples.js';

const served = {
  servesModel: (provider: string | undefined, model: string) => model === 'echo' && provider !== 'other',
};
const validate = (data: unknown, input: unknown = {}) => validateRun(compileGraph(data), input, served);

const t = trigger('t', {
  input_fields: [
    { id: 'name', type: 'text', input_requirements: true },
    { id: 'size', type: 'number', default_value: 5 },
  ],
});
const condition = { left: '{{ input.size }}', operator: '>', right: 3 };
const given = { name: 'Ada' };
const behindTrigger = (node: ReturnType<typeof output>) => workflow([t, node], [`t>${node.id}`]);

describe('a run is refused', () => {
  test('for a role that the chat format does not have, unless a placeholder decides it', () => {
    const roles = ['user', 'developer', 'banana', '{{ input.name }}', 'User'];
    const messages = roles.map(role => ({ role, message: 'Hi' }));
    const message = 'must be one of system, developer, user, assistant, tool, function';
    expect(validate(behindTrigger(llm('l', 'Hi', { messages })), given)).toMatchObject({
      status: 422,
      data: { l: { result: [{ 'messages.2.role': message }, { 'messages.4.role': message }] } },
    });
  });

  test('in the shape of the specification', () => {
    expect(validate(behindTrigger(ifElse('if', { condition: { ...condition, operator: '=' } })), given)).toEqual({
      status: 422,
      data: {
        if: {
          id: 'if',
          status: 'failed',
          result: [{ 'condition.operator': expect.stringContaining('must be one of ==, !=, >, <, >=, <=, ') }],
        },
      },
      issues: [
        {
          ...{ code: 'invalid_setting', severity: 'error', node_id: 'if', edge_id: null, path: 'condition.operator' },
          message: expect.stringContaining('must be one of ==, !=, >, <, >=, <=, '),
        },
      ],
    });
  });

  test('for input that is missing or of the wrong type, at the trigger', () => {
    expect(validate(behindTrigger(output('o')), { size: 'many' })).toMatchObject({
      data: { t: { result: [{ 'input_fields.name': 'required' }, { 'input_fields.size': 'must be a number' }] } },
    });
  });

  test.each([null, [], 'text', 5])('with 400 for the input %j', input => {
    expect(validate(behindTrigger(output('o')), input)).toMatchObject({
      status: 400,
      error: { code: 'invalid_input' },
    });
  });

  test.each<[string, ReturnType<typeof output>, JsonObject]>([
    ['no condition', ifElse('x'), { condition: 'required' }],
    ['no left side', ifElse('x', { condition: { operator: '==', right: 1 } }), { 'condition.left': 'required' }],
    ['an empty message', llm('x', ''), { 'messages.0.message': 'must not be empty' }],
    ['no messages', llm('x', 'x', { messages: [] }), { messages: 'must have at least 1 item' }],
    ['no model', llm('x', 'x', { settings: {} }), { 'settings.model_name': 'required' }],
    [
      'an unserved model',
      llm('x', 'x', { settings: { model_name: 'gpt-0' } }),
      {
        'settings.model_name':
          '"gpt-0" is not served by any configured provider; "echo" needs no provider, other models need a provider key of the service or of the project',
      },
    ],
    [
      'a provider that does not serve it',
      llm('x', 'x', { provider: 'other' }),
      {
        'settings.model_name':
          '"echo" is not served by a configured provider "other"; "echo" needs no provider, other models need a provider key of the service or of the project',
      },
    ],
    [
      'too hot',
      llm('x', 'x', { settings: { model_name: 'echo', temperature: 3 } }),
      { 'settings.temperature': 'must be at most 2' },
    ],
    [
      'a number as text',
      llm('x', 'x', { settings: { model_name: 'echo', temperature: 'hot sk-123' } }),
      { 'settings.temperature': 'must be a number, or a single placeholder' },
    ],
    [
      'a number with text around it',
      llm('x', 'x', { settings: { model_name: 'echo', temperature: '1{{ input.size }}' } }),
      { 'settings.temperature': 'must be a number, or a single placeholder' },
    ],
    ['no address', http('x', { url: undefined }), { url: 'required' }],
    ['an address without a scheme', http('x', { url: 'example.org' }), { url: 'must be an http or https address' }],
    ['another scheme', http('x', { url: 'file:///etc/passwd' }), { url: 'must be an http or https address' }],
    [
      'an unknown method',
      http('x', { method: 'BREW' }),
      { method: 'must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, or a single placeholder' },
    ],
    ['a response limit of nothing', http('x', { max_response_bytes: 0 }), { max_response_bytes: 'must be at least 1' }],
    ['a template that is not a text', template('x', { template: 5 }), { template: 'must be a text' }],
    ['a switch without cases', switchNode('x', { value: 1 }), { cases: 'required' }],
    [
      'an unknown on_error',
      output('x', { on_error: 'panic' }),
      { on_error: 'must be one of fail, continue, branch, default, retry' },
    ],
    ['eleven tries', output('x', { retry: { attempts: 11 } }), { 'retry.attempts': 'must be at most 10' }],
    ['more than an hour', output('x', { timeout_seconds: 3601 }), { timeout_seconds: 'must be at most 3600' }],
    [
      'an undeclared input',
      output('x', { value: '{{ input.typo }}' }),
      { value: 'refers to an input field that is neither declared nor part of the input' },
    ],
    [
      'a node that does not exist',
      output('x', { value: { a: ['{{ nodes.y.content }}'] } }),
      { 'value.a.0': 'refers to the node "y", which does not exist' },
    ],
    [
      'itself',
      output('x', { value: '{{ nodes.x.content }}' }),
      { value: 'refers to a node that can never have run before this one' },
    ],
    [
      'constructor',
      output('x', { value: '{{ constructor }}' }),
      { value: expect.stringContaining('unknown reference') },
    ],
    ['__proto__', output('x', { value: '{{ __proto__ }}' }), { value: expect.stringContaining('unknown reference') }],
    [
      'an unknown filter',
      output('x', { value: '{{ input.name | eval }}' }),
      { value: expect.stringContaining('unknown filter') },
    ],
  ])('for %s', (_title, node, fault) => {
    const verdict = validate(behindTrigger(node), given);
    expect(verdict).toMatchObject({ status: 422, data: { x: { id: 'x', status: 'failed', result: [fault] } } });
    expect(JSON.stringify(verdict)).not.toContain('sk-123');
  });

  test('for nodes that precede the start, come later or are in another branch', () => {
    const data = workflow(
      [t, output('o', { value: '{{ nodes.later.content }}' }), template('later', { template: 'x' })],
      ['t>o', 'o>later'],
    );
    expect(validate(data, given)).toMatchObject({ status: 422, data: { o: {} } });
    const start = workflow([template('s', { template: '{{ previous.content }}' })], [], { start_node: 's' });
    expect(validate(start)).toMatchObject({
      status: 422,
      data: { s: { result: [{ template: 'refers to a previous node, but the run starts at this node' }] } },
    });
  });
});

describe('a run is accepted', () => {
  test('with defaults filled in and unknown input kept', () => {
    const data = behindTrigger(output('o', { value: '{{ input.extra }}' }));
    expect(validate(data, { name: 'Ada', extra: [1] })).toEqual({
      status: 201,
      input: { name: 'Ada', extra: [1], size: 5 },
    });
  });

  test.each<[string, ReturnType<typeof output>]>([
    ['placeholders for numbers', llm('x', 'x', { settings: { model_name: 'echo', temperature: '{{ input.size }}' } })],
    ['a model that the input names', llm('x', 'x', { settings: { model_name: '{{ input.name }}' } })],
    ['a default for an undeclared input', output('x', { value: '{{ input.maybe | default: "" }}' })],
    ['members that a front end keeps', output('x', { selected: true, style: { a: '{{ nope }}' } })],
    ['members that are null', llm('x', 'x', { on_error: null, retry: null, timeout_seconds: null, provider: null })],
  ])('with %s', (_title, node) => {
    expect(validate(behindTrigger(node), given)).toMatchObject({ status: 201 });
  });

  test('although a node out of reach is invalid', () => {
    expect(validate(workflow([t, llm('lost', '')]), given)).toMatchObject({ status: 201 });
  });
});

describe('checking a workflow', () => {
  test('returns the faults of a run, and warnings', () => {
    const data = workflow(
      [
        t,
        ifElse('if', { condition }),
        template('x', { template: 'x' }),
        output('o', { value: '{{ nodes.x.content }} {{ nodes.if.content }}' }),
        llm('lost', ''),
      ],
      ['t>if', 'if:condition-true>x', 'x>o', 'if:condition-false>o'],
    );
    expect(checkWorkflow(data, served)).toEqual({
      is_valid: true,
      status: 200,
      data: null,
      issues: [
        {
          code: 'may_be_skipped',
          severity: 'warning',
          node_id: 'o',
          edge_id: null,
          path: 'value',
          message: expect.any(String),
        },
        {
          code: 'out_of_reach',
          severity: 'warning',
          node_id: 'lost',
          edge_id: null,
          path: null,
          message: expect.any(String),
        },
      ],
    });
  });

  test('does not warn of a node that runs whenever the one that refers to it does', () => {
    const joined = workflow(
      [
        t,
        ifElse('if', { condition }),
        template('head', { template: 'x' }),
        template('a', { template: 'x' }),
        template('b', { template: 'x' }),
        output('o', { value: '{{ nodes.a.content }}' }),
      ],
      ['t>if', 'if:condition-true>head', 'head>a', 'head>b', 'a>o', 'b>o'],
    );
    expect(checkWorkflow(joined, served).issues).toEqual([]);
  });

  test.each<[JsonObject, string | null]>([
    [{ on_error: 'branch' }, 'branch_without_target error_nodes'],
    [{ retry: { attempts: 2 } }, 'member_without_effect retry'],
    [{ on_error: 'retry', retry: { attempts: 2 } }, null],
    [{ on_error: 'continue', default_value: 'x' }, 'member_without_effect default_value'],
    [{ on_error: 'default', default_value: 'x', retry: { attempts: 2 } }, null],
    [{ on_error: 'branch', retry: { attempts: 2 } }, null],
  ])('warns of settings for failures that have no effect: %j', (settings, expected) => {
    const edges = expected === null && settings.on_error === 'branch' ? ['l:error>o'] : [];
    const data = workflow([t, llm('l', 'Hi', settings), output('o', { value: 'x' })], ['t>l', 'l>o', ...edges]);
    const found = checkWorkflow(data, served).issues.map(({ code, severity, path }) => [severity, `${code} ${path}`]);
    expect(found).toEqual(expected === null ? [] : [['warning', expected]]);
  });

  describe('of a branch', () => {
    const aBehind = (edges: string[], data: JsonObject = {}) =>
      checkWorkflow(
        workflow(
          [
            t,
            ifElse('if', { condition, ...data }),
            template('a', { template: 'x' }),
            template('b', { template: 'x' }),
            output('o', { value: '{{ nodes.a.content }}' }),
          ],
          ['t>if', 'a>o', ...edges],
        ),
        served,
      ).issues;
    const onBoth = ['if:condition-true>a', 'if:condition-false>a'];

    test.each<[string, string[]]>([
      ['shares its output with the only other way', ['if:condition-true>a', 'if:condition-true>b', 'b>o']],
      ['follows each output', [...onBoth, 'if:condition-true>b', 'b>o']],
      ['follows each output, once through another node', ['if:condition-true>a', 'if:condition-false>b', 'b>a', 'b>o']],
    ])('does not warn of a node that %s', (_title, edges) => {
      expect(aBehind(edges)).toEqual([]);
    });

    test.each<[string, string[], JsonObject]>([
      ['follows one of the outputs', ['if:condition-true>a', 'if:condition-false>b', 'b>o'], {}],
      ['follows each output when the branch may select none', [...onBoth, 't>b', 'b>o'], { on_error: 'continue' }],
    ])('warns of a node that %s', (_title, edges, data) => {
      expect(aBehind(edges, data)).toMatchObject([
        { code: 'may_be_skipped', severity: 'warning', node_id: 'o', path: 'value' },
      ]);
    });
  });

  test('gives 422 with the refused nodes, and asks for no input', () => {
    const verdict = checkWorkflow(behindTrigger(output('o', { value: '{{ input.typo }}' })), served);
    expect(verdict).toMatchObject({ is_valid: false, status: 422, data: { o: { status: 'failed' } } });
    expect(verdict.issues).toMatchObject([{ severity: 'error', node_id: 'o', path: 'value' }]);
    const undeclared = workflow([trigger('t'), output('o', { value: '{{ input.any }}' })], ['t>o']);
    expect(checkWorkflow(undeclared, served)).toMatchObject({ is_valid: true, issues: [{ severity: 'warning' }] });
  });

  test('gives 400 with the structural fault', () => {
    expect(checkWorkflow(workflow([t], ['t>x']), served)).toEqual({
      is_valid: false,
      status: 400,
      data: null,
      issues: [expect.objectContaining({ code: 'dangling_edge', severity: 'error', edge_id: 'e0' })],
    });
  });

  test('gives the faults of nodes together with those of the structure', () => {
    const body = { nodes: [template('inner', { template: 5 })], edges: [] };
    const data = workflow(
      [
        trigger('t', { input_fields: [{ id: 'x' }] }),
        template('a', {
          template: '{{ nodes.gone.content }}{{ nodes.odd.content }}{{ previous.content }}{{ input.y }}',
        }),
        { id: 'odd', type: 'x', data: {} },
        { id: 'loop', type: 'loop-node', data: { items: '[]', body } },
        template('b', { template: 5 }),
      ],
      ['t>x', 'a>b'],
    );
    const { status, issues } = checkWorkflow(data, served);
    expect(status).toBe(400);
    expect(issues.map(({ node_id, code, path }) => [node_id, code, path])).toEqual([
      ['odd', 'unknown_node_type', 'nodes.2'],
      ['loop', 'no_start_node', 'nodes.3.data.body.start_node'],
      [null, 'dangling_edge', 'edges.0'],
      ['a', 'unknown_reference', 'template'],
      ['b', 'invalid_setting', 'template'],
      ['a', 'unknown_reference', 'template'],
      ['inner', 'invalid_setting', 'template'],
    ]);
  });

  test('a run of a graph with a faulty structure names the node and counts further faults', () => {
    let error: unknown;
    try {
      compileGraph(workflow([trigger('t', { next_nodes: ['x', 'y'], label: 'Order' })]));
    } catch (caught) {
      error = caught;
    }
    expect(summaryOf(error as GraphError)).toEqual({
      code: 'dangling_next_node',
      message:
        'node "t" (Order): next_nodes refers to the node "x", which does not exist; 1 more, which check_workflow lists',
    });
  });

  test('of tens of thousands of nodes that all refer to each other is fast', () => {
    const size = 20_000;
    const nodes = Array.from({ length: size }, (_, index) =>
      template(`n${index}`, {
        template: index === 0 ? 'x' : `{{ nodes.n${Math.floor(index / 2)}.content }}{{ previous.content }}`,
      }),
    );
    const data = workflow(
      [trigger('t'), ...nodes],
      ['t>n0', ...nodes.slice(1).map((_, index) => `n${index}>n${index + 1}`)],
    );
    const seconds = cpuSecondsOf(() => expect(checkWorkflow(data, served).issues).toEqual([]));
    expect(seconds).toBeLessThan(LINEAR_SECONDS);
  });
});
