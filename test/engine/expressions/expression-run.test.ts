import { describe, expect, test } from '@jest/globals';
import { PortError } from '../../../src/engine/ports.js';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { checkWorkflow, validateRun } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts, usageOf } from '../fake-ports.js';
import { llm, loop, output, run, short, template, trigger, workflow } from '../samples.js';

const t = trigger('t', { input_fields: [{ id: 'price', type: 'number', default_value: 2 }] });
const context = { servesModel: () => true, variables: new Set(['REGION']) };
const rendering = (text: string) => workflow([t, template('n', { template: text }), output('o')], ['t>n', 'n>o']);
const problemsOf = (text: string) =>
  checkWorkflow(rendering(text), context).issues.map(({ node_id, path, code, message }) => [
    node_id,
    path,
    code,
    message,
  ]);

describe('expressions in a run', () => {
  test('compute from the input and from earlier nodes', async () => {
    const data = rendering(
      '{{ input.price * 3 }} {{ nodes.t.json.price + 1 }} {{ nodes.t.status }} {{ nodes.n2.content ?? 0 }}',
    );
    expect(checkWorkflow(data, context).is_valid).toBe(false);
    const events = await run(rendering('{{ input.price * 3 }} {{ nodes.t.json.price + 1 }} {{ nodes.t.status }}'), {
      input: { price: 4 },
    });
    expect(short(events)).toContain('n=12 5 succeeded');
  });

  test('read the usage of an earlier node over all attempts, also after the process dies', async () => {
    const text = '{{ nodes.m.usage.total_tokens }} {{ nodes.m.usage.cost_usd }} {{ nodes.t.usage.total_tokens ?? 0 }}';
    const data = workflow(
      [t, llm('m', 'hello', { on_error: 'retry' }), template('n', { template: text }), output('o')],
      ['t>m', 'm>n', 'n>o'],
    );
    let calls = 0;
    const ports = fakePorts({
      llm: request => {
        if (++calls > 1) return { text: 'hi', usage: usageOf(request) };
        return new PortError('upstream_error', 'the answer broke off', { usage: usageOf(request) });
      },
    });
    const events = await run(data, { ports });
    expect(short(events)).toContain('n=10 0.002 0');
    const end = events.findIndex(event => event.type === 'node.succeeded' && event.node === 'm');
    expect(short(await run(data, { ports, recorded: events.slice(0, end + 1) }))).toContain('n=10 0.002 0');
  });

  test('read the item and the index of a loop, and the nodes before it', async () => {
    const body = workflow(
      [template('b', { template: '{{ index + 1 }}{{ item.name | upper }}' }), output('r')],
      ['b>r'],
      {
        start_node: 'b',
      },
    );
    const data = workflow([t, loop('l', [{ name: 'a' }, { name: 'b' }], { body }), output('o')], ['t>l', 'l>o']);
    expect(checkWorkflow(data, context).is_valid).toBe(true);
    expect(short(await run(data))).toContain('l=["1A","2B"]');
  });

  test('read the workflow, the start time and project variables', async () => {
    const data = rendering('{{ run.workflow_id }} {{ run.started_at == nodes.x }}');
    expect(checkWorkflow(data, context).is_valid).toBe(false);
    const text = '{{ run.workflow_id }} {{ diff_time(run.started_at, now, "hours") < 1 }} {{ env.REGION }}';
    const events = await run(rendering(text), { workflowId: 7, environment: new Map([['REGION', 'eu']]) });
    expect(short(events)).toContain('n=7 true eu');
  });

  test('have the same uuid when the node is repeated, and another one in another run', async () => {
    const contentIn = async (runId: string) =>
      short(await run(rendering('{{ uuid() }} {{ uuid() }}'), { runId })).find(each => each.startsWith('n='));
    const [first, again, other] = [await contentIn('r1'), await contentIn('r1'), await contentIn('r2')];
    expect(first).toBe(again);
    expect(first).not.toBe(other);
    const [one, two] = first?.slice(2).split(' ') ?? [];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('the check before a run', () => {
  test('reports all problems of an expression at once, with suggestions', () => {
    expect(problemsOf('{{ uper(input.price) + lenght([1]) }} {{ nodez.t.content }} {{ env.REGON }}')).toEqual([
      ['n', 'template', 'unknown_function', 'unknown function "uper"; did you mean "upper"?'],
      ['n', 'template', 'unknown_function', 'unknown function "lenght"; did you mean "length"?'],
      ['n', 'template', 'unknown_reference', expect.stringContaining('did you mean "nodes"?')],
      ['n', 'template', 'unknown_variable', expect.stringContaining('did you mean REGION?')],
    ]);
  });

  test.each([
    ['{{ input.price - [1] }}', '- takes a number or a text, not a list'],
    ['{{ 1 + null }}', '+ adds numbers, or joins texts or lists'],
    ['{{ 1 in 2 }}', 'in takes a list or a map or a text, not a number'],
    [
      '{{ round("a") }}',
      'the function round takes a number as value; it is round(value: number, digits?: count): number',
    ],
    ['{{ map(input.list, 1) }}', expect.stringContaining('takes a function such as x => x.name as value')],
    ['{{ upper(x => x) }}', expect.stringContaining('takes a text as text')],
    ['{{ a && b }}', expect.stringContaining('malformed placeholder: use and')],
    ['{{ 1 || 2 }}', expect.stringContaining('malformed placeholder: use or')],
    ['{{ !input.a }}', expect.stringContaining('malformed placeholder: use not')],
  ])('reports the fault of %s', (text, message) => {
    expect(problemsOf(text)).toContainEqual(['n', 'template', expect.any(String), message]);
  });

  test('accepts an undeclared input that has a substitute, or is read only under a condition', () => {
    const accepted = [
      '{{ input.other ?? 1 }}',
      '{{ exists(input.other) ? input.other : 1 }}',
      '{{ coalesce(input.x, 1) }}',
    ];
    for (const text of accepted)
      expect(validateRun(compileGraph(rendering(text)), {}, context)).toMatchObject({ status: 201 });
    expect(validateRun(compileGraph(rendering('{{ input.other + 1 }}')), {}, context)).toMatchObject({ status: 422 });
  });

  test('reports a project variable in the body of a loop', () => {
    const body = workflow([template('b', { template: '{{ env.OTHER }}' })], [], { start_node: 'b' });
    const data = workflow([t, loop('l', [], { body }), output('o')], ['t>l', 'l>o']);
    expect(checkWorkflow(data, context).issues).toMatchObject([{ node_id: 'b', code: 'unknown_variable' }]);
  });
});
