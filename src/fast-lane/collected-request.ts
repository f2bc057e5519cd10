import { IncomingMessage } from 'node:http';
import type { ArrivalListener } from '../http/fast-lane.js';

/**
 * A request whose body can be collected directly from the HTTP parser. For a small request, stream buffering costs more than all other
 * processing. Unless `collect` is called, this is an ordinary stream.
 */
export class CollectedRequest extends IncomingMessage {
  #chunks: Buffer[] = [];
  #onBody: ((body: Buffer) => void) | undefined;
  #arrival: ArrivalListener | undefined;
  #isEndDue = false;

  /**
   * Resolves with the whole body, or never if the client disconnects first. Must be called before any part of the body arrives, and
   * only for a body whose Content-Length is within the limit (`isPlainBody`): the parser delivers no more than that.
   */
  collect(): Promise<Buffer> {
    return new Promise(resolve => {
      this.#onBody = resolve;
    });
  }

  /** Calls `listener` when the parser has delivered the whole body, collected or not. */
  onArrival(listener: ArrivalListener): void {
    this.#arrival = listener;
  }

  override push(chunk: Buffer | null): boolean {
    if (chunk === null) this.#arrival?.handleArrival();
    const onBody = this.#onBody;
    if (!onBody) return super.push(chunk);
    if (chunk !== null) {
      this.#chunks.push(chunk);
      return true;
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#onBody = undefined;
    this.#isEndDue = true;
    onBody(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    return true;
  }

  /** Ends the stream of a collected body: the server reuses the connection only after that. Call it after the response is sent. */
  finish(): void {
    if (!this.#isEndDue) return;
    this.#isEndDue = false;
    super.push(null);
  }
}
