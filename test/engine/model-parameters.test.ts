import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/engine/json-value.js';
import { MODEL_PARAMETERS, type ModelParameterName } from '../../src/engine/model-parameters.js';
import { nearestName } from '../../src/engine/nearest-name.js';
import type { FinishReason } from '../../src/engine/ports.js';
import type { ModelCatalog } from '../../src/engine/workflow/graph/node-kind.js';
import { checkWorkflow } from '../../src/engine/workflow/graph/validate.js';
import { progressOf, resultOf } from '../../src/engine/workflow/run/progress.js';
import { fakePorts, usageOf } from './fake-ports.js';
import { runAgent } from './nodes/agents/agent-run.js';
import { llm, run, trigger, workflow } from './samples.js';
import { message, run as runScenario, scenario } from './scenario/samples.js';

/** A valid value of each parameter. */
const VALUES: Record<ModelParameterName, unknown> = {
  temperature: 0.5,
  max_tokens: 10,
  max_completion_tokens: 20,
  top_p: 0.9,
  stop: ['END'],
  seed: 7,
  presence_penalty: -1,
  frequency_penalty: 1.5,
  logit_bias: { '50256': -100 },
  logprobs: true,
  top_logprobs: 3,
  response_format: { type: 'json_object' },
  tools: [{ type: 'function', function: { name: 'add' } }],
  tool_choice: 'required',
  parallel_tool_calls: false,
  reasoning_effort: 'low',
  verbosity: 'low',
  modalities: ['text'],
  prediction: { type: 'content', content: 'x' },
  web_search_options: {},
  n: 1,
  stream: false,
  user: 'u',
  safety_identifier: 's',
  prompt_cache_key: 'k',
  metadata: { team: 'a' },
  store: true,
  service_tier: 'flex',
};
const settings: JsonObject = { model_name: 'm', ...VALUES, provider_options: { top_k: 4 } };
const t = trigger('t');
const graph = (own: JsonObject, type = 'basic-node') =>
  workflow([t, { ...llm('a', 'x', { settings: own }), type }], ['t>a']);
const check = (own: JsonObject, catalog: Partial<ModelCatalog> = {}, type = 'basic-node') =>
  checkWorkflow(graph(own, type), { servesModel: () => true, ...catalog }).issues.map(({ code, path, message }) => ({
    code,
    path,
    message,
  }));

const result = async (...parameters: Parameters<typeof run>) => resultOf(progressOf(await run(...parameters)));

describe('parameters of a model', () => {
  test('reach the provider from a node', async () => {
    const ports = fakePorts();
    await run(graph(settings), { ports });
    expect(ports.prompts[0]?.settings).toEqual(settings);
  });

  test('reach the provider from a message of a scenario', async () => {
    const ports = fakePorts();
    await runScenario(scenario([message(1, 'x', { parameters: settings })]), { ports });
    expect(ports.prompts[0]?.settings).toEqual(settings);
  });

  test('have a value in this test', () => {
    expect(Object.keys(VALUES).sort()).toEqual(Object.keys(MODEL_PARAMETERS).sort());
    expect(check(settings)).toEqual([]);
  });

  test('are refused by name outside their ranges', () => {
    const faults = check({
      model_name: 'm',
      presence_penalty: 3,
      n: 2,
      stream: true,
      provider_options: { stream: true },
    });
    expect(faults.map(({ path }) => path)).toEqual([
      'settings.presence_penalty',
      'settings.n',
      'settings.stream',
      'settings.provider_options',
    ]);
  });

  test('are refused by name for a provider that cannot express them', () => {
    const refusedParameters = () => ['seed', 'presence_penalty', 'user'] as const;
    expect(check({ model_name: 'm', seed: 1, presence_penalty: 0 }, { refusedParameters })).toEqual([
      {
        code: 'unsupported_parameter',
        path: 'settings.seed',
        message: 'is not supported by the provider of "m"; remove it or choose another model',
      },
    ]);
  });

  test('of an agent do not include tools, and the tool choice applies once', async () => {
    expect(check({ model_name: 'm', tools: [] }, {}, 'agent-node')).toMatchObject([{ path: 'settings.tools' }]);
    const { prompts } = await runAgent(
      { settings: { model_name: 'm', tool_choice: 'required', seed: 1 } },
      { model: [[{ name: 'none' }], 'done'] },
    );
    expect(prompts.map(prompt => prompt.settings)).toEqual([
      { model_name: 'm', tool_choice: 'required', seed: 1 },
      { model_name: 'm', seed: 1 },
    ]);
  });
});

test('a refusal of an unknown model lists the models', () => {
  const catalog = { servesModel: () => false, modelNames: ['echo', 'gpt-4o-mini', 'gpt-4o'] };
  const [issue] = check({ model_name: 'gtp-4o' }, catalog);
  expect(issue?.message).toContain('Did you mean "gpt-4o"? Available: echo, gpt-4o-mini, gpt-4o');
});

describe('an answer that was cut', () => {
  const answering = (finishReason: FinishReason) =>
    fakePorts({ llm: request => ({ text: '{"a": 1', usage: { ...usageOf(request), finishReason } }) });

  test('shows its finish reason on the node', async () => {
    const { data } = await result(workflow([t, llm('a', 'x')], ['t>a']), { ports: answering('length') });
    expect(data).toMatchObject({ a: { status: 'succeed', usage: { finish_reason: 'length' } } });
  });

  test.each(['length', 'content_filter'] as const)('by %s fails a node that asked for JSON', async reason => {
    const own = { model_name: 'm', response_format: { type: 'json_object' } };
    const { data } = await result(graph(own), { ports: answering(reason) });
    expect(data).toMatchObject({
      a: { status: 'failed', error: { code: 'incomplete_answer' }, usage: { finish_reason: reason } },
    });
  });

  test('fails a message that asked for JSON', async () => {
    const parameters = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } };
    const events = await runScenario(scenario([message(1, 'x', { parameters })]), { ports: answering('length') });
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'incomplete_answer' } });
  });
});

test('tool calls without a text become the content', async () => {
  const toolCalls = [{ id: 'c', name: 'add', arguments: '{"a":1}' }];
  const ports = fakePorts({ llm: request => ({ text: '', toolCalls, usage: usageOf(request) }) });
  const { data } = await result(workflow([t, llm('a', 'x')], ['t>a']), { ports });
  const { content } = (data as any).a.result;
  expect(JSON.parse(content)).toEqual({
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
  });
});

test.each([
  ['temprature', 'temperature'],
  ['maxTokens', 'max_tokens'],
  ['tmeperature', 'temperature'],
  ['colour', undefined],
  ['x', undefined],
])('the nearest name of %s is %s', (name, expected) => {
  expect(nearestName(name, ['temperature', 'max_tokens', 'top_p', 'stop'])).toBe(expected);
});
