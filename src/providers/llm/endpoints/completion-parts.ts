import { isObject } from '../../../engine/json-value.js';
import { reportedUsage, type TokenCounts, textOf } from '../chat/chat-format.js';

/** The parts of a chat completion or of one of its chunks that other APIs have too. Only the first choice is read. */
export interface CompletionParts {
  text: string;
  calls: readonly CallPart[];
  finish: string | undefined;
  model: string | undefined;
  usage: TokenCounts | undefined;
}

/** A tool call, or the part of one in a chunk. */
export interface CallPart {
  /** Position among the calls of the message. */
  index: number;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

/** Reads a completion (`member` is `message`) or a chunk (`delta`). Missing members are empty. */
export function completionParts(body: unknown, member: 'delta' | 'message'): CompletionParts {
  const { choices, model } = isObject(body) ? body : {};
  const choice = Array.isArray(choices) && isObject(choices[0]) ? choices[0] : {};
  const message = isObject(choice[member]) ? choice[member] : {};
  return {
    text: textOf(message.content ?? message.refusal),
    calls: (Array.isArray(message.tool_calls) ? message.tool_calls : []).filter(isObject).map(callPart),
    finish: textValue(choice.finish_reason),
    model: textValue(model),
    usage: reportedUsage(body),
  };
}

function callPart(call: Record<string, unknown>, position: number): CallPart {
  const { name, arguments: text } = isObject(call.function) ? call.function : {};
  return {
    index: typeof call.index === 'number' ? call.index : position,
    id: textValue(call.id),
    name: textValue(name),
    arguments: typeof text === 'string' ? text : isObject(text) ? JSON.stringify(text) : '',
  };
}

function textValue(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the chat member that limits the response. OpenAI's models reject `max_tokens`; other servers know only `max_tokens`. */
export function answerLimitMember(model: string, limit: unknown): Record<string, unknown> {
  if (limit === undefined || limit === null) return {};
  return /^(gpt-|chatgpt-|o\d)/.test(model) ? { max_completion_tokens: limit } : { max_tokens: limit };
}
