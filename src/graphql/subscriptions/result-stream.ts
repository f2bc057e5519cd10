import type { ServerResponse } from 'node:http';
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { startHeartbeat } from '../../platform/streams/response-flow.js';
import type { StreamFormat } from './stream-formats.js';

type Results = AsyncIterator<FormattedExecutionResult>;

/** An HTTP response that carries the results of one operation. Results must be read only when `whenWritable` has resolved. */
export class ResultStream {
  readonly #stopHeartbeat: () => void;

  constructor(
    private readonly response: ServerResponse,
    private readonly format: StreamFormat,
    private readonly results: Results,
    heartbeatMs?: number,
  ) {
    // Without the second header, nginx collects the response before it forwards it.
    response.writeHead(200, { 'Content-Type': format.contentType, 'X-Accel-Buffering': 'no' });
    response.write(format.start);
    this.#stopHeartbeat = startHeartbeat(response, format.heartbeat, heartbeatMs);
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
    this.#stopHeartbeat();
    if (!this.response.writableEnded) this.response.end(text);
    // The source stops. Its result is irrelevant.
    this.results.return?.().catch(() => {});
  }
}
