import { isObject } from '../../../engine/json-value.js';
import {
  type FinishReason,
  type ModelAnswer,
  type ModelRequest,
  PortError,
  type Usage,
} from '../../../engine/ports.js';
import { costOf } from '../../prices.js';
import { storableText } from '../../storable-text.js';
import { estimateCallTokens, estimateRequestTokens, estimateTokens } from '../estimate-tokens.js';
import { type ChatRequest, reportedUsage, type TokenCounts, textOf } from './chat-format.js';
import { chatMessage, chatTool, readToolCalls } from './tool-calls.js';

/** Converts a request of a node or message to the chat format. Its own tools precede those of the settings. */
export function chatRequest(model: string, { messages, settings, tools = [] }: ModelRequest): ChatRequest {
  const { model_name: _, provider_options: options, tools: settingTools, ...parameters } = settings;
  const functions = [...tools.map(chatTool), ...(Array.isArray(settingTools) ? settingTools : [])];
  const value = {
    ...options,
    ...parameters,
    ...(functions.length > 0 && { tools: functions }),
    model,
    messages: messages.map(chatMessage),
  };
  return { value, text: JSON.stringify(value), ...(options && { options }) };
}

interface AnswerRequest {
  provider: string;
  /** Name of the provider in the price list. Undefined: `provider`. */
  seller: string | undefined;
  model: string;
  request: ModelRequest;
  baseUrl: string;
  /** Whether the call used a provider key of the project. */
  isOwn: boolean;
}

/** Reads a chat completion and computes its cost. Throws the PortError `bad_upstream_answer`. */
export async function readAnswer(answer: unknown, options: AnswerRequest): Promise<ModelAnswer> {
  const message = messageOf(answer);
  const text = readText(message);
  const toolCalls = readToolCalls(message?.tool_calls);
  const reported = reportedUsage(answer);
  const counts: TokenCounts = reported ?? {
    promptTokens: estimateRequestTokens(options.request),
    completionTokens: estimateTokens(text ?? '') + estimateCallTokens(toolCalls),
  };
  const { promptTokens, completionTokens } = counts;
  const { provider, seller = provider, model, baseUrl } = options;
  const costUsd = await costOf({ provider: seller, model, ...counts, baseUrl });
  const usage: Usage = { provider, model, promptTokens, completionTokens, costUsd };
  if (options.isOwn) usage.isOwn = true;
  const finishReason = finishReasonOf(choiceOf(answer)?.finish_reason);
  if (finishReason) usage.finishReason = finishReason;
  if (toolCalls.length > 0) return { text: storableText(text ?? ''), toolCalls, usage };
  if (text !== undefined) return { text: storableText(text), usage };
  const reason = 'The model provider responded without a message: choices[0].message.content must be a string.';
  // The provider charges for the reported usage even without a usable text.
  throw new PortError('bad_upstream_answer', reason, { usage: reported ? usage : undefined });
}

function choiceOf(answer: unknown): Record<string, unknown> | undefined {
  const choice: unknown = isObject(answer) && Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  return isObject(choice) ? choice : undefined;
}

function messageOf(answer: unknown): Record<string, unknown> | undefined {
  const message = choiceOf(answer)?.message;
  return isObject(message) ? message : undefined;
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
};

function finishReasonOf(reason: unknown): FinishReason | undefined {
  if (typeof reason !== 'string' || reason === '') return undefined;
  return Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : 'other';
}

function readText(message: Record<string, unknown> | undefined): string | undefined {
  const content = message?.content ?? message?.refusal;
  return typeof content === 'string' || Array.isArray(content) ? textOf(content) : undefined;
}
