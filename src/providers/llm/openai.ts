import type { Outbound } from '../../base/outbound.js';
import { type ModelAnswer, type ModelRequest, PortError } from '../../engine/ports.js';
import { costOf } from '../prices.js';
import { storableText } from '../storable-text.js';
import { countCallTokens, countPromptTokens, countTokens } from './count-tokens.js';
import type { Provider } from './provider.js';
import { chatMessage, chatTool, readToolCalls } from './tool-calls.js';
import { callUpstream, isObject, type Upstream } from './upstream.js';

export interface OpenAiOptions {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey?: string;
  outbound: Outbound;
}

const maxAnswerBytes = 16 * 1024 * 1024;
const maxTokens = 2_147_483_647;

/** Any server that speaks OpenAI's chat completions: whatever model it is asked for is its own affair. */
export function createOpenAi(options: OpenAiOptions): Provider {
  const { baseUrl, apiKey, outbound } = options;
  const upstream: Upstream = { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, outbound };
  return {
    name: 'openai',
    baseUrl: upstream.baseUrl,
    defaultModel: 'gpt-4o-mini',
    knows: model => /^(gpt-|chatgpt-|o\d)/.test(model),

    async complete(model, request, { signal, idempotencyKey }) {
      const answer = await callUpstream(upstream, {
        method: 'POST',
        path: '/chat/completions',
        headers: { 'idempotency-key': idempotencyKey },
        body: chatBody(model, request),
        maxResponseBytes: maxAnswerBytes,
        signal,
      });
      return readAnswer(answer, { model, request, baseUrl: upstream.baseUrl });
    },

    async models(signal) {
      const answer = await callUpstream(upstream, {
        method: 'GET',
        path: '/models',
        maxResponseBytes: maxAnswerBytes,
        signal,
      });
      const listed = isObject(answer) && Array.isArray(answer.data) ? answer.data : [];
      return listed.flatMap(entry => (isObject(entry) && typeof entry.id === 'string' ? [entry.id] : []));
    },
  };
}

function chatBody(model: string, { messages, settings, tools }: ModelRequest): string {
  const { temperature, max_tokens, top_p, response_format } = settings;
  return JSON.stringify({
    model,
    messages: messages.map(chatMessage),
    tools: tools && tools.length > 0 ? tools.map(chatTool) : undefined,
    temperature,
    max_tokens,
    top_p,
    response_format,
  });
}

interface Asked {
  model: string;
  request: ModelRequest;
  baseUrl: string;
}

async function readAnswer(answer: unknown, asked: Asked): Promise<ModelAnswer> {
  const message = messageOf(answer);
  const text = readText(message);
  const toolCalls = readToolCalls(message?.tool_calls);
  const written = countTokens(text ?? '') + countCallTokens(toolCalls);
  const { promptTokens, completionTokens, reported } = readUsage(answer, written, asked.request);
  const { model, baseUrl } = asked;
  const costUsd = await costOf({ provider: 'openai', model, promptTokens, completionTokens, baseUrl });
  const usage = { provider: 'openai', model, promptTokens, completionTokens, costUsd };
  if (toolCalls.length > 0) return { text: storableText(text ?? ''), toolCalls, usage };
  if (text !== undefined) return { text: storableText(text), usage };
  const reason = 'The model provider answered without a message: choices[0].message.content must be a text.';
  // What it reported as used it charges for, whatever became of the text.
  throw new PortError('bad_upstream_answer', reason, reported ? usage : undefined);
}

function messageOf(answer: unknown): Record<string, unknown> | undefined {
  const choice: unknown = isObject(answer) && Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  return isObject(choice) && isObject(choice.message) ? choice.message : undefined;
}

function readText(message: Record<string, unknown> | undefined): string | undefined {
  const content = message?.content ?? message?.refusal;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** As the provider reports it; a report that is missing or makes no sense (negative, fractional) is replaced by a count. */
function readUsage(answer: unknown, written: number, { messages }: ModelRequest) {
  const usage = isObject(answer) && isObject(answer.usage) ? answer.usage : {};
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (isCount(prompt) && isCount(completion))
    return { promptTokens: prompt, completionTokens: completion, reported: true };
  return { promptTokens: countPromptTokens(messages), completionTokens: written, reported: false };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTokens;
}
