import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { isObject } from '../../engine/json-value.js';
import { type ChatBody, completionOf, textOf, wantsStream, wantsUsage } from './chat/chat-format.js';
import { ChunkMaker } from './chat/chunk-maker.js';
import { END_OF_STREAM, eventText } from './chat/sse.js';
import { countPromptTokens, countTokens } from './count-tokens.js';
import type { Provider } from './provider.js';

/** The built-in provider: responds with the last user message, offline and without cost. */
export const echo: Provider = {
  name: 'echo',
  defaultModel: 'echo',
  knows: model => model === 'echo',
  models: async () => ['echo'],
  async complete(model, { messages }, { signal }) {
    signal.throwIfAborted();
    const text = lastUserText(messages);
    return { text, usage: { provider: 'echo', model, ...countsOf(messages, text), costUsd: '0' } };
  },
  async chat(model, { value }, signal) {
    signal.throwIfAborted();
    const messages = messagesToEcho(value);
    const text = lastUserText(messages);
    const used = countsOf(messages, text);
    if (wantsStream(value))
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8' },
        body: Readable.from(events(value, model, text, used), { objectMode: false }),
        usage: () => used,
      };
    const message = { role: 'assistant' as const, content: text };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const completion = completionOf(`chatcmpl-${randomUUID()}`, model, choices, used);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(completion)),
    };
  },
};

interface EchoMessage {
  role: string;
  content: string;
}

function messagesToEcho({ messages }: ChatBody): EchoMessage[] {
  return messages.filter(isObject).map(({ role, content }) => ({ role: String(role), content: textOf(content) }));
}

function lastUserText(messages: readonly EchoMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? messages.at(-1)?.content ?? '';
}

function countsOf(messages: readonly EchoMessage[], text: string) {
  return { promptTokens: countPromptTokens(messages), completionTokens: countTokens(text) };
}

/** Streams one word per event. */
function* events(request: ChatBody, model: string, text: string, used: ReturnType<typeof countsOf>): Generator<string> {
  const chunks = new ChunkMaker(model);
  yield eventText(chunks.delta(0, { role: 'assistant', content: '' }));
  for (const word of text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? []) yield eventText(chunks.delta(0, { content: word }));
  yield eventText(chunks.delta(0, {}, 'stop'));
  if (wantsUsage(request)) yield eventText(chunks.usage(used));
  yield END_OF_STREAM;
}
