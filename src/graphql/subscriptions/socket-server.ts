import type http from 'node:http';
import { CloseCode, handleProtocols, makeServer, type ServerOptions } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Log } from '../../platform/logging/log.js';
import { SocketFlow } from './socket-flow.js';

/** Interval of pings. A socket without a pong within one interval is terminated. */
const KEEP_ALIVE_MS = 12_000;

/** A control frame has at most 125 bytes (RFC 6455, section 5.5), two of which are the code. */
const MAX_REASON_BYTES = 123;

export interface SocketExtra {
  request: http.IncomingMessage;
  socket: WebSocket;
  flow: SocketFlow;
}

/**
 * Serves the protocol graphql-transport-ws, like `useServer` of graphql-ws, with two differences. A message that only servers send
 * closes the socket with 4400. An internal error is logged and closes the socket with 4500, without details. `dispose` closes every
 * socket with 1001.
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
    // An invalid frame or a message that is too long. `ws` has closed the socket with the matching code.
    socket.on('error', ({ message }) => log.debug({ reason: message }, 'socket closed after an invalid frame'));
    const stopPings = keepAlive(socket);
    const flow = new SocketFlow(socket);
    const onClose = server.opened(
      {
        protocol: socket.protocol,
        send: text => flow.send(text),
        close: (code, reason) => socket.close(code, truncateReason(reason)),
        onMessage: handle =>
          socket.on('message', data => {
            const text = String(data);
            handle(text).catch(error => {
              if (isServerMessage(text)) return socket.close(CloseCode.BadRequest, 'Invalid message received');
              // After `dispose` the services have stopped, so failures are expected.
              if (isDisposed) return log.debug({ reason: error.message }, 'socket message arrived after shutdown');
              log.error({ err: error }, 'socket message failed');
              socket.close(CloseCode.InternalServerError, 'Internal server error');
            });
          }),
      },
      { socket, request, flow },
    );
    socket.once('close', (code, reason) => {
      stopPings();
      onClose(code, String(reason)).catch(error => log.error({ err: error }, 'socket close failed'));
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

/** Truncates a close reason to the allowed bytes: it can contain an operation id of any length that the client chose. */
export function truncateReason(reason = ''): string {
  return new TextDecoder().decode(Buffer.from(reason).subarray(0, MAX_REASON_BYTES), { stream: true });
}

/** Whether only servers send this message type. graphql-ws throws an internal error for it. */
function isServerMessage(text: string): boolean {
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
