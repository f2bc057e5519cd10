import { isObject } from '../../../engine/json-value.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';

/** A chat completion request: its original text, which is passed on unchanged, and its parsed value. */
export interface ChatRequest {
  /** JSON as the client wrote it. */
  readonly text: string;
  readonly value: ChatBody;
  /** The bytes of the text, if the request arrived as UTF-8. */
  readonly utf8?: Buffer | undefined;
  /** Members of the provider's own API, merged into its request. They are also members of `value`. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly endpoint?: undefined;
  readonly headers?: undefined;
}

/** A request to a model API. */
export interface RequestBody extends Readonly<Record<string, unknown>> {
  readonly model: string;
}

/** The validated members of a chat request. The upstream interprets all others. */
export interface ChatBody extends RequestBody {
  readonly messages: readonly unknown[];
}

/** The tokens of a call. */
export interface TokenCounts {
  promptTokens: number;
  completionTokens: number;
  /** Tokens of the prompt that the provider read from its cache. */
  cacheReadTokens?: number;
  /** Tokens of the prompt that the provider wrote to its cache, if it charges for them separately. */
  cacheWriteTokens?: number;
}

/** An error in the chat format. */
export interface ChatError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

export interface ChatToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** Data that a provider requires back with the call, for example Gemini's thought signature. */
  extra_content?: unknown;
}

export interface ChatChoice {
  index: number;
  message: { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[] };
  finish_reason: string;
}

/** Builds a chat completion that is created now. */
export function completionOf(id: string, model: string, choices: ChatChoice[], used: TokenCounts): object {
  return { id, object: 'chat.completion', created: nowSeconds(), model, choices, usage: usageOf(used) };
}

/** Builds the member `usage` of a chat completion. Cache counts of 0 are left out. */
export function usageOf(used: TokenCounts): object {
  const { promptTokens, completionTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = used;
  const cached = cacheReadTokens > 0 && { cached_tokens: cacheReadTokens };
  const written = cacheWriteTokens > 0 && { cache_creation_tokens: cacheWriteTokens };
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...((cached || written) && { prompt_tokens_details: { ...cached, ...written } }),
  };
}

/** Unix seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/**
 * Reads the member `usage`; undefined if it is missing or invalid (negative, fractional). Cache counts above the number of prompt tokens
 * are ignored.
 */
export function reportedUsage(answer: unknown): TokenCounts | undefined {
  const usage = isObject(answer) && isObject(answer.usage) ? answer.usage : {};
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, prompt_tokens_details: details } = usage;
  if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined;
  const { cached_tokens: read = 0, cache_creation_tokens: written = 0 } = isObject(details) ? details : {};
  if (!isCount(read) || !isCount(written) || read + written > promptTokens) return { promptTokens, completionTokens };
  return { promptTokens, completionTokens, cacheReadTokens: read, cacheWriteTokens: written };
}

/** Whether a value is a whole number from 0 that a column of the type integer can store. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER;
}

/** The text of a message content, which is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** Whether the client requests the usage event at the end of a stream. */
export function wantsUsage({ stream_options: options }: RequestBody): boolean {
  return isObject(options) && options.include_usage === true;
}

export function wantsStream({ stream }: RequestBody): boolean {
  return stream === true;
}

/** The client's limit on tokens of the response; undefined without one. */
export function answerLimit({ max_completion_tokens: newer, max_tokens: older }: ChatBody): number | undefined {
  return isCount(newer) ? newer : isCount(older) ? older : undefined;
}
