import { isObject } from '../../../engine/json-value.js';
import { isCount, type RequestBody, type TokenCounts } from '../chat/chat-format.js';
import { eventText } from '../chat/sse.js';
import type { ModelEndpoint } from './model-endpoint.js';
import { promptTextOf } from './prompt-text.js';

/** OpenAI's embeddings. They have no equivalent in chat completions. */
export const embeddings: ModelEndpoint = {
  name: 'embeddings',
  path: '/v1/embeddings',
  hasFallbacks: false,
  check({ input }, fault) {
    if (input === undefined || input === null) fault('input', 'This field is required.');
    else if (typeof input !== 'string' && !Array.isArray(input)) fault('input', 'Expected a text or a list of texts.');
    else if (input.length === 0) fault('input', 'This field may not be empty.');
  },
  answerLimit: () => 0,
  promptText: ({ input }) => promptTextOf([input], undefined),
  createUsageReader() {
    let used: TokenCounts | undefined;
    return {
      read(body) {
        const usage = isObject(body) && isObject(body.usage) ? body.usage : {};
        if (isCount(usage.prompt_tokens)) used = { promptTokens: usage.prompt_tokens, completionTokens: 0 };
        return [];
      },
      usage: () => used,
    };
  },
  error: (_status, error) => ({ error }),
  errorEvent: error => eventText({ error }),
  translation: null,
};

/** Builds a response from vectors. `encoding_format: base64` of the request, the default of the official client, is supported. */
export function embeddingList(
  vectors: readonly (readonly number[])[],
  { model, encoding_format: format }: RequestBody,
  promptTokens: number,
): object {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? base64Of(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

/** 32-bit floats in little-endian order. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes.toString('base64');
}

/** The inputs as a list. Lists of token ids, which only the provider can decode, become their JSON text. */
export function inputTexts({ input }: RequestBody): string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input)) return [];
  if (input.every(isCount)) return [JSON.stringify(input)];
  return input.map((text: unknown) => (typeof text === 'string' ? text : JSON.stringify(text)));
}
