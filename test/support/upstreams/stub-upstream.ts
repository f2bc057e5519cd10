import type http from 'node:http';
import { serveHttp } from './loopback-server.js';

/** Connections stay open for the duration of a test. */
const KEEP_ALIVE = { keepAliveTimeout: 60_000 };

export interface StubUpstream {
  /** Base URL, ends in /v1. */
  url: string;
  origin: string;
  /** Bodies of the chat requests, in the order of arrival. */
  requests: any[];
  /** Headers of the chat requests. */
  headers: http.IncomingHttpHeaders[];
  /** The other requests, in the order of arrival. */
  calls: { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }[];
  /** Responses of other paths, as JSON, bytes, or a function that returns one of them. Default: the number of such requests. */
  answers: Map<string, unknown>;
  /** The text of later chat responses. Null: the plain text `stub answer`. */
  respondWith(message: ((asked: any) => Record<string, unknown>) | null): void;
  /** Holds the next chat responses until they are released. */
  hold(): {
    arrived: Promise<void>;
    /** Resolves when the client closes the connection. */
    gone: Promise<void>;
    release(): void;
  };
  /** Resolves when a request to this path arrives. Requests to `/hang` never get a response. */
  arrival(path: string): Promise<void>;
  stop(): Promise<void>;
}

/** A server with the chat completion format and JSON responses for all other paths: real HTTP without a model. */
export async function startStubUpstream(): Promise<StubUpstream> {
  const requests: any[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const calls: StubUpstream['calls'] = [];
  const answers: StubUpstream['answers'] = new Map();
  let content: Parameters<StubUpstream['respondWith']>[0] = null;
  let gate: { arrived: () => void; gone: () => void; open: Promise<void> } | undefined;
  const awaited = new Map<string, () => void>();
  const server = await serveHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (!request.url?.endsWith('/chat/completions')) {
      calls.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      awaited.get(request.url ?? '')?.();
      if (request.url === '/hang') return;
      const given = answers.get(request.url ?? '');
      const answer = (typeof given === 'function' ? given() : given) ?? { path: request.url, seen: calls.length };
      if (Buffer.isBuffer(answer)) response.end(answer);
      else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
      return;
    }
    const asked = JSON.parse(body);
    requests.push(asked);
    headers.push(request.headers);
    const held = gate;
    held?.arrived();
    response.once('close', () => held?.gone());
    await held?.open;
    const completion = {
      id: 'chatcmpl-stub',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: asked.model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'stub answer', ...content?.(asked) },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 },
    };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(completion));
  }, KEEP_ALIVE);
  const { url: origin } = server;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    headers,
    calls,
    answers,
    respondWith(message) {
      content = message;
    },
    hold() {
      const arrived = Promise.withResolvers<void>();
      const open = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      gate = { arrived: arrived.resolve, gone: gone.resolve, open: open.promise };
      return {
        arrived: arrived.promise,
        gone: gone.promise,
        release() {
          gate = undefined;
          open.resolve();
        },
      };
    },
    arrival(path) {
      if (calls.some(call => call.path === path)) return Promise.resolve();
      return new Promise(resolve => awaited.set(path, resolve));
    },
    stop: server.close,
  };
}
