import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RestError, restErrors } from '../../rest-compat/runtime/errors.js';

/** Writes an error response to a connection without a response object: for a malformed request or a WebSocket handshake. */
export function sendRawError(socket: Duplex, error: RestError, requestId: string = randomUUID()): void {
  const body = JSON.stringify({ detail: error.detail, code: error.code });
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...(error.retryAfter === undefined ? [] : [`Retry-After: ${error.retryAfter}`]),
    'Connection: close',
  ];
  // The client may have disconnected; without a listener the error would end the process.
  socket.on('error', () => {});
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

const PARSER_ERRORS: Record<string, RestError> = {
  HPE_HEADER_OVERFLOW: restErrors.HEADERS_TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: restErrors.PAYLOAD_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: restErrors.REQUEST_TIMEOUT,
};
const MALFORMED: RestError = { ...restErrors.PARSE_ERROR, detail: 'The request is not well-formed HTTP.' };

/** Responds to requests that Node's HTTP parser rejects, in the JSON error format. */
export function handleParserErrors(server: Server, hasBegunResponse: (socket: Duplex) => boolean): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A response that has started on this connection must not be followed by another head.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegunResponse(socket)) return socket.destroy();
    sendRawError(socket, PARSER_ERRORS[error.code ?? ''] ?? MALFORMED);
  });
}

export const badHandshake: RestError = { ...MALFORMED, detail: 'The WebSocket handshake is not valid.' };

export const wrongSubprotocol: RestError = {
  ...MALFORMED,
  detail: 'The header Sec-WebSocket-Protocol must offer graphql-transport-ws, the subprotocol of this path.',
};

export const tooManySockets: RestError = {
  ...restErrors.UNAVAILABLE,
  detail: 'Too many sockets and HTTP subscriptions are open.',
  retryAfter: 5,
};
