import { createServer } from 'node:http';

/** Long enough for a picture of a run that waits for a refund. */
const REFUND_MS = 60_000;
const ANSWERS = {
  'gpt-4o-mini':
    'Dear customer,\n\nyour parcel is late, and we are sorry. It arrives **on Thursday**; shipping is free this time.',
  'gpt-4o':
    'Hello,\n\nthank you for your patience! Your parcel left the depot this morning:\n\n1. It arrives **on Thursday**.\n2. We refund the shipping.',
};

const THANKS = 'Dear Ada,\n\nthank you for your order! It leaves our depot **tomorrow morning**.';

/** A shop for the pictures, and a model provider at `/v1`. Answers at once, except refunds. */
export function startShop() {
  const server = createServer(async (request, response) => {
    const body = await readJson(request);
    if (request.url === '/v1/chat/completions') return answerChat(body, response);
    const isRefund = request.url?.startsWith('/refunds');
    const answer = isRefund ? { refund: 'accepted' } : { name: 'Ada Lovelace', orders: 12, since: 2021 };
    setTimeout(() => sendJson(response, answer), isRefund ? REFUND_MS : 120).unref();
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function readJson(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
}

function sendJson(response, body) {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Calls the first offered tool, or answers with a text of the model. */
function answerChat({ model, messages, tools, stream }, response) {
  const [tool] = tools ?? [];
  const input = JSON.stringify({ customer: 'Ada Lovelace', order: '4711', amount: 24.9 });
  const call = tool && { id: 'call_1', type: 'function', function: { name: tool.function.name, arguments: input } };
  const text = JSON.stringify(messages).includes('parcel') ? ANSWERS[model] : THANKS;
  const message = { role: 'assistant', content: call ? null : text, ...(call ? { tool_calls: [call] } : {}) };
  const usage = { prompt_tokens: 214, completion_tokens: 41, total_tokens: 255 };
  const head = { id: 'chatcmpl-1', created: 1_790_000_000, model };
  const finish_reason = call ? 'tool_calls' : 'stop';
  if (!stream)
    return sendJson(response, {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason }],
      usage,
    });
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = part =>
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...part })}\n\n`);
  send({ choices: [{ index: 0, delta: message, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason }] });
  send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}
