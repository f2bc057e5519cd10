import type http from 'node:http';
import { serveHttp } from './loopback-server.js';

export interface FaultyUpstream {
  /** `http://127.0.0.1:<port>`; the OpenAI API is below `/v1`. */
  url: string;
  /** Bodies of the chat completion requests, in order. */
  chats: { model: string; messages: { role: string; content: string }[] }[];
  /** Bodies of the requests to `/echo`, in order. */
  posted: string[];
  /** Responds to the held request at `/held`, now or when it arrives. */
  release(): void;
  stop(): Promise<void>;
}

type Behaviour = (response: http.ServerResponse, body: string) => void;

/**
 * A server with configurable faults: an HTTP node selects them by the path, a model call by the name of the model.
 * Any other model echoes the message and reports a thousand tokens each for input and output.
 */
export async function startFaultyUpstream(): Promise<FaultyUpstream> {
  const chats: FaultyUpstream['chats'] = [];
  const posted: string[] = [];
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });

  const behaviours: Record<string, Behaviour> = {
    hang: () => {},
    held: response => void released.then(() => response.end('released')),
    reset: response => response.socket?.destroy(),
    html: response => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Welcome</title>'),
    boom: response => {
      response.statusCode = 500;
      response.setHeader('Content-Type', 'application/json').end('{"error":{"message":"out of order"}}');
    },
    echo: (response, body) => {
      posted.push(body);
      response.end(body);
    },
  };

  const server = await serveHttp((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      const path = (request.url ?? '').slice(1);
      if (path !== 'v1/chat/completions') return behaviours[path]?.(response, body) ?? undefined;
      const chat = JSON.parse(body) as FaultyUpstream['chats'][number];
      chats.push(chat);
      const behave = behaviours[chat.model] ?? complete;
      behave(response, body);
    });
  });
  return {
    url: server.url,
    chats,
    posted,
    release,
    stop: server.close,
  };
}

function complete(response: http.ServerResponse, body: string): void {
  const { model, messages } = JSON.parse(body) as FaultyUpstream['chats'][number];
  const answer = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: messages.at(-1)?.content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 },
  };
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
}
