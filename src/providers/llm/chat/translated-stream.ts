import { Transform, type TransformCallback } from 'node:stream';
import { type ChatBody, wantsUsage } from './chat-format.js';
import { StreamFailure, type StreamTranslation } from './provider-protocol.js';
import { END_OF_STREAM, EventReader, eventText } from './sse.js';

/** Transforms the event stream of a provider to the chat format. */
export class TranslatedStream extends Transform {
  readonly #reader = new EventReader();
  #hasFailed = false;

  constructor(
    private readonly translation: StreamTranslation,
    private readonly asked: ChatBody,
  ) {
    super();
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#tell(this.#reader.push(bytes));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#tell(this.#reader.end());
    const used = this.translation.usage();
    if (!this.#hasFailed) {
      if (used && wantsUsage(this.asked)) this.push(eventText(this.translation.usageChunk(used)));
      this.push(END_OF_STREAM);
    }
    done();
  }

  /** Writes the chunks of the events. Writes nothing after an error event. */
  #tell(events: string[]): void {
    let text = '';
    for (const event of events) {
      if (this.#hasFailed) break;
      try {
        for (const chunk of this.translation.take(JSON.parse(event))) text += eventText(chunk);
      } catch (error) {
        if (error instanceof StreamFailure) {
          this.#hasFailed = true;
          text += eventText(error.told);
        } else if (!(error instanceof SyntaxError)) throw error;
      }
    }
    if (text !== '') this.push(text);
  }
}
