import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { PortError } from '../../../src/engine/ports.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts, usageOf } from '../fake-ports.js';
import { llm, output, run, short, trigger, workflow } from '../samples.js';

const schema = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
};

const asking = (data: JsonObject) =>
  workflow(
    [trigger('t'), llm('m', 'How much?', data), output('o', { value: 'total {{ nodes.m.json.total }}' })],
    ['t>m', 'm>o'],
  );

/** Ports whose model gives these answers in order; an error is thrown. */
function answering(...answers: (string | PortError)[]) {
  return fakePorts({
    llm: request => {
      const text = answers.shift() ?? '';
      return typeof text === 'string' ? { text, usage: usageOf(request) } : text;
    },
  });
}

describe('an answer with output_schema', () => {
  test('is asked for with the schema, stays verbatim and is read by its value', async () => {
    const ports = answering('```json\n{"total": 5}\n```');
    const events = await run(asking({ output_schema: schema }), { ports });
    expect(short(events)).toEqual([
      ...['+t', 't={}', '+m', '+m/model 1'],
      `m/model 1=${JSON.stringify({ text: '```json\n{"total": 5}\n```', toolCalls: [] })}`,
      ...['m=```json\n{"total": 5}\n```', '+o', 'o=total 5', 'run="total 5"'],
    ]);
    expect(ports.prompts[0]?.settings.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema },
    });
  });

  test('goes back to the model once with its fault', async () => {
    const ports = answering('{"total": "five"}', '{"total": 5}');
    const events = await run(asking({ output_schema: schema }), { ports });
    expect(events.at(-1)).toMatchObject({ type: 'run.succeeded', output: 'total 5' });
    expect(ports.prompts[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: '{"total": "five"}' },
      { role: 'user', content: expect.stringContaining('total must be of the type number') },
    ]);
    const paid = events.filter(event => 'usage' in event);
    expect(paid.map(event => event.type)).toEqual(['node.step.succeeded', 'node.step.succeeded']);
  });

  test.each<[string, JsonObject, string[], number]>([
    ['after the second answer', {}, ['no', '{"total": "5"}'], 2],
    ['after the first without repair', { repair: false }, ['{"total": "5"}'], 1],
  ])('fails with the path %s', async (_title, data, answers, count) => {
    const ports = answering(...answers);
    const events = await run(asking({ output_schema: schema, ...data }), { ports });
    expect(events.at(-1)).toMatchObject({
      error: {
        code: 'output_mismatch',
        message: 'the answer of the model does not conform to output_schema: total must be of the type number',
      },
    });
    expect(ports.prompts).toHaveLength(count);
  });

  test('keeps a response_format of the settings', async () => {
    const ports = answering('{"total": 5}');
    const settings = { model_name: 'echo', response_format: { type: 'json_object' } };
    await run(asking({ output_schema: schema, settings }), { ports });
    expect(ports.prompts[0]?.settings.response_format).toEqual({ type: 'json_object' });
  });

  test('repeats no call when the process dies between the two calls', async () => {
    const whole = await run(asking({ output_schema: schema }), { ports: answering('no', '{"total": 5}') });
    for (let cut = 0; cut < whole.length; cut++) {
      const before = whole.slice(0, cut);
      const answered = before.filter(event => event.type === 'node.step.succeeded').length;
      const ports = answering(...['no', '{"total": 5}'].slice(answered));
      const after = await run(asking({ output_schema: schema }), { ports, recorded: before });
      expect(after.at(-1)).toMatchObject({ output: 'total 5' });
      const isOver = before.some(event => event.type === 'node.succeeded' && event.node === 'm');
      expect(ports.prompts).toHaveLength(isOver ? 0 : 2 - answered);
    }
  });

  test.each<[unknown, string]>([
    [{ type: 'text' }, 'type must be one of'],
    [{ $ref: 'https://example.com' }, '$ref must refer to a part of this schema'],
    [5, 'must be an object'],
  ])('of the schema %j is refused before the run', (output_schema, message) => {
    const { issues } = checkWorkflow(asking({ output_schema }), { servesModel: () => true });
    expect(issues).toEqual([
      expect.objectContaining({ code: 'invalid_setting', message: expect.stringContaining(message) }),
    ]);
  });
});

describe('images', () => {
  const withImages = (images: unknown) =>
    workflow([trigger('t'), llm('m', '', { messages: [{ role: 'user', message: 'See', images }] })], ['t>m']);

  test('follow the text of a message', async () => {
    const ports = answering('a cat');
    await run(withImages(['https://example.com/{{ input.name }}.png', 'data:image/png;base64,AA==']), {
      ports,
      input: { name: 'cat' },
    });
    const images = ['https://example.com/cat.png', 'data:image/png;base64,AA=='];
    expect(ports.prompts[0]?.messages).toEqual([{ role: 'user', content: 'See', images }]);
  });

  test.each(['cat.png', 'file:///etc/passwd', 'data:text/html;base64,AA=='])(
    'of the form %s are refused',
    async image => {
      const ports = answering('a cat');
      const events = await run(withImages('{{ input.list }}'), { ports, input: { list: [image] } });
      expect(events.at(-1)).toMatchObject({ error: { code: 'invalid_image' } });
      expect(ports.prompts).toEqual([]);
    },
  );
});

describe('fallback models', () => {
  const down = (code: string, paid?: boolean) =>
    new PortError(code, 'down', { usage: paid ? usageOf({ settings: { model_name: 'first' } }) : undefined });
  const data = { settings: { model_name: 'first' }, provider: 'p', fallback_models: ['q/second', 'third'] };

  test('are called in order after failures of their providers', async () => {
    const ports = answering(down('upstream_error', true), down('rate_limited_upstream'), 'from the third');
    const events = await run(workflow([trigger('t'), llm('m', 'Hi', data)], ['t>m']), { ports });
    expect(short(events).slice(2)).toEqual([
      ...['+m', '+m/model 1', 'm/model 1={"failure":"upstream_error"}'],
      ...['+m/model 1 fallback 1', 'm/model 1 fallback 1={"failure":"rate_limited_upstream"}'],
      ...['+m/model 1 fallback 2', 'm/model 1 fallback 2={"text":"from the third","toolCalls":[]}'],
      ...['m=from the third', 'run=null'],
    ]);
    expect(ports.prompts.map(({ provider, settings }) => [provider, settings.model_name])).toEqual([
      ['p', 'first'],
      [undefined, 'q/second'],
      [undefined, 'third'],
    ]);
    const models = events.flatMap(event => ('usage' in event && event.usage ? [event.usage.model] : []));
    expect(models).toEqual(['first', 'third']);
  });

  test.each(['budget_exceeded', 'bad_request', 'host_not_allowed'])('are not called after %s', async code => {
    const ports = answering(down(code), 'unused');
    const events = await run(workflow([trigger('t'), llm('m', 'Hi', data)], ['t>m']), { ports });
    expect(events.at(-1)).toMatchObject({ error: { code } });
    expect(ports.prompts).toHaveLength(1);
  });

  test('end with the failure of the last one', async () => {
    const ports = answering(down('upstream_error'), down('upstream_error'), down('upstream_timeout'));
    const events = await run(workflow([trigger('t'), llm('m', 'Hi', data)], ['t>m']), { ports });
    expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' } });
  });

  test('that no provider serves are refused before the run', () => {
    const graph = workflow([trigger('t'), llm('m', 'Hi', data)], ['t>m']);
    const { issues } = checkWorkflow(graph, { servesModel: (_, model) => model !== 'third' });
    expect(issues).toEqual([expect.objectContaining({ code: 'unknown_model', path: 'fallback_models.1' })]);
  });
});
