import type http from 'node:http';
import { CloseCode, handleProtocols, makeServer, type ServerOptions } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Log } from '../platform/logging/log.js';
import { SocketFlow } from './socket-flow.js';

/** A socket that answers no ping within this is cut off; it is pinged as often. */
const KEEP_ALIVE_MS = 12_000;

/** By RFC 6455, section 5.5: 125 less the two of the code. */
const MOST_REASON_BYTES = 123;

export interface SocketExtra {
  request: http.IncomingMessage;
  socket: WebSocket;
  flow: SocketFlow;
}

/**
 * The protocol graphql-transport-ws over the sockets of `sockets`. Like `useServer` of graphql-ws, but a message that a
 * client may not send is the client's fault (4400), and a fault of ours goes to the log: the socket is closed with 4500
 * and without a word about it. `dispose` closes every socket with 1001.
 */
export function serveSockets(
  options: ServerOptions<Record<string, unknown>, SocketExtra>,
  sockets: WebSocketServer,
  log: Log,
): { dispose(): Promise<void> } {
  const server = makeServer(options);
  let isDisposed = false;
  sockets.options.handleProtocols = handleProtocols;
  sockets.on('connection', (socket: WebSocket, request: http.IncomingMessage) => {
    // What is no WebSocket any more, or too long: the socket has been closed with the code for it.
    socket.on('error', ({ message }) => log.debug({ reason: message }, 'a socket was closed for what it sent'));
    const stopPings = keepAlive(socket);
    const flow = new SocketFlow(socket);
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: text => flow.send(text),
        close: (code, reason) => socket.close(code, shortened(reason)),
        onMessage: take =>
          socket.on('message', data => {
            const text = String(data);
            take(text).catch(error => {
              if (isOfServers(text)) return socket.close(CloseCode.BadRequest, 'Invalid message received');
              // Nothing is left below once the service has stopped, and nobody waits.
              if (isDisposed) return log.debug({ reason: error.message }, 'a message came too late');
              log.error({ err: error }, 'a message over a socket failed');
              socket.close(CloseCode.InternalServerError, 'Internal server error');
            });
          }),
      },
      { socket, request, flow },
    );
    socket.once('close', (code, reason) => {
      stopPings();
      closed(code, String(reason)).catch(error => log.error({ err: error }, 'the end of a socket failed'));
    });
  });
  return {
    async dispose() {
      isDisposed = true;
      for (const socket of sockets.clients) socket.close(1001, 'Going away');
      sockets.removeAllListeners();
      await new Promise<void>((resolve, reject) => sockets.close(error => (error ? reject(error) : resolve())));
    },
  };
}

/** A reason may have so many bytes, and says the id that a client made up. */
function shortened(reason = ''): string {
  return new TextDecoder().decode(Buffer.from(reason).subarray(0, MOST_REASON_BYTES), { stream: true });
}

/** Whether the message is one that a server sends: the library throws at it, as at a fault of its own. */
function isOfServers(text: string): boolean {
  const { type } = JSON.parse(text) as { type: unknown };
  return type === 'connection_ack' || type === 'next' || type === 'error';
}

function keepAlive(socket: WebSocket): () => void {
  let isAnswered = true;
  socket.on('pong', () => {
    isAnswered = true;
  });
  const timer = setInterval(() => {
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, KEEP_ALIVE_MS);
  return () => clearInterval(timer);
}
