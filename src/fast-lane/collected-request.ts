import { IncomingMessage } from 'node:http';

/**
 * A request whose body can be collected as the parser reads it. A stream in between costs more than the rest of a small request.
 * Without a call of `collect` it is an ordinary stream.
 */
export class CollectedRequest extends IncomingMessage {
  #chunks: Buffer[] = [];
  #onBody: ((body: Buffer) => void) | undefined;
  #isEndDue = false;

  /** Resolves with the whole body; never when the client leaves first. Call it before any part of the body has arrived. */
  collect(): Promise<Buffer> {
    return new Promise(resolve => {
      this.#onBody = resolve;
    });
  }

  override push(chunk: Buffer | null): boolean {
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

  /** Ends the stream of a collected body, for which the server waits. Call it when the response has left. */
  finish(): void {
    if (!this.#isEndDue) return;
    this.#isEndDue = false;
    super.push(null);
  }
}
