import { StringDecoder } from 'node:string_decoder';

/** Maximum characters of one event. Longer events are truncated and fail to parse. */
const MAX_EVENT = 4 * 1024 * 1024;

/** An incremental parser of server-sent events. `push` returns the `data` of completed events (ADR 0042). */
export class EventReader {
  readonly #decoder = new StringDecoder('utf8');
  /** Pieces of the incomplete line, joined once, so that long lines take linear time. */
  #rest: string[] = [];
  #restSize = 0;
  /** Values of the lines `data` of the incomplete event. */
  #data: string[] = [];
  #dataSize = 0;

  /** Reads the next bytes of the stream and returns the data of the events that they complete. */
  push(bytes: Buffer): string[] {
    const text = this.#decoder.write(bytes);
    const events: string[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#completeLine(text.slice(start, end));
      this.#readLine(line.endsWith('\r') ? line.slice(0, -1) : line, events);
      start = end + 1;
    }
    if (start < text.length) this.#keepPiece(text.slice(start));
    return events;
  }

  /** Returns the last event if the stream ended without an empty line. */
  end(): string[] {
    const events: string[] = [];
    const last = this.#completeLine('');
    if (last !== '') this.#readLine(last, events);
    this.#readLine('', events);
    return events;
  }

  #keepPiece(piece: string): void {
    this.#restSize += piece.length;
    if (this.#restSize <= MAX_EVENT) this.#rest.push(piece);
  }

  /** Returns the line that ends with the piece. */
  #completeLine(piece: string): string {
    if (this.#restSize === 0) return piece;
    this.#keepPiece(piece);
    const line = this.#rest.join('');
    this.#rest = [];
    this.#restSize = 0;
    return line;
  }

  /** Reads a line without its end. An empty line completes the event, which is added to `events`. */
  #readLine(line: string, events: string[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push(this.#data.length === 1 ? this.#data[0]! : this.#data.join('\n'));
      this.#data = [];
      this.#dataSize = 0;
      return;
    }
    if (!line.startsWith('data:')) return;
    this.#dataSize += line.length;
    if (this.#dataSize <= MAX_EVENT) this.#data.push(line.startsWith(' ', 5) ? line.slice(6) : line.slice(5));
  }
}

/** Formats a value as one event. */
export function eventText(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Formats an event with the name of its type, which is also a member of its data. */
export function namedEventText(type: string, members: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** The last event of a stream of chat completion chunks. */
export const END_OF_STREAM = 'data: [DONE]\n\n';
