import type { ChatMessage } from '../../engine/ports.js';

/** A token of today's vocabularies is four bytes of text on average. For where a provider reports no usage. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

export function countPromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + countTokens(content), 0);
}
