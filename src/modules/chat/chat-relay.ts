import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { PortError } from '../../engine/ports.js';
import { toAbortSignal } from '../../platform/async/abort-signal.js';
import { RateLimitedError } from '../../platform/errors/errors.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import { UnsupportedChatError } from '../../providers/llm/chat/chat-error.js';
import { callEndpoint } from '../../providers/llm/endpoints/call-endpoint.js';
import type { Route } from '../../providers/llm/model-router.js';
import type { ChatReply, ProxyRequest } from '../../providers/llm/provider.js';
import { retryAfterMs } from '../../providers/llm/retry-after.js';
import { portErrorOf } from '../../providers/llm/upstream.js';
import { PROVIDER_BUSY } from '../../providers/llm/upstream-provider.js';
import { isTemporary } from '../../providers/llm/with-retries.js';
import { badRequest, chatFailure, timedOut } from './chat-answer.js';
import type { TimeLimit } from './time-limit.js';

/** Time limits and retries of a call. */
export interface ChatLimits {
  /** Limit for the whole response, or for the first byte of a stream. */
  timeoutMs: number;
  /** Limit between two chunks of a stream. */
  idleMs: number;
  /** Retries after a temporary failure (429, 5xx) or a missing response. */
  retries: number;
}

/** A complete response, or a stream that has started. */
export interface RelayedAnswer {
  route: Route;
  reply: ChatReply;
  /** The complete body; null for a stream. */
  whole: Buffer | null;
  /** The first chunk of a stream; undefined if the stream is empty. The body has the others and is paused. */
  first: Buffer | undefined;
}

const BACKOFF_MS = 500;

/** Calls the providers in order until one responds. */
export class ChatRelay {
  constructor(private readonly limits: ChatLimits) {}

  /**
   * Returns the response of the first route. After a temporary failure (429, 5xx, no response) it retries the route, then uses the next.
   * `caller` is the id of a project, or the negative id of a user.
   *
   * @throws ChatRefusal if no route responds
   * @throws RateLimitedError if too many calls of the caller wait for a slot
   */
  async relay(
    routes: readonly Route[],
    request: ProxyRequest,
    limit: TimeLimit,
    caller: number,
  ): Promise<RelayedAnswer> {
    const endsAt = performance.now() + this.limits.timeoutMs;
    for (let at = 0; at < routes.length; at++) {
      const isLastRoute = at === routes.length - 1;
      let delayMs: number | undefined = 0;
      for (let nth = 0; delayMs !== undefined; nth++) {
        try {
          if (delayMs > 0) await setTimeout(delayMs, undefined, { signal: toAbortSignal(limit.signal) });
          const relayedAnswer = await this.#call(routes[at]!, request, limit, caller);
          const { status, headers } = relayedAnswer.reply;
          if (!isTemporary(status)) return relayedAnswer;
          delayMs = this.#retryDelay(nth, endsAt, retryAfterMs(headers));
          if (delayMs === undefined && isLastRoute) return relayedAnswer;
        } catch (error) {
          const refusal = this.#refusalOf(error, limit);
          delayMs = this.#retryDelay(nth, endsAt, undefined);
          if (delayMs === undefined && isLastRoute) throw refusal;
        }
      }
    }
    throw new Error('chat relay called without routes');
  }

  async #call(route: Route, request: ProxyRequest, limit: TimeLimit, caller: number): Promise<RelayedAnswer> {
    const reply = await (request.endpoint
      ? callEndpoint(route.provider, route.model, request, limit.signal, caller)
      : route.provider.chat(route.model, request, limit.signal, caller));
    return Buffer.isBuffer(reply.body) ? wholeReply(route, reply, reply.body) : this.#startStream(route, reply, limit);
  }

  /**
   * Returns the milliseconds from the failure of attempt `nth`, from 0, to the next one with the same route. Undefined:
   * there is none, because the retries are used up or the time limit would expire first. `requestedMs` is the delay that
   * the provider asks for.
   */
  #retryDelay(nth: number, endsAt: number, requestedMs: number | undefined): number | undefined {
    if (nth >= this.limits.retries) return undefined;
    const delayMs = requestedMs ?? BACKOFF_MS * 2 ** nth;
    return performance.now() + delayMs < endsAt ? delayMs : undefined;
  }

  /** Converts a failure that another attempt may avoid. Throws every other error. */
  #refusalOf(error: unknown, limit: TimeLimit): Error {
    if (limit.hasClientGone) throw error;
    if (limit.isExpired) throw timedOut(this.limits.timeoutMs / 1000);
    if (error instanceof UnsupportedChatError) throw badRequest(error.param, error.message, 'unsupported_value');
    const converted = error instanceof OutboundError ? portErrorOf(error, limit.signal) : error;
    if (!(converted instanceof PortError)) throw error;
    if (converted.code === PROVIDER_BUSY)
      throw new RateLimitedError(1, 'Too many of your chat completions are in progress.');
    return chatFailure(converted.code, converted.message);
  }

  /** Reads the first chunk of an event stream, or the whole of any other body. */
  async #startStream(route: Route, reply: ChatReply, limit: TimeLimit): Promise<RelayedAnswer> {
    const body = reply.body as Readable;
    if (reply.status < 300 && isEvents(reply)) {
      const first = await firstChunkOf(body);
      limit.reset(this.limits.idleMs);
      return { route, reply, whole: null, first };
    }
    return wholeReply(route, reply, await buffer(body));
  }
}

function wholeReply(route: Route, reply: ChatReply, whole: Buffer): RelayedAnswer {
  return { route, reply, whole, first: undefined };
}

/** Whether a reply is a stream of server-sent events. */
export const isEvents = ({ headers }: ChatReply) => /^text\/event-stream\b/i.test(headers['content-type'] ?? '');

/** Resolves with the first chunk and pauses the stream; undefined if the stream is empty. Rejects with its error. */
function firstChunkOf(body: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer | string) => {
      body.pause();
      settle();
      resolve(asBuffer(chunk));
    };
    const onEnd = () => {
      settle();
      if (body.readableEnded) resolve(undefined);
      else reject(body.errored ?? new Error('the stream was closed before its first chunk'));
    };
    const settle = () => {
      body.off('data', onData).off('end', onEnd).off('error', reject).off('close', onEnd);
    };
    body.on('end', onEnd).on('error', reject).on('close', onEnd).on('data', onData);
  });
}

export function asBuffer(chunk: Buffer | string): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
