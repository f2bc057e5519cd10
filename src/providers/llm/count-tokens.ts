import type { ChatMessage, ModelRequest } from '../../engine/ports.js';

/** A token of today's vocabularies is four bytes of text on average. For where a provider reports no usage. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

export function countPromptTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + countTokens(content), 0);
}

/** Of all that goes into the prompt: what was said, what was asked for, and the tools that are offered. */
export function countRequestTokens({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number {
  const asked = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  const beside = [...asked, ...(tools ?? [])].reduce((sum, part) => sum + countTokens(JSON.stringify(part)), 0);
  return countPromptTokens(messages) + beside;
}
