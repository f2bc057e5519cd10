import { IncomingMessage } from 'node:http';

/**
 * A request whose body can be collected as the parser reads it: a stream in between would cost more than the rest of a small
 * request. Whoever does not ask for that has the stream.
 */
export class Request extends IncomingMessage {
  #chunks: Buffer[] = [];
  #whenWhole: ((body: Buffer) => void) | undefined;
  #isEndDue = false;

  /**
   * To be called before anything of the body is there. Resolves with all of it; never where the client leaves before: it
   * waits for no answer then.
   */
  whole(): Promise<Buffer> {
    return new Promise(resolve => {
      this.#whenWhole = resolve;
    });
  }

  override push(chunk: Buffer | null): boolean {
    const whenWhole = this.#whenWhole;
    if (!whenWhole) return super.push(chunk);
    if (chunk !== null) {
      this.#chunks.push(chunk);
      return true;
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#whenWhole = undefined;
    this.#isEndDue = true;
    whenWhole(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    return true;
  }

  /** To be called once the answer has left: the server waits for the end of each request's stream, whoever read it. */
  settle(): void {
    if (!this.#isEndDue) return;
    this.#isEndDue = false;
    super.push(null);
  }
}
