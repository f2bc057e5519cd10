import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received call: its ticket, and its number among the calls of the same kind for this ticket. */
export interface UpstreamCall {
  ticket: string;
  kind: 'llm' | 'http';
  nth: number;
  key: string | undefined;
  at: number;
}

export interface TicketUpstream {
  origin: string;
  /** Calls of a ticket, in the order of their arrival. */
  callsOf(ticket: string): UpstreamCall[];
  /** Number of received webhooks of a run's end, by run. */
  webhooks: Map<string, number>;
  /** Calls that are being answered now. */
  readonly open: number;
  stop(): Promise<void>;
}

const TICKET = /ticket-[0-9a-f-]{36}/;
const NO_TICKET = 'none';
/** The answer to calls without a ticket: phrases for a keyword run. */
const PHRASES = '["green tea", "black tea", "espresso"]';
const MEDIA_USAGE = { input_tokens: 10, output_tokens: 1_000, total_tokens: 1_010 };
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Answers of models of images and speech, by path. */
const MEDIA: Record<string, object> = {
  '/images/generations': { data: [{ b64_json: PIXEL }], usage: MEDIA_USAGE },
  '/audio/speech': Buffer.from('ID3\x04\x00\x00speech', 'latin1'),
  '/audio/transcriptions': { text: 'Hello', usage: MEDIA_USAGE },
};
const USAGE = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

/**
 * A model provider, an HTTP service and a webhook receiver in one. It records every call. An answer contains the
 * number of its call, so that a stored answer identifies the call it came from.
 */
export async function startTicketUpstream(delayMs: () => number): Promise<TicketUpstream> {
  const calls = new Map<string, UpstreamCall[]>();
  const webhooks = new Map<string, number>();
  const counts = new Map<string, number>();
  let open = 0;
  const recordCall = (kind: UpstreamCall['kind'], body: string, key: string | undefined): UpstreamCall => {
    const ticket = TICKET.exec(body)?.[0] ?? NO_TICKET;
    const nth = (counts.get(`${kind} ${ticket}`) ?? 0) + 1;
    counts.set(`${kind} ${ticket}`, nth);
    const call = { ticket, kind, nth, key, at: Date.now() };
    const ofTicket = calls.get(ticket) ?? [];
    ofTicket.push(call);
    calls.set(ticket, ofTicket);
    return call;
  };
  const server = http.createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('error', () => {});
    for await (const chunk of request) body += chunk;
    if (request.url === '/webhook') {
      const { data } = JSON.parse(body) as { data: { id: string } };
      webhooks.set(data.id, (webhooks.get(data.id) ?? 0) + 1);
      return void response.writeHead(204).end();
    }
    const kind = request.url?.endsWith('/chat/completions') ? 'llm' : 'http';
    const key = request.headers['idempotency-key'];
    const call = recordCall(kind, body, Array.isArray(key) ? key[0] : key);
    open++;
    await new Promise(resolve => setTimeout(resolve, delayMs()));
    open--;
    const media = MEDIA[request.url?.replace('/v1', '') ?? ''];
    if (Buffer.isBuffer(media)) return void response.end(media);
    if (media) return void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(media));
    const content = call.ticket === NO_TICKET ? PHRASES : `${call.ticket} ${call.nth}`;
    const answer = kind === 'llm' ? completion(content) : { ticket: call.ticket, nth: call.nth };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  // A machine under load is slow to notice that an idle connection was closed, which is not the fault to test.
  server.keepAliveTimeout = 120_000;
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', 2_048, resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    callsOf: ticket => calls.get(ticket) ?? [],
    webhooks,
    get open() {
      return open;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function completion(content: string) {
  return {
    id: 'chatcmpl-ticket',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: USAGE,
  };
}
