import { describe, expect, test } from '@jest/globals';
import type { ReturnType } from '../../../src/engine/scenario/scenario.js';
import { fakePorts, usageOf } from '../fake-ports.js';
import { message, prompt, result, scenario, V, variable } from './samples.js';

describe('an image', () => {
  const usage = { provider: 'painter', model: 'p', promptTokens: 0, completionTokens: 0, costUsd: '0.04' };
  const prompts = [
    prompt(1, 'a cat', { role: 'positive' }),
    prompt(2, 'dogs', { role: 'negative' }),
    prompt(3, 'in oil'),
  ];
  const painting = message(1, '', {
    returnType: 'image',
    provider: 'painter',
    prompts,
    parameters: { size: '1x1', temperature: 'any' },
  });

  test('is generated from the positive and negative prompts, and its result is the URL', async () => {
    const asked: unknown[] = [];
    const images = {
      generate: async (request: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
        asked.push(request, idempotencyKey);
        return { url: 'https://files/1.png', usage };
      },
    };
    const { finalResult, spent } = await result(scenario([painting]), { ports: { ...fakePorts(), images } });
    expect(finalResult).toBe('https://files/1.png');
    expect(spent.costUsd).toBe('0.04');
    expect(asked).toEqual([
      {
        provider: 'painter',
        positive: ['a cat', 'in oil'],
        negative: ['dogs'],
        parameters: { size: '1x1', temperature: 'any' },
      },
      'scenario-run-7:1:0',
    ]);
  });

  test('fails without an image provider, or without a prompt for the image', async () => {
    expect((await result(scenario([painting]))).error?.code).toBe('images_unavailable');
    const images = { generate: async () => ({ url: '', usage }) };
    const negative = { ...painting, prompts: prompts.slice(1, 2) };
    const { error } = await result(scenario([negative]), { ports: { ...fakePorts(), images } });
    expect(error?.code).toBe('image_without_prompt');
  });
});

describe('an answer of variables', () => {
  const ask = async (text: string, returnType: ReturnType = 'variables') => {
    const ports = fakePorts({ llm: request => ({ text, usage: usageOf(request) }) });
    return result(scenario([message(1, 'x', { returnType })]), { ports });
  };

  test.each([
    ['a JSON object', '{"a": "x", "b": 1, "c": [1], "d": null}', ['a=x', 'b=1', 'c=[1]', 'd=null']],
    ['a fenced one', '```json\n{"a": "x"}\n```', ['a=x']],
    ['a list of texts', '["x", "y"]', ['0=x', '1=y']],
    ['a list of names and values', '[{"name": "a", "value": 1}, {"name": "b"}]', ['a=1', '1={"name":"b"}']],
    ['nothing', '{}', []],
    ['lines', 'a: x\n\n- b : y: z\n', ['a=x', 'b=y: z']],
    ['fenced lines', '```\na: x\n```', ['a=x']],
    ['lines with a preamble and a continuation', 'Sure\na: x\n  more\nb: y', ['a=x\nmore', 'b=y']],
    ['a name that is a trap', '{"__proto__": "x"}', ['__proto__=x']],
    ['a character that no database holds', '{"a": "\\u0000\\ud800"}', ['a=\ufffd\ufffd']],
  ])('may be %s', async (_title, text, expected) => {
    const { localVariables, finalResult } = await ask(text);
    expect(localVariables.map(({ name, value }) => `${name}=${value}`)).toEqual(expected);
    expect(localVariables.every(each => each.message === 1)).toBe(true);
    expect(finalResult).toBe(text);
  });

  test.each([
    ['a text', 'I do not know'],
    ['a number', '5'],
    ['nothing at all', ''],
    ['too many', JSON.stringify(new Array(1001).fill('x'))],
    ['too many lines', 'a: x\n'.repeat(1001)],
    ['a name that is too long', JSON.stringify({ ['x'.repeat(201)]: 1 })],
    ['a value that is nested too deep', `${'['.repeat(100)}${']'.repeat(100)}`],
  ])('fails the run, and is charged for, when it is %s', async (_title, text) => {
    const { error, spent } = await ask(text);
    expect(error?.code).toBe('bad_variables');
    expect(spent.costUsd).toBe('0.001');
  });

  test('sets none when the message returns text', async () => {
    expect((await ask('{"a": "x"}', 'text')).localVariables).toEqual([]);
  });

  test('of every iteration of a loop is kept', async () => {
    const values = [variable(1, ['{"a": 1}', '{"a": 2}'])];
    const sample = scenario([message(1, V(1, 0), { returnType: 'variables', isLoop: true, loopVariable: 1 })], values);
    expect((await result(sample)).localVariables).toEqual([
      { message: 1, name: 'a', value: '1' },
      { message: 1, name: 'a', value: '2' },
    ]);
  });
});

test('a result contains only what a database can store', async () => {
  const ports = fakePorts({ llm: request => ({ text: 'a\0b\ud800', usage: usageOf(request) }) });
  expect((await result(scenario([message(1, 'x')]), { ports })).finalResult).toBe('a\ufffdb\ufffd');
});
