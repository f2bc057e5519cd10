import { randomUUID } from 'node:crypto';
import { nowSeconds, type RequestBody, type TokenCounts } from '../../chat/chat-format.js';
import { type CallPart, type CompletionParts, completionParts } from '../completion-parts.js';

export const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** Converts a chat completion to a response. */
export function responseOf(completion: unknown, request: RequestBody): object {
  const parts = completionParts(completion, 'message');
  const output = [
    ...(parts.text === '' && parts.calls.length > 0 ? [] : [messageItem(newId('msg'), parts.text)]),
    ...parts.calls.map(call => callItem(newId('fc'), call)),
  ];
  return response(request, { id: newId('resp'), createdAt: nowSeconds(), ...statusOf(parts.finish), output, ...parts });
}

interface ResponseParts extends Pick<CompletionParts, 'model' | 'usage'> {
  id: string;
  createdAt: number;
  status: 'completed' | 'in_progress' | 'incomplete';
  incompleteReason: string | null;
  output: readonly object[];
}

/** The status of a response by the finish reason of its completion. */
export function statusOf(finish: string | undefined): Pick<ResponseParts, 'status' | 'incompleteReason'> {
  if (finish === 'length') return { status: 'incomplete', incompleteReason: 'max_output_tokens' };
  if (finish === 'content_filter') return { status: 'incomplete', incompleteReason: 'content_filter' };
  return { status: 'completed', incompleteReason: null };
}

/** Builds a response object, with the settings of the request as the API repeats them. */
export function response(request: RequestBody, parts: ResponseParts): object {
  const { id, createdAt, status, incompleteReason, output, model, usage } = parts;
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status,
    background: false,
    error: null,
    incomplete_details: incompleteReason === null ? null : { reason: incompleteReason },
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    model: model ?? request.model,
    output,
    previous_response_id: null,
    reasoning: request.reasoning ?? { effort: null, summary: null },
    store: false,
    truncation: 'disabled',
    usage: usage ? usageOf(usage) : null,
    ...settingsOf(request),
  };
}

function settingsOf(request: RequestBody): object {
  return {
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    temperature: request.temperature ?? null,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  };
}

function usageOf({ promptTokens, completionTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: TokenCounts): object {
  return {
    input_tokens: promptTokens,
    input_tokens_details: {
      cached_tokens: cacheReadTokens,
      ...(cacheWriteTokens > 0 && { cache_creation_tokens: cacheWriteTokens }),
    },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + completionTokens,
  };
}

export function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [] };
}

export function messageItem(id: string, text: string): object {
  return { id, type: 'message', status: 'completed', role: 'assistant', content: [textPart(text)] };
}

export function callItem(id: string, call: CallPart): object {
  const { name = '', arguments: text } = call;
  return { id, type: 'function_call', status: 'completed', call_id: call.id ?? id, name, arguments: text };
}
