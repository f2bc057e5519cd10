import { isObject } from '../../../../engine/json-value.js';
import { isCount, type TokenCounts } from '../../chat/chat-format.js';
import { namedEventText } from '../../chat/sse.js';
import type { ModelEndpoint, UsageReader } from '../model-endpoint.js';
import { promptTextOf } from '../prompt-text.js';
import { responseOf } from './answer.js';
import { chatBodyOfResponse } from './request.js';
import { ResponseStream } from './stream.js';

/** OpenAI's Responses API. */
export const responses: ModelEndpoint = {
  name: 'responses',
  path: '/v1/responses',
  hasFallbacks: true,
  check({ input, stream, background }, fault) {
    if (input === undefined || input === null) fault('input', 'This field is required.');
    else if (typeof input !== 'string' && !Array.isArray(input)) fault('input', 'Expected a text or a list of items.');
    if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
      fault('stream', 'Must be a valid boolean.');
    // The usage of a response that continues after its reply is never reported.
    if (background === true) fault('background', 'Background responses are not supported. Use a stream.');
  },
  answerLimit: ({ max_output_tokens: limit }) => (isCount(limit) ? limit : undefined),
  promptText: ({ instructions, input, tools }) => promptTextOf([instructions, input], tools),
  createUsageReader: () => new ResponseUsage(),
  error: (_status, error) => ({ error }),
  errorEvent: ({ code, message, param }) => namedEventText('error', { code, message, param, sequence_number: 0 }),
  translation: {
    request: chatBodyOfResponse,
    answer: responseOf,
    stream: request => new ResponseStream(request),
  },
};

const TEXT_EVENTS = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.function_call_arguments.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
]);

class ResponseUsage implements UsageReader {
  #usage: TokenCounts | undefined;

  read(body: unknown): string[] {
    if (!isObject(body)) return [];
    const { usage } = isObject(body.response) ? body.response : body;
    this.#usage = countsOf(usage) ?? this.#usage;
    if (typeof body.type === 'string' && TEXT_EVENTS.has(body.type))
      return typeof body.delta === 'string' ? [body.delta] : [];
    return Array.isArray(body.output) ? [promptTextOf(body.output, undefined)] : [];
  }

  usage(): TokenCounts | undefined {
    return this.#usage;
  }
}

function countsOf(usage: unknown): TokenCounts | undefined {
  if (!isObject(usage)) return undefined;
  const { input_tokens: promptTokens, output_tokens: completionTokens, input_tokens_details: details } = usage;
  if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined;
  const { cached_tokens: read = 0, cache_creation_tokens: written = 0 } = isObject(details) ? details : {};
  if (!isCount(read) || !isCount(written) || read + written > promptTokens) return { promptTokens, completionTokens };
  return { promptTokens, completionTokens, cacheReadTokens: read, cacheWriteTokens: written };
}
