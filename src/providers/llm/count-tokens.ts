import type { ChatMessage, ToolCall } from '../../engine/ports.js';

/** A token of today's vocabularies is four bytes of text on average. For where a provider reports no usage. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

export function countPromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce(
    (sum, { content, toolCalls = [] }) => sum + countTokens(content) + countCallTokens(toolCalls),
    0,
  );
}

export function countCallTokens(calls: readonly ToolCall[]): number {
  return calls.reduce((sum, call) => sum + countTokens(call.name + call.arguments), 0);
}
