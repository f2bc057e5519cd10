import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.js';

export interface Message {
  type: string;
  id?: string;
  payload?: any;
}

/** A client of the protocol graphql-transport-ws that sends only the messages of the test. */
export class RawSocket {
  readonly messages: Message[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(readonly socket: WebSocket) {
    socket.on('message', data => this.messages.push(JSON.parse(String(data))));
    this.closed = new Promise(resolve =>
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
    );
    // A refused connection is visible as its end.
    socket.on('error', () => {});
  }

  /** Opened and acknowledged. */
  static async open(url: string, key: string): Promise<RawSocket> {
    const raw = new RawSocket(new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws'));
    await once(raw.socket, 'open');
    raw.send({ type: 'connection_init', payload: { 'X-Api-Key': key } });
    const isAcknowledged = () => raw.messages.some(({ type }) => type === 'connection_ack');
    await raw.until(() => isAcknowledged() || raw.socket.readyState !== WebSocket.OPEN);
    if (!isAcknowledged()) throw new Error('the socket was closed');
    return raw;
  }

  send(message: Message): void {
    this.socket.send(JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables: Record<string, unknown> = {}): void {
    this.send({ type: 'subscribe', id, payload: { query, variables } });
  }

  /** The messages for one operation. */
  of(id: string): Message[] {
    return this.messages.filter(message => message.id === id);
  }

  until(holds: (messages: Message[]) => boolean): Promise<Message[]> {
    return eventually(async () => this.messages, holds);
  }
}
