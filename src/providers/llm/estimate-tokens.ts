import type { ChatMessage, ModelRequest, ToolCall } from '../../engine/ports.js';

/** Estimates tokens as four bytes each, the average of current vocabularies. Used in advance, and if a provider reports no usage. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Estimated tokens of one image, at the upper end of what providers count. */
const IMAGE_TOKENS = 2_000;

/** Estimated characters of a document in base64 for each token: a page of 60 KB has about 2,000 tokens. */
const CHARACTERS_PER_TOKEN = 40;

/** Estimates the tokens of messages, including images, documents and tool calls. */
export function estimatePromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce(
    (sum, { content, images = [], documents = [], toolCalls = [] }) =>
      sum +
      estimateTokens(content) +
      IMAGE_TOKENS * images.length +
      documents.reduce((tokens, { url }) => tokens + IMAGE_TOKENS + Math.ceil(url.length / CHARACTERS_PER_TOKEN), 0) +
      estimateCallTokens(toolCalls),
    0,
  );
}

/** Estimates the tokens of tool calls. */
export function estimateCallTokens(calls: readonly ToolCall[]): number {
  return calls.reduce((sum, call) => sum + estimateTokens(call.name + call.arguments), 0);
}

/** Estimates the tokens of a prompt, including tool calls and tool definitions. */
export function estimateRequestTokens({ messages, tools = [], settings }: ModelRequest): number {
  const settingTools = Array.isArray(settings.tools) ? settings.tools : [];
  const parts = [...tools, ...settingTools];
  return estimatePromptTokens(messages) + parts.reduce((sum, part) => sum + estimateTokens(JSON.stringify(part)), 0);
}
