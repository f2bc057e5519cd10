import { describe, expect, test } from '@jest/globals';
import { type Api, ask } from './rest-compat.harness.js';

const api = (caller: 'key' | 'jwt', status = 201): Api => ({
  schema: `
    scalar JSON
    type Receipt { status: Int! got: JSON! }
    type Query { nothing: Int }
    type Mutation { start(id: Int!, input: JSON, inputText: String): Receipt! }
  `,
  operations: `
    "Run" mutation Run($id: Int!, $input: JSON, $input_text: String)
    @rest(method: POST, path: "/api/v1/workflows/{id}/run/", body: RUN_INPUT) {
      body: start(id: $id, input: $input, inputText: $input_text) { status got }
    }
    "Again" mutation Again($id: Int!, $input: JSON, $input_text: String)
    @rest(method: POST, path: "/api/v1/workflows/{id}/re-run/", body: RUN_INPUT, reply: ENVELOPE_STATUS) {
      body: start(id: $id, input: $input, inputText: $input_text) { status got }
    }
  `,
  resolve: { start: (_, { id, ...got }: { id: number }) => ({ status, got }) },
  options: { callerOf: () => caller },
});

async function run(caller: 'key' | 'jwt', body: string | Buffer | undefined, type?: string) {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  return ask(api(caller), { method: 'POST', path: '/api/v1/workflows/1/run', body, headers });
}

const json = 'application/json';
const text = 'text/plain';

describe('the flat body of an API key', () => {
  test.each<[string, string | Buffer | undefined, string | undefined, object]>([
    ['nothing', undefined, undefined, {}],
    ['nothing, called JSON', undefined, json, {}],
    ['white space, called JSON', ' \n', json, {}],
    ['an object', '{"a":1}', json, { input: { a: 1 } }],
    ['an object that has input_data', '{"input_data":{"a":1}}', json, { input: { input_data: { a: 1 } } }],
    ['an array', '[1]', json, { input: [1] }],
    ['a JSON text', '"a"', json, { input: 'a' }],
    ['null', 'null', json, { input: null }],
    ['plain text', 'hello', text, { inputText: 'hello' }],
    ['a JSON array as plain text', '[1]', text, { inputText: '[1]' }],
    ['a JSON object as plain text', ' {"a":1}', text, { input: { a: 1 } }],
    ['half a JSON object as plain text', '{"a":', text, { inputText: '{"a":' }],
    ['a JSON object as a form', '{"a":1}', 'application/x-www-form-urlencoded', { input: { a: 1 } }],
    ['a form', 'a=1&b=2', 'application/x-www-form-urlencoded', { inputText: 'a=1&b=2' }],
    ['text of no type', 'hello', undefined, { inputText: 'hello' }],
    ['an object of no type', '{"a":1}', undefined, { input: { a: 1 } }],
    ['latin1', Buffer.from('caf\u00e9', 'latin1'), 'text/plain; charset=ISO-8859-1', { inputText: 'café' }],
    ['UTF-16 with a mark', Buffer.from('\ufeffhé', 'utf16le'), 'text/plain; charset=utf-16', { inputText: 'hé' }],
    ['UTF-16, big end first', Buffer.from([0xfe, 0xff, 0, 0x68]), 'text/plain; charset=utf-16', { inputText: 'h' }],
    ['UTF-8 with a mark', '\ufeff{"a":1}', json, { input: { a: 1 } }],
  ])('%s', async (_, body, type, got) => {
    expect((await run('key', body, type)).body).toEqual({ status: 201, got });
  });
});

describe('the wrapped body of a session', () => {
  test.each<[string, string | undefined, string | undefined, object]>([
    ['nothing', undefined, undefined, {}],
    ['input_data', '{"input_data":{"a":1}}', json, { input: { a: 1 } }],
    ['an object without input_data', '{"a":1}', json, { input: null }],
    ['an array', '[1]', json, { input: null }],
    ['plain text', 'hello', text, { input: null }],
  ])('%s', async (_, body, type, got) => {
    expect((await run('jwt', body, type)).body).toEqual({ status: 201, got });
  });
});

describe('a body that cannot be a run input', () => {
  test.each<[string, string | Buffer, string | undefined, number, string]>([
    ['malformed JSON', '{"a":', json, 400, 'parse_error'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0xfd]), text, 400, 'parse_error'],
    ['JSON nested too deep', `${'[{"a":'.repeat(40)}1${'}]'.repeat(40)}`, json, 400, 'parse_error'],
    ['a deep object as text', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, text, 400, 'parse_error'],
    ['an unknown charset', 'hello', 'text/plain; charset=klingon', 415, 'unsupported_media_type'],
    ['an image', 'GIF89a', 'image/gif', 415, 'unsupported_media_type'],
    ['a form with files', 'x', 'multipart/form-data; boundary=b', 415, 'unsupported_media_type'],
    ['a ZIP file', 'PK', 'application/zip', 415, 'unsupported_media_type'],
  ])('%s', async (_, body, type, status, code) => {
    const answer = await run('key', body, type);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { code } });
  });

  test('a form names what the route takes instead of files', async () => {
    const { body } = await run('key', 'x', 'multipart/form-data; boundary=b');
    expect(body).toEqual({
      code: 'unsupported_media_type',
      detail:
        'Unsupported media type. Send application/json or text/plain. In place of a file, send the id of an uploaded file.',
    });
  });

  test.each([
    ['{"a":"\\u0000"}', json],
    ['{"a":"\\ud800"}', json],
    ['{"a":1e999}', json],
    ['a\0b', text],
  ])('%j is refused as a whole', async (body, type) => {
    const answer = await run('key', body, type);
    expect(answer).toMatchObject({ status: 400, body: { non_field_errors: [expect.any(String)] } });
  });
});

describe('an envelope with an inner status', () => {
  test.each([
    [201, 201],
    [422, 400],
    [402, 402],
  ])('%i inside is HTTP %i', async (inner, status) => {
    const answer = await ask(api('key', inner), { method: 'POST', path: '/api/v1/workflows/1/re-run/' });
    expect(answer).toMatchObject({ status, body: { status: inner } });
  });
});
