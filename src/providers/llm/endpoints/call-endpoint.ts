import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { isObject } from '../../../engine/json-value.js';
import { PortError } from '../../../engine/ports.js';
import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import { tryParseJson } from '../../../platform/json/try-parse-json.js';
import { chatErrorOf, UnsupportedChatError } from '../chat/chat-error.js';
import type { ChatReply, Provider } from '../provider.js';
import { portErrorOf } from '../upstream.js';
import { EndpointEvents } from './endpoint-events.js';
import type { EndpointRequest, EndpointTranslation } from './model-endpoint.js';

/** Upstreams that lack an API, as `<name of the API> <base URL>`. They are asked again after this time. */
const MISSING_MS = 600_000;
const missingEndpoints = new LRUCache<string, true>({ max: 1_000, ttl: MISSING_MS });

/** Calls an API of a provider: unchanged if the provider has the API, otherwise translated to chat completions. */
export async function callEndpoint(
  provider: Provider,
  model: string,
  request: EndpointRequest,
  signal: AbortSignalLike,
  caller: number,
): Promise<ChatReply> {
  const { endpoint } = request;
  const key = `${endpoint.name} ${provider.baseUrl}`;
  if (provider.endpoints?.[endpoint.name] && !missingEndpoints.has(key)) {
    const reply = await provider.chat(model, request, signal, caller);
    if (endpoint.translation === null || !MISSING_STATUSES.has(reply.status)) return reply;
    const body = await bytesOf(reply, signal);
    if (!isUnknownPath(reply.status, body)) return { ...reply, body };
    missingEndpoints.set(key, true);
  }
  if (endpoint.translation === null)
    throw new UnsupportedChatError('model', `The provider ${provider.name} has no ${endpoint.name}.`);
  const chat = endpoint.translation.request(request.value, model);
  const reply = await provider.chat(model, { value: chat, text: JSON.stringify(chat) }, signal, caller);
  return translate(request, endpoint.translation, reply, signal);
}

/** Statuses of a server that may lack the API. */
const MISSING_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);

/** Whether the status concerns the path. A 404 that names a parameter or a missing object concerns the request. */
function isUnknownPath(status: number, body: Buffer): boolean {
  if (status !== 404) return true;
  const parsed = tryParseJson(body.toString('utf8'));
  const { code, param } = isObject(parsed) && isObject(parsed.error) ? parsed.error : {};
  return typeof param !== 'string' && (typeof code !== 'string' || code === 'unknown_url' || code === 'not_found');
}

async function translate(
  { endpoint, value }: EndpointRequest,
  translation: EndpointTranslation,
  reply: ChatReply,
  signal: AbortSignalLike,
): Promise<ChatReply> {
  const { status, headers } = reply;
  if (status < 300 && !Buffer.isBuffer(reply.body) && /^text\/event-stream\b/i.test(headers['content-type'] ?? '')) {
    const events = new EndpointEvents(translation.stream(value), endpoint);
    return {
      ...reply,
      headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' },
      body: pipeline(reply.body, events, () => {}),
    };
  }
  const parsed = tryParseJson((await bytesOf(reply, signal)).toString('utf8'));
  if (status < 300 && parsed === undefined)
    throw new PortError('bad_upstream_answer', 'The model provider did not answer with JSON.');
  const body = status < 300 ? translation.answer(parsed, value) : endpoint.error(status, chatErrorOf(status, parsed));
  return {
    ...reply,
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

async function bytesOf({ body }: ChatReply, signal: AbortSignalLike): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  return buffer(body).catch((error: unknown) => {
    throw portErrorOf(error, signal);
  });
}
