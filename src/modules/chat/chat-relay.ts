import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { PortError } from '../../engine/ports.js';
import { toAbortSignal } from '../../platform/async/abort-signal.js';
import { RateLimitedError } from '../../platform/errors/errors.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import { UnsupportedChatError } from '../../providers/llm/chat/chat-error.js';
import type { ChatRequest } from '../../providers/llm/chat/chat-format.js';
import type { Route } from '../../providers/llm/model-router.js';
import type { ChatReply } from '../../providers/llm/provider.js';
import { retryAfterMs } from '../../providers/llm/retry-after.js';
import { portErrorOf } from '../../providers/llm/upstream.js';
import { PROVIDER_BUSY } from '../../providers/llm/upstream-provider.js';
import { isPassing } from '../../providers/llm/with-retries.js';
import { badRequest, chatFailure, timedOut } from './chat-answer.js';
import type { TimeLimit } from './time-limit.js';

export interface ChatLimits {
  /** For the whole answer; of a stream for its first byte. */
  timeoutMs: number;
  /** Between two bytes of a stream. */
  idleMs: number;
  /** Further tries of what a provider refuses for the moment (429, 5xx) or does not answer. */
  retries: number;
}

/** An answer that is there, or has begun. */
export interface RelayedAnswer {
  route: Route;
  reply: ChatReply;
  /** The whole of it; null: it is a stream. */
  whole: Buffer | null;
  /** Of a stream: its first bytes (undefined: it has none), and what comes after them. */
  first: Buffer | undefined;
  rest: AsyncIterator<Buffer>;
}

const BACKOFF_MS = 500;

/** Asks the providers, one after the other, until one answers. */
export class ChatRelay {
  constructor(private readonly limits: ChatLimits) {}

  /**
   * What the first route answers; of what passes (429, 5xx, no answer) after the retries what the next one does. Throws a ChatRefusal,
   * and a RateLimitedError when too many calls of the caller wait. `caller`: a project's id, or a user's as a negative number.
   */
  async ask(routes: readonly Route[], request: ChatRequest, limit: TimeLimit, caller: number): Promise<RelayedAnswer> {
    const tries = this.limits.retries + 1;
    const most = routes.length * tries;
    for (let index = 0; index < most; index++) {
      const isLast = index === most - 1;
      try {
        const route = routes[Math.floor(index / tries)]!;
        const reply = await route.provider.chat(route.model, request, limit.signal, caller);
        const arrived = Buffer.isBuffer(reply.body)
          ? wholeReply(route, reply, reply.body)
          : await this.#begun(route, reply, limit);
        if (isLast || !isPassing(arrived.reply.status)) return arrived;
        await this.#pause(index, limit, retryAfterMs(arrived.reply.headers));
      } catch (error) {
        if (limit.hasClientGone) throw error;
        if (limit.isExpired) throw timedOut(this.limits.timeoutMs / 1000);
        if (error instanceof UnsupportedChatError) throw badRequest(error.param, error.message, 'unsupported_value');
        const told = refusalOf(error, limit);
        if (isLast) throw told;
        await this.#pause(index, limit, undefined).catch(() => {
          throw told;
        });
      }
    }
    throw new Error('there is no route');
  }

  /** Before the same provider is asked again; the next one has done nothing that calls for patience. */
  async #pause(index: number, limit: TimeLimit, asked: number | undefined): Promise<void> {
    const { retries } = this.limits;
    const nth = index % (retries + 1);
    if (nth === retries) return;
    await setTimeout(asked ?? BACKOFF_MS * 2 ** nth, undefined, { signal: toAbortSignal(limit.signal) });
  }

  /** Of what comes as a stream: of events the first, of anything else all. */
  async #begun(route: Route, reply: ChatReply, limit: TimeLimit): Promise<RelayedAnswer> {
    const body = reply.body as Readable;
    if (reply.status < 300 && isEvents(reply)) {
      const rest = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      const { value: first, done } = await rest.next();
      limit.reset(this.limits.idleMs);
      return { route, reply, whole: null, first: done ? undefined : asBuffer(first), rest };
    }
    return wholeReply(route, reply, await buffer(body));
  }
}

function wholeReply(route: Route, reply: ChatReply, whole: Buffer): RelayedAnswer {
  return { route, reply, whole, first: undefined, rest: nothing };
}

export const isEvents = ({ headers }: ChatReply) => /^text\/event-stream\b/i.test(headers['content-type'] ?? '');

const nothing: AsyncIterator<Buffer> = { next: async () => ({ done: true, value: undefined }) };

export function asBuffer(chunk: Buffer | string): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** What went wrong between us and the provider; anything else is a fault of ours and thrown on. */
function refusalOf(error: unknown, limit: TimeLimit): Error {
  const known = error instanceof OutboundError ? portErrorOf(error, limit.signal) : error;
  if (!(known instanceof PortError)) throw error;
  if (known.code === PROVIDER_BUSY) throw new RateLimitedError(1, 'Too many chat completions are under way for you.');
  return chatFailure(known.code, known.message);
}
