import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];
type HeaderValue = number | string | readonly string[];

/**
 * A response that keeps its headers as one flat list until `writeHead`. Node stores each header separately and joins them at the end,
 * which doubles the cost of a small response's head. Any method other than `setHeader`, `getHeader` and a flat `writeHead` moves the
 * headers to Node's own list.
 */
export class BufferedResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  /** Lower-case names, each followed by its value; null after the headers have moved to Node's list. */
  #buffer: string[] | null = [];

  override setHeader(name: string, value: HeaderValue): this {
    const buffer = this.#buffer;
    if (buffer === null || typeof value !== 'string') return this.stopBuffering().#setOwn(name, value);
    const key = name.toLowerCase();
    const at = positionOf(buffer, key);
    if (at < 0) buffer.push(key, value);
    else buffer[at + 1] = value;
    return this;
  }

  override getHeader(name: string): number | string | string[] | undefined {
    const buffer = this.#buffer;
    if (buffer === null) return super.getHeader(name);
    const at = positionOf(buffer, name.toLowerCase());
    return at < 0 ? undefined : buffer[at + 1];
  }

  override hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  override getHeaders(): OutgoingHttpHeaders {
    this.stopBuffering();
    return super.getHeaders();
  }

  override getHeaderNames(): string[] {
    this.stopBuffering();
    return super.getHeaderNames();
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    this.stopBuffering();
    return super.appendHeader(name, value);
  }

  override removeHeader(name: string): void {
    this.stopBuffering();
    super.removeHeader(name);
  }

  override writeHead(status: number, ...more: [Head?] | [string?, Head?]): this {
    const [head = []] = more;
    const buffer = this.#buffer;
    if (buffer === null || more.length > 1 || !Array.isArray(head)) {
      this.stopBuffering();
      return super.writeHead(status, ...(more as [Head?]));
    }
    this.#buffer = null;
    return super.writeHead(status, mergeHeaders(head as string[], buffer));
  }

  /** Moves the headers to Node's list. Required before Express changes the prototype of the response. */
  stopBuffering(): this {
    const buffer = this.#buffer;
    if (buffer === null) return this;
    this.#buffer = null;
    for (let at = 0; at < buffer.length; at += 2) super.setHeader(buffer[at] as string, buffer[at + 1] as string);
    return this;
  }

  #setOwn(name: string, value: HeaderValue): this {
    return super.setHeader(name, value);
  }
}

function positionOf(buffer: readonly string[], key: string): number {
  for (let at = 0; at < buffer.length; at += 2) if (buffer[at] === key) return at;
  return -1;
}

/** Headers passed to `writeHead` override buffered ones. */
function mergeHeaders(head: readonly string[], buffer: readonly string[]): string[] {
  const all = [...head];
  for (let at = 0; at < buffer.length; at += 2) {
    const name = buffer[at] as string;
    if (!head.includes(name)) all.push(name, buffer[at + 1] as string);
  }
  return all;
}
