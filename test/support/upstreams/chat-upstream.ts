import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AskedOfUpstream {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As it was sent. */
  text: string;
  body: any;
}

/** Answers one request; what it writes is what the upstream says. */
export type Says = (response: ServerResponse, asked: AskedOfUpstream) => unknown;

export interface ChatUpstream {
  origin: string;
  /** Requests in the order in which they came. */
  asked: AskedOfUpstream[];
  /** What is said from now on. */
  say(says: Says): void;
  stop(): Promise<void>;
}

/** A provider on loopback that says whatever a test has it say. */
export async function startChatUpstream(): Promise<ChatUpstream> {
  const asked: AskedOfUpstream[] = [];
  let says: Says = response => response.writeHead(404).end('{}');
  const server = http.createServer(async (request, response) => {
    const sent = await text(request);
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, text: sent, body: sent === '' ? undefined : JSON.parse(sent) };
    asked.push(one);
    await says(response, one);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    say(said) {
      says = said;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** JSON with a status. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Says =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Server-sent events, all at once. */
export const events =
  (...said: (string | object)[]): Says =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end(said.map(eventOf).join(''));
  };

export function eventOf(said: string | object): string {
  return `data: ${typeof said === 'string' ? said : JSON.stringify(said)}\n\n`;
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
