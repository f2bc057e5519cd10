import { randomUUID } from 'node:crypto';
import { valueFault } from '../../engine/json-schema/value-fault.js';
import { isObject } from '../../engine/json-value.js';
import type { FinishReason, ToolCall } from '../../engine/ports.js';
import { tryParseJson } from '../../platform/json/try-parse-json.js';
import { formatOf, functionsOf, toolChoiceOf } from './chat/content-parts.js';
import { jsonSample } from './json-sample.js';

/** The members of a request that determine the answer of the built-in model. */
export interface EchoRequest {
  messages: readonly { role: string; content: string }[];
  tools?: unknown;
  tool_choice?: unknown;
  response_format?: unknown;
  metadata?: unknown;
}

/** An answer of the built-in model. */
export interface EchoAnswer {
  text: string;
  toolCalls: ToolCall[];
  finishReason: FinishReason;
}

/** Instructions in `metadata`, which make the built-in model slow or let it fail. */
export interface EchoInstructions {
  /** Milliseconds before the answer, and before each word of a stream. */
  delayMs: number;
  /** HTTP status of an error, 400-599; null: no error. */
  errorStatus: number | null;
}

const MAX_DELAY_MS = 60_000;
const FINISH_REASONS = new Set<unknown>(['length', 'content_filter', 'other']);

/**
 * Answers with a tool call if `tool_choice` requires one, with JSON if `response_format` asks for it, otherwise with the last user
 * message. Throws UnsupportedChatError for malformed members.
 */
export function answerAsEcho(request: EchoRequest): EchoAnswer {
  const text = lastUserText(request.messages);
  const calls = requiredCalls(request, text);
  if (calls.length > 0) return { text: '', toolCalls: calls, finishReason: 'tool_calls' };
  const reason = isObject(request.metadata) ? request.metadata.echo_finish_reason : undefined;
  const finishReason = FINISH_REASONS.has(reason) ? (reason as FinishReason) : 'stop';
  return { text: formatText(request.response_format, text), toolCalls: [], finishReason };
}

/** Reads the instructions in `metadata`. Invalid ones are ignored. */
export function instructionsOf({ metadata }: Pick<EchoRequest, 'metadata'>): EchoInstructions {
  const { echo_delay_ms: delay, echo_error: error } = isObject(metadata) ? metadata : {};
  const status = Number(error);
  return {
    delayMs: delay === undefined ? 0 : Math.min(Math.max(Number(delay) || 0, 0), MAX_DELAY_MS),
    errorStatus: Number.isInteger(status) && status >= 400 && status <= 599 ? status : null,
  };
}

function lastUserText(messages: EchoRequest['messages']): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? messages.at(-1)?.content ?? '';
}

function requiredCalls({ tools, tool_choice }: EchoRequest, text: string): ToolCall[] {
  if (tools === undefined || tools === null) return [];
  const functions = functionsOf(tools);
  const choice = toolChoiceOf(tool_choice);
  if (choice === 'auto' || choice === 'none') return [];
  const called = choice === 'required' ? functions[0] : functions.find(({ name }) => name === choice.name);
  if (!called) return [];
  const values = conformingValue(called.parameters, text);
  return [{ id: `call_${randomUUID().replaceAll('-', '')}`, name: called.name, arguments: JSON.stringify(values) }];
}

function formatText(responseFormat: unknown, text: string): string {
  if (responseFormat === undefined || responseFormat === null) return text;
  const format = formatOf(responseFormat);
  if (!format) return text;
  return JSON.stringify(format.schema ? conformingValue(format.schema, text) : objectOf(text));
}

/** Returns the JSON in the text if it conforms to the schema, otherwise a sample. */
function conformingValue(schema: Record<string, unknown>, text: string): unknown {
  const value = tryParseJson(text);
  return value !== undefined && valueFault(value, schema) === undefined ? value : jsonSample(schema, text);
}

function objectOf(text: string): object {
  const value = tryParseJson(text);
  return isObject(value) ? value : { echo: text };
}
