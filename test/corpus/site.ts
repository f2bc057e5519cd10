import type http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';

const FEED =
  '<rss version="2.0"><channel><title>Shop</title><item><title>First</title></item><item><title>B</title></item></channel></rss>';
const USAGE = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

/** A call of a tool that the first message to the model asks for. */
export interface AskedCall {
  name: string;
  arguments: Record<string, unknown>;
}

type Answer = (body: Buffer, request: http.IncomingMessage, response: http.ServerResponse) => void;

/** The server that the graphs call: it answers with the request, or by path, and is an OpenAI-compatible provider below `/v1`. */
export async function startSite(): Promise<LoopbackServer> {
  /** Requests to `/third-time`, of which only each third one succeeds. */
  let thirdTimeRequests = 0;
  /** Times of the requests to `/fourth-time`, of which only each fourth one succeeds. */
  let times: number[] = [];
  /** A request to `/pair` that waits for a second one. */
  let waiting: { word: string; response: http.ServerResponse } | undefined;
  const answers: Record<string, Answer> = {
    '/missing': (_body, _request, response) => void response.writeHead(404).end('missing'),
    '/redirect': (_body, _request, response) => void response.writeHead(302, { location: '/echo' }).end(),
    '/binary': (_body, _request, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/x-unknown', 'content-disposition': 'attachment; filename=data.bin' })
        .end(Buffer.from([255, 0, 254, 1])),
    '/third-time': (_body, _request, response) => {
      thirdTimeRequests++;
      if (thirdTimeRequests % 3 === 0) response.end('third');
      else response.writeHead(503).end();
    },
    '/fourth-time': (_body, _request, response) => {
      times.push(performance.now());
      if (times.length < 4) return void response.writeHead(503).end();
      const gaps = times.slice(1).map((time, index) => time - times[index]!);
      times = [];
      response.end(JSON.stringify(gaps));
    },
    '/pair': (_body, request, response) => {
      const word = new URL(request.url ?? '', 'http://site').searchParams.get('word') ?? '';
      const first = waiting;
      waiting = first ? undefined : { word, response };
      if (!first) return;
      response.end(word);
      first.response.end(first.word);
    },
    '/slow': () => {},
    '/feed': (_body, _request, response) =>
      void response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(FEED),
    '/graphql': (body, _request, response) =>
      void response.end(
        JSON.parse(body.toString()).query === '{ a }' ? '{"data":{"a":1}}' : '{"errors":[{"message":"no"}]}',
      ),
    '/v1/chat/completions': (body, _request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(completionOf(JSON.parse(body.toString())))),
  };
  return serveHttp(async (request, response) => {
    const body = await buffer(request);
    const { pathname } = new URL(request.url ?? '', 'http://site');
    (answers[pathname] ?? echoRequest)(body, request, response);
  });
}

const echoRequest: Answer = (body, { method, url, headers }, response) => {
  const text = body.toString();
  const type = headers['content-type'] ?? '';
  const shown = { method, path: url, type, bytes: body.length, custom: headers['x-custom'] ?? null };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ ...shown, body: type.includes('json') ? JSON.parse(text) : text.slice(0, 100) }));
};

interface ChatMessage {
  role: string;
  content: string | { type: string; text?: string; image_url?: { url: string } }[];
}

/**
 * The answer of the model. A first message `{"calls": […]}` makes it call tools: once, or, with `"again": true`, in every answer. Otherwise
 * it reads the results of the tools, or the last message with the addresses of its images.
 */
function completionOf({ model, messages }: { model: string; messages: ChatMessage[] }) {
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const asked = parseAsked(messages[0]!.content);
  const calls = asked && (asked.again || results.length === 0) ? asked.calls : [];
  const toolCalls = calls.map((call, index) => ({
    id: `call_${results.length + index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const text = results.length > 0 ? results.join(' ') : readText(messages.at(-1)!.content);
  const message = toolCalls.length > 0 ? { content: null, tool_calls: toolCalls } : { content: `read: ${text}` };
  const finish_reason = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model, usage: USAGE },
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  };
}

function parseAsked(content: ChatMessage['content']): { calls: AskedCall[]; again?: boolean } | undefined {
  return typeof content === 'string' && content.startsWith('{"calls"') ? JSON.parse(content) : undefined;
}

function readText(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.map(part => part.text ?? part.image_url?.url).join(' ');
}
