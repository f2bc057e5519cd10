import net from 'node:net';
import { decodeChunks, readMessage } from './http-message.js';

/**
 * A process: a model provider with a fixed response. `PUT /delay` with a number as its body sets the delay of later
 * responses in milliseconds. It sends the same bytes for every request, because it runs on the measured machine.
 */
const ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'An answer. '.repeat(40) },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 120, total_tokens: 220 },
});
const RESPONSE = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(ANSWER)}`,
  '',
  ANSWER,
].join('\r\n');

let delayMs = 0;

/** Answers the requests of one connection, one at a time. */
function serve(socket: net.Socket): void {
  let received: Buffer = Buffer.alloc(0);
  const answer = () => socket.write(RESPONSE, 'latin1');
  socket.on('data', data => {
    received = received.length === 0 ? data : Buffer.concat([received, data]);
    const message = readMessage(received);
    if (message === undefined) return;
    received = Buffer.alloc(0);
    const { head, body, isChunked } = message;
    const isDelay = head.startsWith('PUT ');
    if (isDelay) delayMs = Number(isChunked ? decodeChunks(body) : body.toString());
    if (isDelay || delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
  // A client that closes its connection without reading the response is of no interest.
  socket.on('error', () => socket.destroy());
}

const server = net.createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', 2_048, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});
