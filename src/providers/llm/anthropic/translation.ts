import { isObject } from '../../../engine/json-value.js';
import { translatedError } from '../chat/chat-error.js';
import { type ChatToolCall, completionOf, isCount, type TokenCounts } from '../chat/chat-format.js';
import { ChunkMaker } from '../chat/chunk-maker.js';
import type { StreamTranslation, Translation } from '../chat/provider-protocol.js';
import { StreamFailure } from '../chat/provider-protocol.js';
import { ANSWER_TOOL } from './request.js';

const finishReasons: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Converts answers, errors and streams of Anthropic's Messages API to the chat format. */
export const anthropicTranslation: Translation = {
  answer(body, request) {
    const { id, model, content, stop_reason: reason, usage } = isObject(body) ? body : {};
    const blocks = (Array.isArray(content) ? content : []).filter(isObject);
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    const answered = calls.find(({ name }) => name === ANSWER_TOOL);
    const text = blocks
      .map(block => (block.type === 'text' && typeof block.text === 'string' ? block.text : ''))
      .join('');
    const output = answered ? JSON.stringify(answered.input ?? {}) : text;
    const toolCalls = answered ? [] : calls.map(toolCallOf);
    const message = {
      role: 'assistant' as const,
      content: output === '' && toolCalls.length > 0 ? null : output,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    };
    const finish = finishOf(reason, answered !== undefined);
    // A malformed response becomes a completion without choices, which callers reject.
    const choices = Array.isArray(content) ? [{ index: 0, message, finish_reason: finish }] : [];
    return completionOf(
      String(id ?? ''),
      typeof model === 'string' ? model : request.model,
      choices,
      anthropicCounts(usage),
    );
  },

  error(status, body) {
    const error = isObject(body) && isObject(body.error) ? body.error : {};
    return translatedError(status, error.message, error.type);
  },

  stream: model => new AnthropicStream(model),
};

function toolCallOf({ id, name, input }: Record<string, unknown>): ChatToolCall {
  const args = JSON.stringify(isObject(input) ? input : {});
  return { id: String(id ?? ''), type: 'function', function: { name: String(name ?? ''), arguments: args } };
}

function finishOf(reason: unknown, isAnswered: boolean): string {
  if (isAnswered && reason === 'tool_use') return 'stop';
  return finishReasons[String(reason)] ?? 'stop';
}

/** Anthropic's `input_tokens` excludes cached tokens, which the chat format includes. */
export function anthropicCounts(usage: unknown): TokenCounts {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = isObject(usage)
    ? usage
    : {};
  const count = (value: unknown) => (isCount(value) ? value : 0);
  const cacheReadTokens = count(cache_read_input_tokens);
  const cacheWriteTokens = count(cache_creation_input_tokens);
  return {
    promptTokens: count(input_tokens) + cacheReadTokens + cacheWriteTokens,
    completionTokens: count(output_tokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

class AnthropicStream implements StreamTranslation {
  readonly #chunks: ChunkMaker;
  #usage: Record<string, unknown> = {};
  /** Indexes of tool calls by index of their content block; null for the block with the structured output. */
  readonly #calls = new Map<unknown, number | null>();
  #isAnswered = false;

  constructor(model: string) {
    this.#chunks = new ChunkMaker(model);
  }

  take(event: unknown): object[] {
    if (!isObject(event)) return [];
    switch (event.type) {
      case 'message_start':
        return this.#start(isObject(event.message) ? event.message : {});
      case 'content_block_start':
        return this.#block(event.index, isObject(event.content_block) ? event.content_block : {});
      case 'content_block_delta':
        return this.#delta(event.index, isObject(event.delta) ? event.delta : {});
      case 'message_delta':
        return this.#end(event);
      case 'error':
        throw new StreamFailure(anthropicTranslation.error(500, event));
      default:
        return [];
    }
  }

  usage(): TokenCounts | undefined {
    return Object.keys(this.#usage).length > 0 ? anthropicCounts(this.#usage) : undefined;
  }

  usageChunk(usage: TokenCounts): object {
    return this.#chunks.usage(usage);
  }

  #start({ id, model, usage }: Record<string, unknown>): object[] {
    if (isObject(usage)) this.#usage = usage;
    this.#chunks.identify(id, model);
    return [this.#chunks.delta(0, { role: 'assistant', content: '' })];
  }

  #block(index: unknown, { type, id, name, text }: Record<string, unknown>): object[] {
    if (type === 'text')
      return typeof text === 'string' && text !== '' ? [this.#chunks.delta(0, { content: text })] : [];
    if (type !== 'tool_use') return [];
    if (name === ANSWER_TOOL) {
      this.#isAnswered = true;
      this.#calls.set(index, null);
      return [];
    }
    const position = [...this.#calls.values()].filter(at => at !== null).length;
    this.#calls.set(index, position);
    const call = { index: position, id, type: 'function', function: { name, arguments: '' } };
    return [this.#chunks.delta(0, { tool_calls: [call] })];
  }

  #delta(index: unknown, { type, text, partial_json: json }: Record<string, unknown>): object[] {
    if (type === 'text_delta' && typeof text === 'string') return [this.#chunks.delta(0, { content: text })];
    if (type !== 'input_json_delta' || typeof json !== 'string' || json === '') return [];
    const position = this.#calls.get(index);
    if (position === undefined) return [];
    if (position === null) return [this.#chunks.delta(0, { content: json })];
    return [this.#chunks.delta(0, { tool_calls: [{ index: position, function: { arguments: json } }] })];
  }

  #end({ delta, usage }: Record<string, unknown>): object[] {
    if (isObject(usage)) this.#usage = { ...this.#usage, ...usage };
    const reason = isObject(delta) ? delta.stop_reason : undefined;
    if (reason === undefined || reason === null) return [];
    return [this.#chunks.delta(0, {}, finishOf(reason, this.#isAnswered))];
  }
}
