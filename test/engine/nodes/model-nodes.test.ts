import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts, usageOf } from '../fake-ports.js';
import { classifier, extractor, run, short, template, trigger, workflow } from '../samples.js';

/** Ports whose model gives these answers in order. */
const answering = (...answers: string[]) =>
  fakePorts({ llm: request => ({ text: answers.shift() ?? '', usage: usageOf(request) }) });

describe('an extractor', () => {
  const output_schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
  const data = (more: JsonObject = {}) =>
    workflow([trigger('t'), extractor('x', 'The total is 5.', { output_schema, ...more })], ['t>x']);

  test('sends the schema, the instructions and the text', async () => {
    const ports = answering('```\n{ "total": 5 }\n```');
    const events = await run(data({ instructions: 'In dollars.' }), { ports });
    expect(short(events).slice(-2)).toEqual(['x={"total":5}', 'run=null']);
    const [system, user] = ports.prompts[0]?.messages ?? [];
    expect(system).toMatchObject({ role: 'system', content: expect.stringMatching(/"total".*\nIn dollars\.$/) });
    expect(user).toEqual({ role: 'user', content: 'The total is 5.' });
  });

  test('asks once more and then fails with the path', async () => {
    const ports = answering('{}', '{"total": null}');
    const events = await run(data(), { ports });
    expect(events.at(-1)).toMatchObject({
      error: { code: 'output_mismatch', message: expect.stringMatching(/total must be of the type number$/) },
    });
    expect(ports.prompts).toHaveLength(2);
  });
});

describe('a classifier', () => {
  const labels = [{ name: 'praise', description: 'The writer is content.' }, { name: 'complaint' }];
  const data = (more: JsonObject = {}) =>
    workflow(
      [
        trigger('t'),
        classifier('c', 'It is broken.', { labels, ...more }),
        ...['a', 'b', 'low'].map(id => template(id, { template: id })),
      ],
      ['t>c', 'c:label-0>a', 'c:label-1>b', 'c:low-confidence>low'],
    );

  test.each<[string, JsonObject, string]>([
    ['{"label": "praise", "confidence": 1}', {}, 'a'],
    ['{"label": "complaint", "confidence": 0}', {}, 'b'],
    ['{"label": "complaint", "confidence": 0.8}', { min_confidence: 0.8 }, 'b'],
    ['{"label": "complaint", "confidence": 0.79}', { min_confidence: 0.8 }, 'low'],
  ])('with the answer %s and %j continues with %s', async (answer, more, node) => {
    const events = await run(data(more), { ports: answering(answer) });
    const content = JSON.stringify(JSON.parse(answer));
    expect(events).toContainEqual(expect.objectContaining({ type: 'node.succeeded', node: 'c', content }));
    const later = events.filter(event => event.type === 'node.succeeded' && ['a', 'b', 'low'].includes(event.node));
    expect(later).toEqual([expect.objectContaining({ node })]);
  });

  test.each<[default_value: unknown, JsonObject, string]>([
    ['complaint', {}, 'b'],
    [{ label: 'praise', confidence: 0 }, {}, 'a'],
    ['{"label": "praise", "confidence": 0.5}', { min_confidence: 0.8 }, 'low'],
    ['low-confidence', {}, 'low'],
  ])('with on_error default and %j and %j continues after a failure with %s', async (default_value, more, node) => {
    const events = await run(data({ on_error: 'default', default_value, ...more }), { ports: answering('no JSON') });
    const later = events.filter(event => event.type === 'node.succeeded' && ['a', 'b', 'low'].includes(event.node));
    expect(later).toEqual([expect.objectContaining({ node })]);
  });

  test.each([[''], ['other'], [{ label: 5 }]])(
    'is refused with a default that selects no output: %j',
    default_value => {
      const graph = data({ on_error: 'default', default_value });
      const { status, issues } = checkWorkflow(graph, { servesModel: () => true });
      expect(status).toBe(422);
      expect(issues).toContainEqual({
        ...{ code: 'invalid_setting', severity: 'error', node_id: 'c', edge_id: null, path: 'default_value' },
        message:
          'selects no output: it must be a content of this node, such as {"label": "complaint", "confidence": 0.9}',
      });
    },
  );

  test('describes the labels to the model and accepts no other', async () => {
    const ports = answering('{"label": "other", "confidence": 1}', '{"label": "praise", "confidence": 1}');
    await run(data(), { ports });
    expect(ports.prompts[0]?.messages[0]?.content).toContain(JSON.stringify(labels));
    expect(ports.prompts[1]?.messages.at(-1)?.content).toContain('label must be one of "praise", "complaint"');
  });

  test('with equal labels is refused', () => {
    const { issues } = checkWorkflow(data({ labels: [{ name: 'a' }, { name: 'a' }] }), { servesModel: () => true });
    expect(issues).toContainEqual(
      expect.objectContaining({ path: 'labels.1.name', message: 'must differ from other labels' }),
    );
  });
});
