import { ADMIN_KEY } from '../support/config.js';
import { eventually } from '../support/eventually.js';

export const SSE = 'text/event-stream';
export const MULTIPART = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json';

interface StreamOptions {
  accept?: string;
  key?: string | null;
}

/** A subscription over HTTP, read as text. */
export class RawStream {
  text = '';
  /** Undefined while the stream is open. */
  ended: 'finished' | 'broken' | undefined;
  readonly #abort: AbortController;

  private constructor(
    readonly response: Response,
    abort: AbortController,
  ) {
    this.#abort = abort;
    void this.#read();
  }

  static async open(
    url: string,
    payload: { query: string; variables?: Record<string, unknown> },
    { accept = SSE, key = ADMIN_KEY }: StreamOptions = {},
  ): Promise<RawStream> {
    const abort = new AbortController();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: accept,
        ...(key === null ? {} : { 'X-Api-Key': key }),
      },
      body: JSON.stringify(payload),
      signal: abort.signal,
    });
    return new RawStream(response, abort);
  }

  /** The JSON values received so far. */
  get values(): any[] {
    return this.text.split(/\r?\n/).flatMap(line => {
      const json = line.startsWith('data: ') ? line.slice(6) : line;
      return json.startsWith('{') ? [JSON.parse(json)] : [];
    });
  }

  until(holds: (stream: this) => boolean): Promise<this> {
    return eventually(async () => this, holds);
  }

  /** Resolves when the service has ended the stream. */
  async untilEnd(): Promise<void> {
    await this.until(({ ended }) => ended !== undefined);
    if (this.ended === 'broken') throw new Error(`the stream broke off after ${this.text.length} characters`);
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.response.body!) this.text += decoder.decode(bytes, { stream: true });
      this.ended = 'finished';
    } catch {
      this.ended = 'broken';
    }
  }
}
