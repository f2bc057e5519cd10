import { isObject } from '../../../../engine/json-value.js';
import { anthropicCounts } from '../../anthropic/translation.js';
import { type ChatError, isCount, type TokenCounts } from '../../chat/chat-format.js';
import { namedEventText } from '../../chat/sse.js';
import type { ModelEndpoint, UsageReader } from '../model-endpoint.js';
import { promptTextOf } from '../prompt-text.js';
import { messageOf } from './answer.js';
import { chatBodyOfMessage } from './request.js';
import { MessageStream } from './stream.js';

/** Anthropic's Messages API. */
export const messages: ModelEndpoint = {
  name: 'messages',
  path: '/v1/messages',
  hasFallbacks: true,
  check({ messages: list, max_tokens: limit, stream }, fault) {
    if (list === undefined) fault('messages', 'This field is required.');
    else if (!Array.isArray(list) || list.length === 0) fault('messages', 'Expected a list of at least one message.');
    else if (!list.every(message => isObject(message) && typeof message.role === 'string'))
      fault('messages', 'Every message must be an object with a role.');
    if (limit === undefined) fault('max_tokens', 'This field is required.');
    else if (!isCount(limit) || limit === 0) fault('max_tokens', 'Must be a positive integer.');
    if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
      fault('stream', 'Must be a valid boolean.');
  },
  answerLimit: ({ max_tokens: limit }) => (isCount(limit) ? limit : undefined),
  promptText: ({ system, messages: list, tools }) => promptTextOf([system, list], tools),
  createUsageReader: () => new MessageUsage(),
  error: anthropicError,
  errorEvent: error => namedEventText('error', anthropicError(500, error)),
  translation: {
    request: chatBodyOfMessage,
    answer: messageOf,
    stream: request => new MessageStream(request),
  },
};

/** Error types by HTTP status. */
const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

function anthropicError(status: number, { message, code }: ChatError): object {
  const type = code === 'timeout' ? 'timeout_error' : (types[status] ?? (status >= 500 ? 'api_error' : undefined));
  return { type: 'error', error: { type: type ?? 'invalid_request_error', message } };
}

class MessageUsage implements UsageReader {
  #usage: Record<string, unknown> | undefined;
  /** Whether the usage includes the whole response. The first event of a stream reports only the prompt. */
  #isFinal = false;

  read(body: unknown): string[] {
    if (!isObject(body)) return [];
    const { usage } = isObject(body.message) ? body.message : body;
    if (isObject(usage)) {
      this.#usage = { ...this.#usage, ...withoutNulls(usage) };
      this.#isFinal = body.type !== 'message_start' && isCount(usage.output_tokens);
    }
    if (isObject(body.delta)) {
      const { text, thinking, partial_json: json } = body.delta;
      return [text, thinking, json].filter(part => typeof part === 'string');
    }
    return Array.isArray(body.content) ? [promptTextOf(body.content, undefined)] : [];
  }

  usage(): TokenCounts | undefined {
    return this.#isFinal ? anthropicCounts(this.#usage) : undefined;
  }
}

function withoutNulls(usage: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}
