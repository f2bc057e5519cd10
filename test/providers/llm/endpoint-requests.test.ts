import { describe, expect, it } from '@jest/globals';
import { chatBodyOfMessage } from '../../../src/providers/llm/endpoints/messages/request.js';
import { chatBodyOfResponse } from '../../../src/providers/llm/endpoints/responses/request.js';

const MODEL = 'gpt-4o-mini';

describe('a request of the Messages API', () => {
  const convert = (content: unknown, more: object = {}) =>
    chatBodyOfMessage({ model: MODEL, max_tokens: 9, messages: [{ role: 'user', content }], ...more }, MODEL);
  const image = (source: object) => ({ type: 'image', source });
  const result = (content: unknown) => [{ type: 'tool_result', tool_use_id: 't1', content }];
  const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' };

  it.each([
    [
      'an image from a file',
      [image({ type: 'file', file_id: 'f' })],
      'messages[0].content[0].source must be of the type url or base64: this provider supports no other source.',
    ],
    [
      'a call of a tool by the user',
      [{ type: 'tool_use', id: 't1', name: 'add', input: {} }],
      'messages[0].content[0] must be a block of the type text, image or tool_result: this provider supports no other type.',
    ],
    [
      'an image in the result of a tool',
      result([{ type: 'text', text: 'A chart.' }, image(png)]),
      'messages[0].content[0].content[1] must be a block of the type text: this provider supports no other type in a tool_result.',
    ],
  ])('is refused with %s', (_, content, message) => {
    expect(() => convert(content)).toThrow(message);
  });

  it('keeps the texts of the result of a tool', () => {
    const texts = [
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two' },
    ];
    expect(convert(result(texts)).messages).toEqual([{ role: 'tool', tool_call_id: 't1', content: 'one two' }]);
    expect(convert(result(undefined)).messages).toEqual([{ role: 'tool', tool_call_id: 't1', content: '' }]);
  });

  it('leaves out an empty list of stop sequences', () => {
    expect(convert('Hi', { stop_sequences: [] })).not.toHaveProperty('stop');
    expect(convert('Hi', { stop_sequences: ['END'] })).toHaveProperty('stop', ['END']);
  });

  const properties = { name: { type: 'string' } };
  const closed = { type: 'object', properties, required: ['name'], additionalProperties: false };
  it.each([
    ['all members required', closed, { strict: true }],
    ['an optional member', { ...closed, required: [] }, {}],
    ['further members', { ...closed, additionalProperties: true }, {}],
    ['an optional member inside', { ...closed, properties: { name: { ...closed, required: [] } } }, {}],
    ['an object of any members inside', { ...closed, properties: { name: { type: ['object', 'null'] } } }, {}],
  ])('asks for a strict answer only if the schema permits it: %s', (_, schema, strict) => {
    const { response_format: format } = convert('Hi', { output_config: { format: { type: 'json_schema', schema } } });
    expect(format).toEqual({ type: 'json_schema', json_schema: { name: 'output', schema, ...strict } });
  });
});

it('a request of the Responses API is refused with an image in the output of a function', () => {
  const convert = (output: unknown) =>
    chatBodyOfResponse({ model: MODEL, input: [{ type: 'function_call_output', call_id: 'c1', output }] }, MODEL);
  const text = { type: 'input_text', text: 'A chart.' };
  expect(convert([text]).messages).toEqual([{ role: 'tool', tool_call_id: 'c1', content: 'A chart.' }]);
  expect(() => convert([text, { type: 'input_image', image_url: 'https://example.com/a.png' }])).toThrow(
    'input[0].output must have only text: this provider supports no other part of an output.',
  );
});
