import { randomUUID } from 'node:crypto';
import { tryParseJson } from '../../../../platform/json/try-parse-json.js';
import type { RequestBody, TokenCounts } from '../../chat/chat-format.js';
import { completionParts } from '../completion-parts.js';

export const newMessageId = () => `msg_${randomUUID().replaceAll('-', '')}`;

/** Converts a chat completion to a message. */
export function messageOf(completion: unknown, request: RequestBody): object {
  const { text, calls, finish, model, usage } = completionParts(completion, 'message');
  const tools = calls.map(({ id, name, arguments: input }, index) => ({
    type: 'tool_use',
    id: id ?? `toolu_${index}`,
    name: name ?? '',
    input: tryParseJson(input) ?? {},
  }));
  return {
    id: newMessageId(),
    type: 'message',
    role: 'assistant',
    model: model ?? request.model,
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...tools],
    stop_reason: stopReasonOf(finish),
    stop_sequence: null,
    usage: anthropicUsage(usage),
  };
}

const stopReasons: Record<string, string> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Converts a finish reason of the chat format. */
export function stopReasonOf(finish: string | undefined): string {
  return stopReasons[finish ?? ''] ?? 'end_turn';
}

/** Anthropic's `input_tokens` excludes cached tokens, which the chat format includes. */
export function anthropicUsage(used: TokenCounts | undefined): object {
  const { promptTokens = 0, completionTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = used ?? {};
  return {
    input_tokens: promptTokens - cacheReadTokens - cacheWriteTokens,
    output_tokens: completionTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
  };
}
