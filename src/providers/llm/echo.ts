import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { MediaRequest } from '../../engine/files/media.js';
import { isObject } from '../../engine/json-value.js';
import { type ModelAnswer, type ModelRequest, PortError, type ToolCall } from '../../engine/ports.js';
import { type AbortSignalLike, toAbortSignal } from '../../platform/async/abort-signal.js';
import { chatErrorType, UnsupportedChatError } from './chat/chat-error.js';
import {
  type ChatBody,
  completionOf,
  isCount,
  type TokenCounts,
  textOf,
  wantsStream,
  wantsUsage,
} from './chat/chat-format.js';
import { ChunkMaker } from './chat/chunk-maker.js';
import { END_OF_STREAM, eventText } from './chat/sse.js';
import { chatTool } from './chat/tool-calls.js';
import { answerAsEcho, type EchoAnswer, type EchoRequest, instructionsOf } from './echo-answer.js';
import { echoMedia } from './echo-media.js';
import { echoVector } from './echo-vector.js';
import { embeddingList, inputTexts } from './endpoints/embeddings.js';
import type { EndpointRequest } from './endpoints/model-endpoint.js';
import { estimateCallTokens, estimatePromptTokens, estimateTokens } from './estimate-tokens.js';
import type { ChatReply, Provider } from './provider.js';

/**
 * The built-in provider, offline and without cost. It responds with the last user message, with a required tool call, or with JSON that
 * conforms to `response_format`. Members of `metadata` make it slow or let it fail.
 */
export const echo: Provider = {
  name: 'echo',
  defaultModel: 'echo',
  knows: model => model === 'echo',
  models: async () => ['echo'],
  async complete(model, request, { signal }) {
    signal.throwIfAborted();
    if (request.embedding) return embeddingAnswer(model, request);
    if (request.media) return mediaAnswer(model, request, request.media);
    const input = echoRequest(request);
    const { delayMs, errorStatus } = instructionsOf(input);
    await pause(delayMs, signal);
    if (errorStatus !== null) throw portErrorOf(errorStatus);
    const answer = orPortError(() => answerAsEcho(input));
    const counts = countsOf(input, answer);
    const usage = { provider: 'echo', model, ...counts, costUsd: '0', finishReason: answer.finishReason };
    return { text: answer.text, ...(answer.toolCalls.length > 0 && { toolCalls: answer.toolCalls }), usage };
  },
  endpoints: { embeddings: true },
  async chat(model, request, signal) {
    signal.throwIfAborted();
    if (request.endpoint) return embeddingsReply(request);
    const { value } = request;
    const input: EchoRequest = { ...value, messages: messagesToEcho(value) };
    const { delayMs, errorStatus } = instructionsOf(input);
    if (errorStatus !== null) {
      await pause(delayMs, signal);
      return errorReply(errorStatus);
    }
    const answer = answerAsEcho(input);
    const used = countsOf(input, answer);
    if (wantsStream(value)) {
      const chunks = events({ request: value, model, answer, used });
      const body = Readable.from(delayMs > 0 ? delayChunks(chunks, delayMs, signal) : chunks, { objectMode: false });
      const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
      return { status: 200, headers, body, usage: () => used };
    }
    await pause(delayMs, signal);
    const tool_calls = answer.toolCalls.map(calledFunction);
    const message = {
      role: 'assistant' as const,
      content: tool_calls.length > 0 ? null : answer.text,
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    const choices = [{ index: 0, message, finish_reason: answer.finishReason }];
    return jsonReply(200, completionOf(`chatcmpl-${randomUUID()}`, model, choices, used));
  },
};

function embeddingAnswer(model: string, { messages, embedding }: ModelRequest): ModelAnswer {
  const vectors = messages.map(({ content }) => echoVector(content, embedding?.dimensions));
  const promptTokens = estimatePromptTokens(messages);
  const usage = { provider: 'echo', model, promptTokens, completionTokens: 0, costUsd: '0' };
  return { text: JSON.stringify(vectors), usage };
}

function mediaAnswer(model: string, { messages }: ModelRequest, media: MediaRequest): ModelAnswer {
  const prompt = messages.map(({ content }) => content).join('\n');
  const usage = {
    provider: 'echo',
    model,
    promptTokens: estimatePromptTokens(messages),
    completionTokens: 0,
    costUsd: '0',
  };
  return { ...echoMedia(media, prompt), usage };
}

function embeddingsReply({ value }: EndpointRequest): ChatReply {
  const texts = inputTexts(value);
  const size = isCount(value.dimensions) ? value.dimensions : undefined;
  const promptTokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const list = embeddingList(
    texts.map(text => echoVector(text, size)),
    value,
    promptTokens,
  );
  return jsonReply(200, list);
}

function echoRequest({ messages, settings, tools = [] }: ModelRequest): EchoRequest {
  const { tool_choice, response_format, metadata } = settings;
  const settingTools = Array.isArray(settings.tools) ? settings.tools : [];
  return { messages, tools: [...tools.map(chatTool), ...settingTools], tool_choice, response_format, metadata };
}

function messagesToEcho({ messages }: ChatBody): { role: string; content: string }[] {
  return messages.filter(isObject).map(({ role, content }) => ({ role: String(role), content: textOf(content) }));
}

function countsOf({ messages }: EchoRequest, { text, toolCalls }: EchoAnswer): TokenCounts {
  return {
    promptTokens: estimatePromptTokens(messages),
    completionTokens: estimateTokens(text) + estimateCallTokens(toolCalls),
  };
}

function calledFunction({ id, name, arguments: args }: ToolCall) {
  return { id, type: 'function' as const, function: { name, arguments: args } };
}

const FAILURE = 'The built-in model failed, because metadata.echo_error asks for it.';

function portErrorOf(status: number): PortError {
  const code = status === 429 ? 'rate_limited_upstream' : 'upstream_error';
  return new PortError(code, `${FAILURE} (status ${status})`);
}

function orPortError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsupportedChatError) throw new PortError('bad_request', error.message, { isFinal: true });
    throw error;
  }
}

function errorReply(status: number): ChatReply {
  const error = { message: FAILURE, type: chatErrorType(status), param: 'metadata', code: 'echo_error' };
  return jsonReply(status, { error });
}

function jsonReply(status: number, body: object): ChatReply {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
}

async function pause(ms: number, signal: AbortSignalLike): Promise<void> {
  if (ms > 0) await setTimeout(ms, undefined, { signal: toAbortSignal(signal) });
}

async function* delayChunks(chunks: Iterable<string>, ms: number, signal: AbortSignalLike): AsyncGenerator<string> {
  for (const chunk of chunks) {
    await pause(ms, signal);
    yield chunk;
  }
}

interface StreamedAnswer {
  request: ChatBody;
  model: string;
  answer: EchoAnswer;
  used: TokenCounts;
}

/** Streams one word of the text, or of the arguments of a tool call, per event. */
function* events({ request, model, answer, used }: StreamedAnswer): Generator<string> {
  const chunks = new ChunkMaker(model);
  const { text, toolCalls, finishReason } = answer;
  const content = toolCalls.length > 0 ? null : '';
  yield eventText(chunks.delta(0, { role: 'assistant', content }));
  for (const word of wordsOf(text)) yield eventText(chunks.delta(0, { content: word }));
  for (const [index, call] of toolCalls.entries()) {
    const { id, type, function: called } = calledFunction(call);
    const start = { index, id, type, function: { name: called.name, arguments: '' } };
    yield eventText(chunks.delta(0, { tool_calls: [start] }));
    for (const word of wordsOf(called.arguments))
      yield eventText(chunks.delta(0, { tool_calls: [{ index, function: { arguments: word } }] }));
  }
  yield eventText(chunks.delta(0, {}, finishReason));
  if (wantsUsage(request)) yield eventText(chunks.usage(used));
  yield END_OF_STREAM;
}

function wordsOf(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [];
}
