import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Longest wait for a message in milliseconds. */
const SILENCE_MS = 60_000;

/** Messages that graphql-transport-ws permits a server to send. */
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

/** The errors in a message. */
export function errorsOf({ type, payload }: Message): GraphQLErrors[] {
  return type === 'error'
    ? (payload as GraphQLErrors[])
    : ((payload as { errors?: GraphQLErrors[] } | undefined)?.errors ?? []);
}

/** One socket and all messages received over it. Each message is validated on arrival. */
export class SocketClient {
  readonly received: Message[] = [];
  /** The codes of all errors. */
  readonly codes = new Set<string>();
  /** The first violation of the protocol by the service. */
  fault: string | undefined;
  closed: { code: number; reason: string } | undefined;
  #wake = Promise.withResolvers<void>();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => this.#onMessage(String(data), isBinary));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#wakeWaiters();
    });
    // A server that closes in the middle of a frame of the client: the close event suffices.
    socket.on('error', () => {});
  }

  static async open(url: string, protocols: string | string[] = 'graphql-transport-ws'): Promise<SocketClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocols);
    const client = new SocketClient(socket);
    await once(socket, 'open');
    return client;
  }

  /** Opens a socket whose credentials are accepted. */
  static async acknowledged(url: string, credentials: Record<string, string>): Promise<SocketClient> {
    const client = await SocketClient.open(url);
    client.sendJson({ type: 'connection_init', payload: credentials });
    await client.receive(({ type }) => type === 'connection_ack', 'no acknowledgement');
    return client;
  }

  sendJson(message: unknown): void {
    this.sendRaw(JSON.stringify(message));
  }

  sendRaw(data: string | Uint8Array): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(data);
  }

  /** The first message of that kind, past or future; undefined: the socket was closed. Throws after SILENCE_MS. */
  async receive(isMeant: (message: Message) => boolean, failureMessage: string): Promise<Message | undefined> {
    const until = Date.now() + SILENCE_MS;
    for (;;) {
      const found = this.received.find(isMeant);
      if (found || this.closed) return found;
      const left = until - Date.now();
      if (left <= 0) throw new Error(`${failureMessage} within ${SILENCE_MS} ms`);
      let timer: NodeJS.Timeout | undefined;
      const silence = new Promise<void>(resolve => {
        timer = setTimeout(resolve, left);
      });
      await Promise.race([this.#wake.promise, silence]);
      clearTimeout(timer);
    }
  }

  /** Whether the socket is open and answers a ping; false: it was closed. */
  async answers(): Promise<boolean> {
    const payload = { probe: this.received.length };
    const isPong = (message: Message) => message.type === 'pong' && sameProbe(message.payload, payload);
    this.sendJson({ type: 'ping', payload });
    return (await this.receive(isPong, 'no pong')) !== undefined;
  }

  async end(): Promise<void> {
    this.socket.close();
    await this.receive(() => false, 'no close');
  }

  #onMessage(text: string, isBinary: boolean): void {
    const message = parsed(text);
    if (isBinary) this.fault ??= 'a binary message';
    else if (!message || !SHAPES[message.type]?.(message)) this.fault ??= `no message of the protocol: ${text}`;
    else for (const { extensions } of errorsOf(message)) this.codes.add(extensions?.code ?? 'none');
    if (message) this.received.push(message);
    this.#wakeWaiters();
  }

  #wakeWaiters(): void {
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
