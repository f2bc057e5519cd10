import { serveHttp } from '../../support/upstreams/loopback-server.js';

export interface EchoUpstream {
  origin: string;
  /**
   * Everything that arrived. A test proves by it that the secret was sent, before it checks that it occurs nowhere
   * else.
   */
  received: string[];
  stop(): Promise<void>;
}

/**
 * Echoes what it receives, headers included. `/refuse` does so with status 500. As a model it answers with the whole
 * request; the model `refuser` refuses with it, and `caller` first calls the one tool that it is offered.
 */
export async function startEchoUpstream(): Promise<EchoUpstream> {
  const received: string[] = [];
  const server = await serveHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const echo = JSON.stringify({ url: request.url, headers: request.headers, body });
    received.push(echo);
    response.setHeader('Content-Type', 'application/json');
    if (!request.url?.endsWith('/chat/completions')) {
      response.statusCode = request.url?.startsWith('/refuse') ? 500 : 200;
      return response.end(echo);
    }
    const { model, messages, tools } = JSON.parse(body);
    if (model === 'refuser') {
      response.statusCode = 400;
      return response.end(JSON.stringify({ error: { message: `bad: ${request.headers.authorization} ${body}` } }));
    }
    const isFirst = model === 'caller' && !messages.some((message: { role: string }) => message.role === 'tool');
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: tools?.[0]?.function.name, arguments: JSON.stringify({ text: messages[0].content }) },
    };
    const message = isFirst ? { content: null, tool_calls: [call] } : { content: echo };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...message } }], usage }));
  });
  return {
    origin: server.url,
    received,
    stop: server.close,
  };
}
