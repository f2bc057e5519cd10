import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ModelParameterName, refusedParametersOf } from '../../engine/model-parameters.js';
import { type CallContext, type ModelSettings, PortError } from '../../engine/ports.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import { tryParseJson } from '../../platform/json/try-parse-json.js';
import { memoize } from '../../platform/memory/memoize.js';
import type { Headers } from '../../platform/outbound/headers.js';
import type { OutboundAnswer } from '../../platform/outbound/outbound.js';
import { type FairQueue, QueueFullError } from '../../platform/scheduling/fair-queue.js';
import { inSlot } from '../in-slot.js';
import { UnsupportedChatError } from './chat/chat-error.js';
import { type ChatRequest, wantsStream } from './chat/chat-format.js';
import { chatRequest, readAnswer } from './chat/model-answer.js';
import type { EndpointFormat, ProviderProtocol, Translation } from './chat/provider-protocol.js';
import { TranslatedStream } from './chat/translated-stream.js';
import { embed } from './endpoints/embed.js';
import { createMedia, type MediaContent } from './endpoints/media.js';
import type { EndpointRequest } from './endpoints/model-endpoint.js';
import type { ChatReply, Provider, ProxyRequest } from './provider.js';
import { callUpstream, callUpstreamForBytes, headersOf, portErrorOf, type Upstream, withoutKey } from './upstream.js';
import { type RetryPolicy, withRetries } from './with-retries.js';

export interface UpstreamProviderOptions {
  protocol: ProviderProtocol;
  upstream: Omit<Upstream, 'credentials'>;
  isOwn: boolean;
  /** Retries for nodes and messages. The chat proxy makes its own. */
  retry: RetryPolicy;
  /** Slots of calls for nodes and messages. */
  slots: FairQueue;
  /** Slots of chat proxy calls. A stream occupies its slot until it ends. */
  chatSlots: FairQueue;
}

/** Error code if too many calls of the project or caller wait. */
export const PROVIDER_BUSY = 'provider_busy';
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Higher for streams, which are not buffered. */
const MAX_STREAM_BYTES = 1024 * 1024 * 1024;
/** Time limit of one attempt. Nodes and messages also have their own limits. */
const ATTEMPT_MS = 600_000;
/** Response headers that are forwarded to the client. */
const FORWARDED_HEADERS = ['content-type', 'retry-after', 'retry-after-ms', 'x-should-retry'];
/** Response headers that are forwarded with status 429. */
const RATE_LIMIT_HEADER = /^(?:x|anthropic)-ratelimit-/;

/** Creates a provider that calls an HTTP upstream in the protocol of the provider. */
export function createUpstreamProvider(options: UpstreamProviderOptions): Provider {
  const { protocol, isOwn, retry, slots, chatSlots } = options;
  const { name, seller, conventionalName, defaultModel, knows, refusedParameters = [] } = protocol;
  const { translation, endpoints = {}, headers = {} } = protocol;
  const upstream: Upstream = { ...options.upstream, credentials: protocol.credentials };
  const { baseUrl, outbound } = upstream;
  const { forCompleteResponses, forStreams } = chatHeaders(upstream, headers);
  const urlOf = memoize(path => baseUrl + path);
  return {
    ...{ name, seller, conventionalName, baseUrl, isOwn, defaultModel, knows, refusedParameters, endpoints },

    async complete(model, request, call, projectId) {
      // Each attempt waits for a slot of its own, so that no slot is occupied during the delay of a retry.
      const withSlot = <T>(attempt: () => Promise<T>) =>
        withRetries(retry, call.signal, () => inSlot(slots, projectId, call, PROVIDER_BUSY, attempt));
      const post = (content: ProviderContent) =>
        withSlot(() => callUpstream(upstream, upstreamCall(content, headers, call)));
      const source = { provider: name, seller, model, request, baseUrl, isOwn };
      if (request.embedding) return embed(protocol, source, post);
      const postForBytes = (content: MediaContent) =>
        withSlot(() => callUpstreamForBytes(upstream, upstreamCall(content, { ...headers, ...content.headers }, call)));
      if (request.media)
        return createMedia(protocol, { ...source, media: request.media, key: call.idempotencyKey }, postForBytes);
      assertParameters(name, request.settings, refusedParameters);
      const chat = chatRequest(model, request);
      const body = await post(toProviderRequest(protocol, model, chat));
      return readAnswer(translation ? translation.answer(body, chat.value) : body, source);
    },

    async chat(model, request, signal, caller) {
      const isStream = wantsStream(request.value);
      const { path, body, translation: replyTranslation } = upstreamRequestOf(protocol, model, request);
      const upstreamRequest = {
        method: 'POST',
        url: urlOf(path),
        body,
        headers: withOwn(isStream ? forStreams : forCompleteResponses, request),
        maxResponseBytes: isStream ? MAX_STREAM_BYTES : MAX_ANSWER_BYTES,
        signal,
      };
      // `tryAcquire` is synchronous, so that a free slot adds no delay.
      if (!chatSlots.tryAcquire(caller)) await chatSlots.acquire(caller, signal).catch(throwBusy);
      let answer: OutboundAnswer<Buffer | Readable>;
      try {
        answer = await (isStream ? outbound.open(upstreamRequest) : outbound.request(upstreamRequest));
      } catch (error) {
        chatSlots.release(caller);
        throw portErrorOf(error, signal);
      }
      releaseAtEnd(answer.body, () => chatSlots.release(caller));
      const reply = replyOf(answer, upstream);
      return replyTranslation ? translateReply(replyTranslation, reply, { model, request, signal }) : reply;
    },

    async models(signal) {
      const call = { method: 'GET' as const, path: protocol.modelsPath, headers, maxResponseBytes: MAX_ANSWER_BYTES };
      return protocol.readModels(await callUpstream(upstream, { ...call, signal }));
    },
  };
}

type ProviderContent = ReturnType<ProviderProtocol['buildRequest']>;

/** Builds the call of a node or message. */
function upstreamCall({ path, body }: ProviderContent, headers: Record<string, string>, call: CallContext) {
  return {
    ...{ method: 'POST' as const, path, body },
    headers: { ...headers, 'idempotency-key': call.idempotencyKey },
    ...{ maxResponseBytes: MAX_ANSWER_BYTES, timeoutMs: ATTEMPT_MS, signal: call.signal },
  };
}

function replyOf({ status, headers, body }: OutboundAnswer<Buffer | Readable>, upstream: Upstream): ChatReply {
  return { status, headers: forwardedHeaders(status, headers), body: withoutKey(body, upstream) };
}

/** Builds the request headers. Compression is disabled, because a compressed stream is delivered in large blocks. */
function chatHeaders(upstream: Upstream, headers: Record<string, string>) {
  const uncompressed = { ...headers, 'accept-encoding': 'identity' };
  return {
    forCompleteResponses: Object.freeze(headersOf(upstream, uncompressed)),
    forStreams: Object.freeze(headersOf(upstream, { ...uncompressed, accept: 'text/event-stream, application/json' })),
  };
}

/** Adds the headers of the request. */
function withOwn(usual: Headers, { headers }: ProxyRequest): Headers {
  return headers ? { ...usual, ...headers } : usual;
}

/** Releases the slot of a complete response immediately, and of a stream when it ends. */
function releaseAtEnd(body: Buffer | Readable, release: () => void): void {
  if (Buffer.isBuffer(body) || body.closed) release();
  else body.once('close', release);
}

function throwBusy(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw new PortError(PROVIDER_BUSY, 'Too many calls wait for the model provider. Try again later.');
}

/** Builds the request in the format of its API. `translation` converts the response. */
function upstreamRequestOf(protocol: ProviderProtocol, model: string, request: ProxyRequest) {
  if (!request.endpoint) return { ...protocol.buildRequest(model, request), translation: protocol.translation };
  const format = endpointFormat(protocol, request);
  return { ...format.buildRequest(model, request), translation: format.translation };
}

function endpointFormat({ name, endpoints = {} }: ProviderProtocol, { endpoint }: EndpointRequest): EndpointFormat {
  const format = endpoints[endpoint.name];
  if (!format) throw new Error(`${name} has no ${endpoint.name}`);
  return format;
}

function forwardedHeaders(status: number, headers: Record<string, string>): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const header of FORWARDED_HEADERS) {
    const value = headers[header];
    if (value !== undefined) forwarded[header] = value;
  }
  if (status === 429)
    for (const [header, value] of Object.entries(headers))
      if (RATE_LIMIT_HEADER.test(header)) forwarded[header] = value;
  return forwarded;
}

/** Throws the PortError `bad_request` with the names of the parameters that the provider cannot express. */
function assertParameters(provider: string, settings: ModelSettings, refused: readonly ModelParameterName[]): void {
  const names = refusedParametersOf(settings, refused);
  if (names.length === 0) return;
  const message = `The provider ${provider} does not support ${names.join(', ')}. Remove it or choose another model.`;
  throw new PortError('bad_request', message, { isFinal: true });
}

function toProviderRequest(protocol: ProviderProtocol, model: string, request: ChatRequest): ProviderContent {
  try {
    return protocol.buildRequest(model, request);
  } catch (error) {
    if (error instanceof UnsupportedChatError) throw new PortError('bad_request', error.message, { isFinal: true });
    throw error;
  }
}

interface UpstreamRequest {
  model: string;
  request: ProxyRequest;
  signal: AbortSignalLike;
}

async function translateReply(translation: Translation, reply: ChatReply, call: UpstreamRequest): Promise<ChatReply> {
  const { status, headers, body } = reply;
  const { model, request, signal } = call;
  const isEvents = /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
  if (status < 300 && isEvents && !Buffer.isBuffer(body) && translation.stream) {
    const stream = translation.stream(model, request.value);
    const events = new TranslatedStream(stream, request.value);
    return {
      status,
      headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' },
      body: pipeline(body, events, () => {}),
      usage: () => stream.usage(),
    };
  }
  const bytes = await bytesOf(body).catch((error: unknown) => {
    throw portErrorOf(error, signal);
  });
  const parsed = tryParseJson(bytes.toString('utf8'));
  if (status < 300 && parsed === undefined)
    throw new PortError('bad_upstream_answer', 'The model provider did not answer with JSON.');
  const result = status < 300 ? translation.answer(parsed, request.value) : translation.error(status, parsed);
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(result)),
  };
}

async function bytesOf(body: ChatReply['body']): Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : buffer(body);
}
