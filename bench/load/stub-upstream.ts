import http from 'node:http';

/**
 * A process: a model provider with a fixed response. `PUT /delay` with a number as its body sets the delay of later
 * responses in milliseconds.
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
const HEADERS = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) };

let delayMs = 0;

const server = http.createServer((request, response) => {
  const isDelay = request.method === 'PUT';
  let body = '';
  request.on('data', chunk => {
    if (isDelay) body += chunk;
  });
  request.on('end', () => {
    if (isDelay) delayMs = Number(body);
    const answer = () => response.writeHead(200, HEADERS).end(ANSWER);
    if (isDelay || delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 2_048, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});
