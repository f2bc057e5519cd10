import { StringDecoder } from 'node:string_decoder';

/** Maximum characters of one event. Longer events are truncated and fail to parse. */
const MAX_EVENT = 4 * 1024 * 1024;

/** An incremental parser of server-sent events. `push` returns the `data` of completed events (ADR 0042). */
export class EventReader {
  readonly #decoder = new StringDecoder('utf8');
  /** Pieces of the incomplete line, joined once, so that long lines take linear time. */
  #rest: string[] = [];
  #restSize = 0;
  #data: string[] = [];
  #size = 0;

  push(bytes: Buffer): string[] {
    const text = this.#decoder.write(bytes);
    const events: string[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#ended(text.slice(start, end));
      this.#line(line.endsWith('\r') ? line.slice(0, -1) : line, events);
      start = end + 1;
    }
    if (start < text.length) this.#keep(text.slice(start));
    return events;
  }

  /** Returns the last event if the stream ended without an empty line. */
  end(): string[] {
    const events: string[] = [];
    const last = this.#ended('');
    if (last !== '') this.#line(last, events);
    this.#line('', events);
    return events;
  }

  #keep(piece: string): void {
    this.#restSize += piece.length;
    if (this.#restSize <= MAX_EVENT) this.#rest.push(piece);
  }

  #ended(piece: string): string {
    if (this.#restSize === 0) return piece;
    this.#keep(piece);
    const line = this.#rest.join('');
    this.#rest = [];
    this.#restSize = 0;
    return line;
  }

  #line(line: string, events: string[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push(this.#data.length === 1 ? this.#data[0]! : this.#data.join('\n'));
      this.#data = [];
      this.#size = 0;
      return;
    }
    if (!line.startsWith('data:')) return;
    this.#size += line.length;
    if (this.#size <= MAX_EVENT) this.#data.push(line.startsWith(' ', 5) ? line.slice(6) : line.slice(5));
  }
}

export function eventText(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export const END_OF_STREAM = 'data: [DONE]\n\n';
