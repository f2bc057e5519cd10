import { Transform, type TransformCallback } from 'node:stream';
import { type RequestBody, wantsUsage } from './chat-format.js';
import { StreamFailure, type StreamTranslation } from './provider-protocol.js';
import { END_OF_STREAM, EventReader, eventText } from './sse.js';

/** Transforms the event stream of a provider to the chat format. */
export class TranslatedStream extends Transform {
  readonly #reader = new EventReader();
  #hasFailed = false;

  constructor(
    private readonly translation: StreamTranslation,
    private readonly request: RequestBody,
  ) {
    super();
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#write(this.#reader.push(bytes));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#write(this.#reader.end());
    const usage = this.translation.usage();
    if (!this.#hasFailed) {
      if (usage && wantsUsage(this.request)) this.push(eventText(this.translation.usageChunk(usage)));
      this.push(END_OF_STREAM);
    }
    done();
  }

  /** Writes the chunks of the events. Writes nothing after an error event. */
  #write(events: string[]): void {
    let text = '';
    for (const event of events) {
      if (this.#hasFailed) break;
      try {
        for (const chunk of this.translation.take(JSON.parse(event))) text += eventText(chunk);
      } catch (error) {
        if (error instanceof StreamFailure) {
          this.#hasFailed = true;
          text += eventText(error.body);
        } else if (!(error instanceof SyntaxError)) throw error;
      }
    }
    if (text !== '') this.push(text);
  }
}
