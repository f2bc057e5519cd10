import type { ChatMessage, ModelRequest, ToolCall } from '../../engine/ports.js';

/** Estimates tokens as four bytes each, the average of current vocabularies. Used if a provider reports no usage. */
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

/** Estimates the tokens of a prompt, including tool calls and tool definitions. */
export function countRequestTokens({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number {
  const toolTokens = (tools ?? []).reduce((sum, part) => sum + countTokens(JSON.stringify(part)), 0);
  return countPromptTokens(messages) + toolTokens;
}
