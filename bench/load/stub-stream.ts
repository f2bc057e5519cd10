import http from 'node:http';

/**
 * Entry of a process that acts as a model provider with streams. Each chunk contains the time at which it was sent, in
 * milliseconds since 1970. Arguments: the milliseconds between two chunks, and the number of chunks of a stream.
 */
const intervalMs = Number(process.argv[2] ?? 20);
const chunks = Number(process.argv[3] ?? 100);

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const base = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4o-mini' };
const END = `${event({
  ...base,
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: chunks, total_tokens: 100 + chunks },
})}data: [DONE]\n\n`;

function chunkText(): string {
  const sent = (performance.timeOrigin + performance.now()).toFixed(3);
  const choice = { index: 0, delta: { content: ` <${sent}>` }, logprobs: null, finish_reason: null };
  return event({ ...base, system_fingerprint: 'fp_0123456789', choices: [choice] });
}

const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.socket?.setNoDelay(true);
    let left = chunks;
    const send = () => {
      response.write(chunkText());
      if (--left > 0) return;
      clearInterval(timer);
      response.end(END);
    };
    const timer = setInterval(send, intervalMs);
    response.once('close', () => clearInterval(timer));
    send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 2_048, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});
