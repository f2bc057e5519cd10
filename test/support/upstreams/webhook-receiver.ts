import type http from 'node:http';
import { serveHttp } from './loopback-server.js';

export interface ReceivedWebhook {
  path: string;
  headers: Record<string, string>;
  /** The unparsed body. */
  text: string;
  body: { type: string; timestamp: string; data: Record<string, any> };
}

type Answer = (response: http.ServerResponse, call: ReceivedWebhook, nth: number) => void;

export interface WebhookReceiver {
  origin: string;
  /** Requests to a path, in order. */
  calls(path: string): ReceivedWebhook[];
  /** Sets the responses to later requests of a path. Default: 204. */
  answer(path: string, answer: Answer): void;
  stop(): Promise<void>;
}

/** A real HTTP server that receives webhooks. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const answers = new Map<string, Answer>();
  const callsOf = (path: string) => received.filter(call => call.path === path);
  const server = await serveHttp(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = request.url ?? '';
    const call = { path, headers: request.headers as Record<string, string>, text, body: JSON.parse(text) };
    received.push(call);
    const answer = answers.get(path);
    if (answer) answer(response, call, callsOf(path).length);
    else response.writeHead(204).end();
  });
  return {
    origin: server.url,
    calls: callsOf,
    answer: (path, answer) => void answers.set(path, answer),
    stop: server.close,
  };
}

/** A response with a status only. */
export const status =
  (code: number, headers: http.OutgoingHttpHeaders = {}): Answer =>
  response =>
    void response.writeHead(code, headers).end();
