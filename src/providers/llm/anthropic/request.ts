import { isObject } from '../../../engine/json-value.js';
import { UnsupportedChatError } from '../chat/chat-error.js';
import { answerLimit, type ChatBody, textOf, wantsStream } from '../chat/chat-format.js';
import {
  argumentsOf,
  formatOf,
  functionsOf,
  messagesOf,
  numberOf,
  type Part,
  partsOf,
  type RequestMessage,
  stopsOf,
  toolChoiceOf,
} from '../chat/content-parts.js';

/** Used if the request has no limit, which Anthropic requires. */
const DEFAULT_MAX_TOKENS = 4096;
/** The tool that returns structured output. It is the only way that works with every model. */
export const ANSWER_TOOL = 'answer_as_json';

/** Anthropic's minimum for a budget of reasoning. */
const MIN_REASONING_TOKENS = 1024;
/** The budget of reasoning for each `reasoning_effort`. */
const REASONING_TOKENS: Readonly<Record<string, number | undefined>> = {
  minimal: MIN_REASONING_TOKENS,
  low: MIN_REASONING_TOKENS,
  medium: 8192,
  high: 24_576,
  xhigh: 32_000,
};

type Block = Record<string, unknown>;

/** Converts a chat request to the body of Anthropic's `POST /messages`. Throws UnsupportedChatError. */
export function anthropicRequest(model: string, body: ChatBody): Record<string, unknown> {
  if (typeof body.n === 'number' && body.n > 1)
    throw new UnsupportedChatError('n', 'n must be 1: this provider returns one choice.');
  const messages = messagesOf(body.messages);
  const format = formatOf(body.response_format);
  const system = messages.filter(isSystem).map(({ content }) => textOf(content));
  if (format && !format.schema) system.push('Answer with one JSON object and nothing else.');
  const temperature = numberOf(body.temperature);
  const reasoning = reasoningOf(body, format?.schema !== undefined);
  return {
    model,
    max_tokens: answerLimit(body) ?? DEFAULT_MAX_TOKENS + (reasoning?.budget_tokens ?? 0),
    system: system.length > 0 ? system.map(text => ({ type: 'text', text })) : undefined,
    messages: turnsOf(messages.filter(message => !isSystem(message))),
    temperature: temperature === undefined ? undefined : Math.min(temperature, 1),
    top_p: numberOf(body.top_p),
    top_k: numberOf(body.top_k),
    thinking: body.thinking ?? reasoning,
    stop_sequences: stopsOf(body.stop),
    metadata: typeof body.user === 'string' ? { user_id: body.user } : undefined,
    stream: wantsStream(body) || undefined,
    ...toolsOf(body, format?.schema),
  };
}

interface Reasoning {
  type: 'enabled';
  budget_tokens: number;
}

/** Converts `reasoning_effort` to a budget within `max_tokens`. Anthropic rejects reasoning with the refused combinations. */
function reasoningOf(body: ChatBody, hasSchema: boolean): Reasoning | undefined {
  const budget = REASONING_TOKENS[String(body.reasoning_effort)];
  if (budget === undefined || body.thinking != null) return undefined;
  const temperature = numberOf(body.temperature) ?? 1;
  if (temperature !== 1 || hasSchema || functionsOf(body.tools).length > 0) {
    const message =
      'This provider does not combine reasoning_effort with tools, a json_schema or a temperature other than 1.';
    throw new UnsupportedChatError('reasoning_effort', message);
  }
  const limit = answerLimit(body) ?? Number.POSITIVE_INFINITY;
  if (limit <= MIN_REASONING_TOKENS) {
    const message = `reasoning_effort needs max_tokens of more than ${MIN_REASONING_TOKENS}.`;
    throw new UnsupportedChatError('reasoning_effort', message);
  }
  return { type: 'enabled', budget_tokens: Math.min(budget, limit - 1) };
}

function isSystem({ role }: RequestMessage): boolean {
  return role === 'system' || role === 'developer';
}

/** Merges adjacent messages of one role, because Anthropic requires alternating roles. Tool results belong to the user. */
function turnsOf(messages: RequestMessage[]): { role: string; content: Block[] }[] {
  const turns: { role: string; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

function blocksOf({ role, content, at, message }: RequestMessage): Block[] {
  if (role === 'tool' || role === 'function') {
    const id = typeof message.tool_call_id === 'string' ? message.tool_call_id : String(message.name ?? '');
    return [{ type: 'tool_result', tool_use_id: id, content: resultContentOf(content, at) }];
  }
  const blocks = partsOf(content, at).map(blockOf);
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return [...blocks, ...calls.flatMap(callOf)];
}

/** The content of a tool result: one string if it has only text. */
function resultContentOf(content: unknown, at: string): string | Block[] {
  const parts = partsOf(content, at);
  const texts = parts.flatMap(part => (part.kind === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('') : parts.map(blockOf);
}

function blockOf(part: Part): Block {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const source =
    part.kind === 'url'
      ? { type: 'url', url: part.url }
      : { type: 'base64', media_type: part.mediaType, data: part.base64 };
  const isDocument = part.kind === 'data' && part.mediaType === 'application/pdf';
  return { type: isDocument ? 'document' : 'image', source };
}

function callOf(call: unknown): Block[] {
  if (!isObject(call) || !isObject(call.function)) return [];
  const { name, arguments: args } = call.function;
  return [{ type: 'tool_use', id: call.id, name, input: argumentsOf(args) }];
}

function toolsOf(body: ChatBody, schema: Record<string, unknown> | undefined): Record<string, unknown> {
  const tools = functionsOf(body.tools).map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  if (schema) {
    const answer = { name: ANSWER_TOOL, description: 'Gives the final answer.', input_schema: schema };
    const choice = tools.length > 0 ? { type: 'any' } : { type: 'tool', name: ANSWER_TOOL };
    return { tools: [...tools, answer], tool_choice: choice };
  }
  if (tools.length === 0) return {};
  const choice = toolChoiceOf(body.tool_choice);
  const parallelism = body.parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {};
  if (choice === 'none') return { tools, tool_choice: { type: 'none' } };
  if (choice === 'required') return { tools, tool_choice: { type: 'any', ...parallelism } };
  if (choice !== 'auto') return { tools, tool_choice: { type: 'tool', name: choice.name, ...parallelism } };
  return { tools, ...(body.parallel_tool_calls === false ? { tool_choice: { type: 'auto', ...parallelism } } : {}) };
}
