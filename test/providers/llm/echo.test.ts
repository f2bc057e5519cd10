import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ChatBody } from '../../../src/providers/llm/chat/chat-format.js';
import { echo } from '../../../src/providers/llm/echo.js';

const { signal } = new AbortController();
const messages = [{ role: 'user', content: 'Hello  there, you.' }];
const person = {
  type: 'object',
  required: ['name', 'age'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 3, maxLength: 8 },
    age: { type: 'integer', minimum: 18, maximum: 30 },
    mail: { type: 'string', pattern: '@', format: 'email' },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 },
    pet: { anyOf: [{ $ref: '#/$defs/pet' }, { type: 'null' }] },
    weight: { type: ['null', 'number'], exclusiveMinimum: 2, multipleOf: 0.5 },
  },
  $defs: { pet: { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' } } } },
};
const tools = ['add', 'look_up'].map(name => ({ type: 'function', function: { name, parameters: person } }));
const named = { type: 'function', function: { name: 'look_up' } };

async function chat(more: object): Promise<{ status: number; text: string }> {
  const value = { model: 'echo', messages, ...more } as ChatBody;
  const { status, body } = await echo.chat('echo', { text: '', value }, signal, 1);
  return { status, text: (Buffer.isBuffer(body) ? body : await buffer(body)).toString('utf8') };
}
const choice = async (more: object) => JSON.parse((await chat(more)).text).choices[0];
const conforms = (value: unknown) => new Ajv2020({ strict: false, formats: { email: true } }).validate(person, value);

describe('the built-in model', () => {
  it('calls the required tool with arguments that conform to its schema', async () => {
    const { message, finish_reason } = await choice({ tools, tool_choice: named });
    expect([finish_reason, message.content, message.tool_calls[0].function.name]).toEqual([
      'tool_calls',
      null,
      'look_up',
    ]);
    const args = JSON.parse(message.tool_calls[0].function.arguments);
    expect([conforms(args), args.name]).toEqual([true, 'Hello  t']);
    expect((await choice({ tools, tool_choice: 'required' })).message.tool_calls[0].function.name).toBe('add');
  });

  it.each(['auto', 'none'])('answers with the text where the tool choice is %s', async tool_choice => {
    const { message, finish_reason } = await choice({ tools, tool_choice });
    expect([finish_reason, message.content]).toEqual(['stop', messages[0]!.content]);
  });

  it('answers with JSON that conforms to the requested schema', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'person', schema: person } };
    expect(conforms(JSON.parse((await choice({ response_format })).message.content))).toBe(true);
    const own = { name: 'Eve', age: 20 };
    const sent = [{ role: 'user', content: JSON.stringify(own) }];
    expect(JSON.parse((await choice({ response_format, messages: sent })).message.content)).toEqual(own);
  });

  it('answers with an object where only JSON is asked for', async () => {
    const { message } = await choice({ response_format: { type: 'json_object' } });
    expect(JSON.parse(message.content)).toEqual({ echo: messages[0]!.content });
  });

  it.each([
    [{}, 'content'],
    [{ tools, tool_choice: 'required' }, 'tool_calls'],
  ])('streams %j word by word', async (more, member) => {
    const { text } = await chat({ ...more, stream: true });
    const events = text.split('\n\n').filter(event => event.startsWith('data: {'));
    const deltas = events.map(event => JSON.parse(event.slice(6)).choices[0].delta);
    expect(deltas.filter(delta => delta[member]).length).toBeGreaterThan(2);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    const joined = deltas.map(delta => delta.content ?? delta.tool_calls?.[0].function.arguments ?? '').join('');
    if (member === 'content') expect(joined).toBe(messages[0]!.content);
    else expect(conforms(JSON.parse(joined))).toBe(true);
  });

  it('fails and truncates on request', async () => {
    const { status, text } = await chat({ metadata: { echo_error: '429' } });
    expect([status, JSON.parse(text).error]).toMatchObject([429, { type: 'rate_limit_error', code: 'echo_error' }]);
    expect((await choice({ metadata: { echo_finish_reason: 'length' } })).finish_reason).toBe('length');
    const settings = { metadata: { echo_error: '503' } };
    const failed = echo.complete('echo', { messages, settings }, { signal, idempotencyKey: 'k' }, 1);
    await expect(failed).rejects.toMatchObject({ code: 'upstream_error' });
  });

  it('waits on request until it is aborted', async () => {
    const controller = new AbortController();
    const settings = { metadata: { echo_delay_ms: '60000' } };
    const call = { signal: controller.signal, idempotencyKey: 'k' };
    const answer = echo.complete('echo', { messages, settings }, call, 1);
    controller.abort(new Error('gone'));
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('answers nodes with tool calls', async () => {
    const settings = { tools, tool_choice: 'required' };
    const answer = await echo.complete('echo', { messages, settings }, { signal, idempotencyKey: 'k' }, 1);
    expect(answer).toMatchObject({
      text: '',
      toolCalls: [{ name: 'add' }],
      usage: { costUsd: '0', finishReason: 'tool_calls' },
    });
  });

  it('gives a text to a required member without a schema', async () => {
    const schema = { type: 'object', required: ['toString'] };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const { message } = await choice({ response_format });
    expect(JSON.parse(message.content)).toEqual({ toString: expect.any(String) });
  });

  it('bounds samples of recursive schemas', async () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { type: 'array', minItems: 100, items: { $ref: '#' } } },
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    expect((await choice({ response_format })).message.content.length).toBeLessThan(1_000_000);
  });
});
