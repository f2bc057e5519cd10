import { Transform, type TransformCallback } from 'node:stream';
import { isObject } from '../../../engine/json-value.js';
import { tryParseJson } from '../../../platform/json/try-parse-json.js';
import { chatErrorOf } from '../chat/chat-error.js';
import { EventReader } from '../chat/sse.js';
import type { EndpointStream, ModelEndpoint } from './model-endpoint.js';

/** Transforms a stream of chat completion chunks to the events of another API. */
export class EndpointEvents extends Transform {
  readonly #reader = new EventReader();
  #hasEnded = false;

  constructor(
    private readonly translation: EndpointStream,
    private readonly endpoint: ModelEndpoint,
  ) {
    super();
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#write(this.#reader.push(bytes));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#write([...this.#reader.end(), '[DONE]']);
    done();
  }

  /** Writes nothing after the end or an error event. */
  #write(events: string[]): void {
    let text = '';
    for (const event of events) {
      if (this.#hasEnded) break;
      text += this.#textOf(event);
    }
    if (text !== '') this.push(text);
  }

  #textOf(event: string): string {
    this.#hasEnded = event === '[DONE]';
    if (this.#hasEnded) return this.translation.end();
    const chunk = tryParseJson(event);
    this.#hasEnded = isObject(chunk) && chunk.error !== undefined && chunk.error !== null;
    return this.#hasEnded ? this.endpoint.errorEvent(chatErrorOf(500, chunk)) : this.translation.take(chunk);
  }
}
