import type { ServerResponse } from 'node:http';
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import type { StreamFormat } from './stream-formats.js';

/** Interval of heartbeats. A client that reads nothing for one interval, while data waits for it, is disconnected. */
const HEARTBEAT_MS = 12_000;

type Results = AsyncIterator<FormattedExecutionResult>;

/** An HTTP response that carries the results of one operation. Results must be read only when `whenWritable` has resolved. */
export class ResultStream {
  readonly #timer: NodeJS.Timeout;
  #isStalled = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly format: StreamFormat,
    private readonly results: Results,
    heartbeatMs = HEARTBEAT_MS,
  ) {
    // Without the second header, nginx collects the response before it forwards it.
    response.writeHead(200, { 'Content-Type': format.contentType, 'X-Accel-Buffering': 'no' });
    response.write(format.start);
    response.on('drain', () => {
      this.#isStalled = false;
    });
    this.#timer = setInterval(() => this.#beat(), heartbeatMs);
    response.once('close', () => this.#end(''));
  }

  /** Sends all results. Resolves when the stream has ended; rejects if the source fails. */
  async run(): Promise<void> {
    for (;;) {
      const { done, value } = await this.results.next();
      if (done || this.response.writableEnded || this.response.destroyed) break;
      this.response.write(this.format.result(value));
    }
    this.#end(this.format.completed);
  }

  /** Ends the stream with an error that a retry would repeat. */
  refuse(error: GraphQLFormattedError): void {
    this.#end(this.format.refused(error));
  }

  /** Ends the stream with an error after which clients may subscribe again. */
  interrupt(error: GraphQLFormattedError): void {
    this.#end(this.format.interrupted(error));
  }

  /** The first call decides how the stream ends. */
  #end(text: string): void {
    clearInterval(this.#timer);
    if (!this.response.writableEnded) this.response.end(text);
    // The source stops. Its result is irrelevant.
    this.results.return?.().catch(() => {});
  }

  #beat(): void {
    if (!this.response.writableNeedDrain) this.response.write(this.format.heartbeat);
    else if (this.#isStalled) this.response.destroy();
    else this.#isStalled = true;
  }
}

/** Resolves when a response can take more data, or has closed. */
export async function whenWritable(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return;
  await new Promise<void>(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
