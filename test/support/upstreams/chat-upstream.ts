import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveHttp } from './loopback-server.js';

/** A request that the upstream received. */
export interface UpstreamRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The unparsed body. */
  text: string;
  body: any;
}

/** Responds to one request. */
export type Responder = (response: ServerResponse, request: UpstreamRequest) => unknown;

export interface ChatUpstream {
  origin: string;
  /** Requests in the order of their arrival. */
  requests: UpstreamRequest[];
  /** Sets the response to later requests. */
  respondWith(respond: Responder): void;
  stop(): Promise<void>;
}

/** A model provider on loopback with responses that the test sets. */
export async function startChatUpstream(): Promise<ChatUpstream> {
  const requests: UpstreamRequest[] = [];
  let respond: Responder = response => response.writeHead(404).end('{}');
  const server = await serveHttp(async (request, response) => {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const one = {
      method,
      path,
      headers,
      text: body,
      body: isJson(headers) && body !== '' ? JSON.parse(body) : undefined,
    };
    requests.push(one);
    await respond(response, one);
  });
  return {
    origin: server.url,
    requests,
    respondWith(responder) {
      respond = responder;
    },
    stop: server.close,
  };
}

const isJson = (headers: IncomingHttpHeaders) => headers['content-type']?.startsWith('multipart/') !== true;

/** A JSON response with a status. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Responder =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Server-sent events in one chunk. */
export const events =
  (...items: (string | object)[]): Responder =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end(items.map(eventOf).join(''));
  };

export function eventOf(event: string | object): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}

export const USAGE = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

export const completion = (message: object = { content: 'Hi.' }, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o-mini-2024-07-18',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  usage: USAGE,
  ...more,
});

export const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
