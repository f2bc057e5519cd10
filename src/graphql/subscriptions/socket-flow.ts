import type { WebSocket } from 'ws';

/** Above this number of unsent bytes, the subscriptions of a socket pause. */
const PAUSE_BYTES = 1_048_576;
/** Above this number of unsent bytes, a socket is closed. */
const MAX_BYTES = 16 * 1_048_576;

/** WebSocket close code "Try Again Later" (IANA registry). */
export const TRY_AGAIN_LATER = 1013;

/** Backpressure of one socket whose client reads more slowly than messages arrive. */
export class SocketFlow {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(private readonly socket: WebSocket) {
    // Pongs for a client that reads nothing would accumulate.
    socket.on('ping', data => {
      if (this.#isWritable) socket.pong(data);
    });
    socket.once('close', () => {
      this.#isClosed = true;
      this.#release();
    });
  }

  /** Resolves when the socket can take more messages, or has closed. */
  whenWritable(): Promise<void> {
    if (this.#isClosed || this.#isWritable) return Promise.resolve();
    return new Promise(resolve => this.#waiting.add(resolve));
  }

  /** Resolves when the operating system has taken the text. Closes the socket instead if it has too many unsent bytes. */
  send(text: string): Promise<void> {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    if (socket.bufferedAmount > MAX_BYTES) {
      socket.close(TRY_AGAIN_LATER, 'Too much is unread. Resume after the last sequence or cursor.');
      return Promise.resolve();
    }
    return new Promise((resolve, reject) =>
      socket.send(text, error => {
        if (this.#waiting.size > 0 && this.#isWritable) this.#release();
        if (error) reject(error);
        else resolve();
      }),
    );
  }

  get #isWritable(): boolean {
    return this.socket.bufferedAmount <= PAUSE_BYTES;
  }

  #release(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
