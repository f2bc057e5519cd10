import { Readable } from 'node:stream';
import type { ChatMeter } from '../../providers/llm/chat/chat-meter.js';
import { eventText } from '../../providers/llm/chat/sse.js';
import type { ModelEndpoint } from '../../providers/llm/endpoints/model-endpoint.js';
import { chatFailure } from './chat-answer.js';
import { asBuffer, type RelayedAnswer } from './chat-relay.js';
import type { TimeLimit } from './time-limit.js';

/** How a stream ended: completely, broken off by the provider, or left by the client. */
export type StreamEnd = 'complete' | 'broken' | 'left';

interface StreamParts {
  relayedAnswer: RelayedAnswer;
  meter: ChatMeter;
  limit: TimeLimit;
  /** The called API, which decides the format of errors. Default: chat completions. */
  endpoint?: ModelEndpoint | undefined;
  /** Called exactly once. */
  onEnd: (end: StreamEnd) => void;
}

/** Relays the stream of a provider to the client, unchanged and with backpressure. */
export function chatStream(parts: StreamParts): Readable {
  return new RelayStream(parts);
}

/** Passes each chunk on in the turn of the event loop in which it arrives. */
class RelayStream extends Readable {
  readonly #source: Readable;
  #last: Buffer | undefined;
  #end: StreamEnd = 'left';

  constructor(private readonly parts: StreamParts) {
    super();
    const { first, reply } = parts.relayedAnswer;
    // An error before the response listens must not end the process.
    this.on('error', () => {});
    this.#source = reply.body as Readable;
    if (first) this.#pass(first);
    this.#source
      .on('data', (chunk: Buffer | string) => this.#pass(asBuffer(chunk)))
      .once('end', () => this.#complete())
      .once('error', error => this.#breakOff(error))
      .once('close', () => this.#onSourceClosed())
      .pause();
    if (this.#source.readableEnded) this.#complete();
    else if (this.#source.closed) this.#onSourceClosed();
  }

  override _read(): void {
    if (!this.#source.isPaused()) return;
    this.parts.limit.touch();
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const { limit, onEnd } = this.parts;
    this.#source.destroy();
    limit.release();
    callback(error);
    onEnd(this.#end);
  }

  #pass(chunk: Buffer): void {
    if (this.destroyed) return;
    const { meter, limit } = this.parts;
    this.#last = chunk;
    meter.readEvents(chunk);
    limit.touch();
    if (!this.push(chunk)) this.#source.pause();
  }

  #complete(): void {
    if (this.#end !== 'left') return;
    this.#end = 'complete';
    this.push(null);
  }

  #onSourceClosed(): void {
    const { errored } = this.#source;
    if (this.#end === 'left' && !this.destroyed) this.#breakOff(errored ?? new Error('the stream was closed early'));
  }

  #breakOff(error: Error): void {
    if (this.#end !== 'left' || this.destroyed) return;
    const { limit, endpoint } = this.parts;
    if (limit.hasClientGone) {
      this.push(null);
      return;
    }
    this.#end = 'broken';
    // An error event can only follow a complete event.
    if (!endsEvent(this.#last)) {
      this.destroy(error);
      return;
    }
    const { error: chatError } = chatFailure('upstream_broke_off', 'The model provider broke off its answer.');
    this.push(Buffer.from(endpoint ? endpoint.errorEvent(chatError) : eventText({ error: chatError })));
    this.push(null);
  }
}

function endsEvent(chunk: Buffer | undefined): boolean {
  const end = chunk?.subarray(-4).toString('latin1') ?? '';
  return end.endsWith('\n\n') || end.endsWith('\r\n\r\n');
}
