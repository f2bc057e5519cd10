import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Nobody waits longer for a word. */
const SILENCE_MS = 60_000;

/** What the protocol graphql-transport-ws lets a server say. */
const SHAPES: Record<string, (message: Message) => boolean> = {
  connection_ack: ({ id }) => id === undefined,
  ping: ({ id }) => id === undefined,
  pong: ({ id }) => id === undefined,
  next: ({ id, payload }) => typeof id === 'string' && isObject(payload),
  error: ({ id, payload }) => typeof id === 'string' && Array.isArray(payload) && payload.length > 0,
  complete: ({ id, payload }) => typeof id === 'string' && payload === undefined,
};

export interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}

interface GraphQLErrors {
  message: string;
  extensions?: { code?: string };
}

/** The errors that a message tells. */
export function errorsOf({ type, payload }: Message): GraphQLErrors[] {
  return type === 'error'
    ? (payload as GraphQLErrors[])
    : ((payload as { errors?: GraphQLErrors[] } | undefined)?.errors ?? []);
}

/** One socket, and everything that was heard over it: each message is checked when it comes. */
export class SocketClient {
  readonly heard: Message[] = [];
  /** The codes of all errors. */
  readonly codes = new Set<string>();
  /** What the service said that it may not say. */
  fault: string | undefined;
  closed: { code: number; reason: string } | undefined;
  #wake = Promise.withResolvers<void>();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => this.#hear(String(data), isBinary));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#told();
    });
    // A server that closes in the middle of a frame of ours: the close tells enough.
    socket.on('error', () => {});
  }

  static async open(url: string, protocols: string | string[] = 'graphql-transport-ws'): Promise<SocketClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocols);
    const client = new SocketClient(socket);
    await once(socket, 'open');
    return client;
  }

  /** The same, with credentials that are taken. */
  static async acknowledged(url: string, credentials: Record<string, string>): Promise<SocketClient> {
    const client = await SocketClient.open(url);
    client.say({ type: 'connection_init', payload: credentials });
    await client.hears(({ type }) => type === 'connection_ack', 'no acknowledgement');
    return client;
  }

  say(message: unknown): void {
    this.write(JSON.stringify(message));
  }

  write(data: string | Uint8Array): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(data);
  }

  /** The first message of that kind, come or to come; undefined: the socket was closed. Throws on silence. */
  async hears(isMeant: (message: Message) => boolean, otherwise: string): Promise<Message | undefined> {
    const until = Date.now() + SILENCE_MS;
    for (;;) {
      const found = this.heard.find(isMeant);
      if (found || this.closed) return found;
      const left = until - Date.now();
      if (left <= 0) throw new Error(`${otherwise} within ${SILENCE_MS} ms`);
      let timer: NodeJS.Timeout | undefined;
      const silence = new Promise<void>(resolve => {
        timer = setTimeout(resolve, left);
      });
      await Promise.race([this.#wake.promise, silence]);
      clearTimeout(timer);
    }
  }

  /** Whether the socket is open and answers; false: it was closed. */
  async answers(): Promise<boolean> {
    const payload = { probe: this.heard.length };
    const isPong = (message: Message) => message.type === 'pong' && sameProbe(message.payload, payload);
    this.say({ type: 'ping', payload });
    return (await this.hears(isPong, 'no pong')) !== undefined;
  }

  async end(): Promise<void> {
    this.socket.close();
    await this.hears(() => false, 'no close');
  }

  #hear(text: string, isBinary: boolean): void {
    const message = parsed(text);
    if (isBinary) this.fault ??= 'a binary message';
    else if (!message || !SHAPES[message.type]?.(message)) this.fault ??= `no message of the protocol: ${text}`;
    else for (const { extensions } of errorsOf(message)) this.codes.add(extensions?.code ?? 'none');
    if (message) this.heard.push(message);
    this.#told();
  }

  #told(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

function sameProbe(payload: unknown, { probe }: { probe: number }): boolean {
  return isObject(payload) && payload.probe === probe;
}

function parsed(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) && typeof message.type === 'string' ? (message as unknown as Message) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
