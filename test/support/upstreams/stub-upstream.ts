import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubUpstream {
  /** Base URL, ends in /v1. */
  url: string;
  origin: string;
  /** Bodies of the chat requests that arrived, in order. */
  requests: any[];
  /** Headers of the same. */
  headers: http.IncomingHttpHeaders[];
  /** Paths of the other requests that arrived. */
  calls: { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }[];
  /** What other paths answer, as JSON or as bytes; one that is not here answers how often such calls came. */
  answers: Map<string, unknown>;
  /** What the model says from now on; null: the plain text `stub answer`. */
  say(message: ((asked: any) => Record<string, unknown>) | null): void;
  /** Keeps the next chat answers back until released. */
  hold(): { arrived: Promise<void> /** The client closed the connection. */; gone: Promise<void>; release(): void };
  /** A call of this path has arrived. Calls of `/hang` are never answered. */
  arrival(path: string): Promise<void>;
  stop(): Promise<void>;
}

/** A server that speaks the chat-completion format, and answers anything else with JSON: real HTTP, no model. */
export async function startStubUpstream(): Promise<StubUpstream> {
  const requests: any[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const calls: StubUpstream['calls'] = [];
  const answers: StubUpstream['answers'] = new Map();
  let said: Parameters<StubUpstream['say']>[0] = null;
  let gate: { arrived: () => void; gone: () => void; open: Promise<void> } | undefined;
  const awaited = new Map<string, () => void>();
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (!request.url?.endsWith('/chat/completions')) {
      calls.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      awaited.get(request.url ?? '')?.();
      if (request.url === '/hang') return;
      const answer = answers.get(request.url ?? '') ?? { path: request.url, seen: calls.length };
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
        { index: 0, message: { role: 'assistant', content: 'stub answer', ...said?.(asked) }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 },
    };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(completion));
  });
  // Callers find their connection open for as long as a test takes.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    headers,
    calls,
    answers,
    say(message) {
      said = message;
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
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
