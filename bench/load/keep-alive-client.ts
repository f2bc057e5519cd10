import net from 'node:net';
import { decodeChunks, readMessage } from './http-message.js';

export interface HttpCall {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface HttpReply {
  status: number;
  body: string;
}

/**
 * A minimal HTTP client with one persistent connection and one request at a time. It uses little CPU time, because it
 * runs on the measured machine. It reads responses with a length, chunked responses and responses without a body.
 */
export class KeepAliveClient {
  readonly #socket: net.Socket;
  readonly #bytes: Buffer;
  #received: Buffer = Buffer.alloc(0);
  #pending: PromiseWithResolvers<HttpReply> | undefined;
  #failure: Error | undefined;

  private constructor(socket: net.Socket, bytes: Buffer) {
    this.#socket = socket;
    this.#bytes = bytes;
    socket.on('data', data => this.#receive(data));
    socket.on('error', error => this.#lose(error));
    socket.on('close', () => this.#lose(new Error('the connection was closed')));
  }

  static async open({ url, method = 'GET', headers = {}, body = '' }: HttpCall): Promise<KeepAliveClient> {
    const { hostname, port, host, pathname, search } = new URL(url);
    const all = { Host: host, ...headers, ...(body === '' ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` }) };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const bytes = Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new KeepAliveClient(socket, bytes);
  }

  /** Sends the request again. Rejects when the connection is lost. */
  call(): Promise<HttpReply> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#pending = Promise.withResolvers<HttpReply>();
    this.#socket.write(this.#bytes);
    return this.#pending.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #lose(error: Error): void {
    this.#failure ??= error;
    this.#pending?.reject(this.#failure);
    this.#pending = undefined;
  }

  #receive(data: Buffer): void {
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const reply = readReply(this.#received);
    if (reply === undefined) return;
    this.#received = Buffer.alloc(0);
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(reply);
  }
}

/** Returns the response, or undefined while it is incomplete. */
function readReply(received: Buffer): HttpReply | undefined {
  const message = readMessage(received);
  if (message === undefined) return undefined;
  const { head, body, isChunked } = message;
  // The status line begins with `HTTP/1.1 <status>`.
  return { status: Number(head.slice(9, 12)), body: isChunked ? decodeChunks(body) : body.toString('utf8') };
}
