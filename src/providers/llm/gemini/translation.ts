import { randomUUID } from 'node:crypto';
import { isObject } from '../../../engine/json-value.js';
import { translatedError } from '../chat/chat-error.js';
import { type ChatChoice, type ChatToolCall, completionOf, isCount, type TokenCounts } from '../chat/chat-format.js';
import { ChunkMaker } from '../chat/chunk-maker.js';
import { StreamFailure, type StreamTranslation, type Translation } from '../chat/provider-protocol.js';

const finishReasons: Record<string, string> = { STOP: 'stop', MAX_TOKENS: 'length', MALFORMED_FUNCTION_CALL: 'stop' };

/** Converts answers, errors and streams of Gemini's `generateContent` to the chat format. */
export const geminiTranslation: Translation = {
  answer(body, request) {
    const { responseId, modelVersion, usageMetadata } = isObject(body) ? body : {};
    const model = typeof modelVersion === 'string' ? modelVersion : request.model;
    const choices = candidatesOf(body).map(choiceOf);
    return completionOf(idOf(responseId), model, choices, countsOf(usageMetadata) ?? none);
  },

  error(status, body) {
    const error = isObject(body) && isObject(body.error) ? body.error : {};
    return translatedError(status, error.message, error.status);
  },

  stream: model => new GeminiStream(model),
};

const none: TokenCounts = { promptTokens: 0, completionTokens: 0 };

interface Candidate {
  index: number;
  text: string;
  calls: ChatToolCall[];
  finish: string | undefined;
}

/** Reads the candidates. A blocked prompt has none and becomes one with the finish reason `content_filter`. */
function candidatesOf(body: unknown): Candidate[] {
  const { candidates, promptFeedback } = isObject(body) ? body : {};
  const listed = (Array.isArray(candidates) ? candidates : []).filter(isObject);
  if (listed.length === 0 && isObject(promptFeedback) && promptFeedback.blockReason !== undefined)
    return [{ index: 0, text: '', calls: [], finish: 'content_filter' }];
  return listed.map(({ index, content, finishReason }, at) => {
    const parts = (isObject(content) && Array.isArray(content.parts) ? content.parts : []).filter(isObject);
    return {
      index: isCount(index) ? index : at,
      text: parts.map(({ text, thought }) => (typeof text === 'string' && thought !== true ? text : '')).join(''),
      calls: parts.flatMap(callOf),
      finish: typeof finishReason === 'string' ? (finishReasons[finishReason] ?? 'content_filter') : undefined,
    };
  });
}

function callOf({ functionCall: call, thoughtSignature: signature }: Record<string, unknown>): ChatToolCall[] {
  if (!isObject(call)) return [];
  const id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${randomUUID().replaceAll('-', '')}`;
  return [
    {
      id,
      type: 'function',
      function: { name: String(call.name ?? ''), arguments: JSON.stringify(isObject(call.args) ? call.args : {}) },
      ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
    },
  ];
}

function choiceOf({ index, text, calls, finish = 'stop' }: Candidate): ChatChoice {
  const isCalling = calls.length > 0;
  return {
    index,
    message: {
      role: 'assistant',
      content: text === '' && isCalling ? null : text,
      ...(isCalling ? { tool_calls: calls } : {}),
    },
    finish_reason: isCalling && finish === 'stop' ? 'tool_calls' : finish,
  };
}

function idOf(id: unknown): string {
  return typeof id === 'string' && id !== '' ? id : `chatcmpl-${randomUUID()}`;
}

/** Thinking tokens count as completion tokens, because they have the same price. */
function countsOf(usage: unknown): TokenCounts | undefined {
  if (!isObject(usage)) return undefined;
  const { promptTokenCount, toolUsePromptTokenCount, cachedContentTokenCount } = usage;
  const { candidatesTokenCount, thoughtsTokenCount } = usage;
  const count = (value: unknown) => (isCount(value) ? value : 0);
  return {
    promptTokens: count(promptTokenCount) + count(toolUsePromptTokenCount),
    completionTokens: count(candidatesTokenCount) + count(thoughtsTokenCount),
    cacheReadTokens: Math.min(count(cachedContentTokenCount), count(promptTokenCount)),
  };
}

class GeminiStream implements StreamTranslation {
  readonly #chunks: ChunkMaker;
  #usage: TokenCounts | undefined;
  /** Number of tool calls sent so far, by choice. */
  readonly #calls = new Map<number, number>();

  constructor(model: string) {
    this.#chunks = new ChunkMaker(model);
  }

  take(event: unknown): object[] {
    if (isObject(event) && isObject(event.error)) {
      const { code } = event.error;
      throw new StreamFailure(geminiTranslation.error(isCount(code) ? code : 500, event));
    }
    const { responseId, modelVersion, usageMetadata } = isObject(event) ? event : {};
    this.#chunks.identify(responseId, modelVersion);
    this.#usage = countsOf(usageMetadata) ?? this.#usage;
    return candidatesOf(event).flatMap(candidate => this.#chunksOf(candidate));
  }

  usage(): TokenCounts | undefined {
    return this.#usage;
  }

  usageChunk(usage: TokenCounts): object {
    return this.#chunks.usage(usage);
  }

  #chunksOf({ index, text, calls, finish }: Candidate): object[] {
    const result: object[] = [];
    const sentCalls = this.#calls.get(index);
    const first = sentCalls === undefined ? { role: 'assistant' } : {};
    const count = sentCalls ?? 0;
    if (text !== '' || calls.length === 0) result.push(this.#chunks.delta(index, { ...first, content: text }));
    if (calls.length > 0) {
      const numbered = calls.map((call, at) => ({ index: count + at, ...call }));
      result.push(this.#chunks.delta(index, { ...(result.length === 0 ? first : {}), tool_calls: numbered }));
    }
    this.#calls.set(index, count + calls.length);
    if (finish === undefined) return result;
    const reason = finish === 'stop' && count + calls.length > 0 ? 'tool_calls' : finish;
    return [...result, this.#chunks.delta(index, {}, reason)];
  }
}
