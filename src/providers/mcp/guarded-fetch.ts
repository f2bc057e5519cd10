import type { RedirectCheck } from '../../platform/outbound/calls.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { protocolError } from './failure.js';

/** Maximum bytes that a server may send in one session. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Time limit of each request that closes a session. */
export const CLOSING_MS = 1_000;

/** The signal that ends a session, and the function that ends it with a failure. */
export interface SessionEnd {
  readonly signal: AbortSignal;
  fail(reason: Error): void;
}

/** `fetch` for one session. It aborts when the session ends, limits the received bytes, and records the last network failure. */
export class GuardedFetch {
  failure: OutboundError | undefined;
  /** Requests that close a session are sent after it has ended. */
  isClosing = false;
  #remainingBytes = MAX_BYTES;

  constructor(
    private readonly outbound: Outbound,
    private readonly end: SessionEnd,
    private readonly checkRedirect?: RedirectCheck,
  ) {}

  readonly call: Outbound['fetch'] = (input, init) => this.callOnce(input, { ...init, redirect: 'follow' });

  /** Like `call`, with the given `redirect`. */
  readonly callOnce: Outbound['fetch'] = async (input, init) => {
    const sessionSignal = this.isClosing ? AbortSignal.timeout(CLOSING_MS) : this.end.signal;
    const signal = init?.signal ? AbortSignal.any([init.signal, sessionSignal]) : sessionSignal;
    try {
      return this.#limitSize(await this.outbound.fetch(input, { ...init, signal, checkRedirect: this.checkRedirect }));
    } catch (error) {
      if (error instanceof OutboundError) this.failure = error;
      throw error;
    }
  };

  #limitSize(response: Response): Response {
    if (!response.body) return response;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.#remainingBytes -= chunk.byteLength;
        if (this.#remainingBytes >= 0) return controller.enqueue(chunk);
        const error = protocolError(`it sent more than ${MAX_BYTES} bytes`);
        this.end.fail(error);
        controller.error(error);
      },
    });
    const { status, statusText, headers, url, redirected } = response;
    const limited = new Response(response.body.pipeThrough(counter), { status, statusText, headers });
    return Object.defineProperties(limited, { url: { value: url }, redirected: { value: redirected } });
  }
}
