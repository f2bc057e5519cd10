import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

type Fault = (response: http.ServerResponse, request: http.IncomingMessage) => void;

const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;

const completion = (usage: unknown) =>
  JSON.stringify({
    id: 'chatcmpl-faulty',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content: 'said' }, finish_reason: 'stop' }],
    ...(usage === undefined ? {} : { usage }),
  });

const respondWith = (body: string | Buffer, headers: http.OutgoingHttpHeaders = JSON_TYPE, status = 200): Fault => {
  return response => void response.writeHead(status, headers).end(body);
};
const completionWithUsage = (usage: unknown) => respondWith(completion(usage));

/** Sends pieces one after the other, as fast as the receiver accepts them. */
async function sendSlowly(response: http.ServerResponse, piece: Buffer, times: number, everyMs: number): Promise<void> {
  const gone = once(response, 'close');
  for (let sent = 0; sent < times && !response.destroyed; sent++) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), gone]);
    if (everyMs > 0) await new Promise(resolve => setTimeout(resolve, everyMs));
  }
  response.end();
}

/** 64 MiB of spaces around a small JSON text; 64 KiB when compressed. */
const BOMB = gzipSync(Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(64 * MIB, 0x20), Buffer.from('"}')]));

/** Faulty answers of an upstream. */
export const FAULTS: Record<string, Fault> = {
  reset: response => response.socket?.destroy(),
  'reset-within': response => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' }).write('{"choices":[');
    setTimeout(() => response.socket?.resetAndDestroy(), 50);
  },
  hang: () => {},
  'hang-after-headers': response => response.writeHead(200, JSON_TYPE).flushHeaders(),
  'byte-a-second': response => {
    response.writeHead(200, JSON_TYPE);
    void sendSlowly(response, Buffer.from(' '), 3_600, 1_000);
  },
  'status-429': respondWith('{"error":{"message":"slow down"}}', JSON_TYPE, 429),
  'status-429-in-a-second': respondWith('{"error":{"message":"slow down"}}', { ...JSON_TYPE, 'retry-after': '1' }, 429),
  'status-429-in-an-hour': respondWith(
    '{"error":{"message":"slow down"}}',
    { ...JSON_TYPE, 'retry-after': '3600' },
    429,
  ),
  'status-500': respondWith('{"error":{"message":"out of order"}}', JSON_TYPE, 500),
  'status-503-html': respondWith('<!doctype html><title>Bad gateway</title>', { 'content-type': 'text/html' }, 503),
  html: respondWith('<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' }),
  empty: respondWith(''),
  'no-content': respondWith('', {}, 204),
  truncated: respondWith(completion(undefined).slice(0, 80)),
  '100-megabytes': response => {
    response.writeHead(200, JSON_TYPE);
    void sendSlowly(response, Buffer.alloc(MIB, 0x20), 100, 0);
  },
  'too-short': response => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '100000' }).write(completion(undefined));
    setTimeout(() => response.socket?.end(), 50);
  },
  'not-gzip': respondWith('this is not gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  'gzip-bomb': respondWith(BOMB, { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  'redirect-loop': (response, request) => void response.writeHead(307, { location: request.url ?? '/' }).end(),
  'redirect-inside': respondWith('', { location: 'http://169.254.169.254/latest/meta-data/' }, 307),
  garbage: response => response.socket?.end('EHLO this is mail\r\n\r\n'),
  'huge-headers': respondWith('{}', { ...JSON_TYPE, 'x-filler': 'x'.repeat(200_000) }),
  'deep-json': respondWith(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  stall: response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"sa"}}]}\n\n');
  },
  'no-usage': completionWithUsage(undefined),
  'negative-usage': completionWithUsage({ prompt_tokens: -1_000, completion_tokens: -500, total_tokens: -1_500 }),
  'endless-usage': completionWithUsage({ prompt_tokens: 1e300, completion_tokens: 1e300, total_tokens: 1e300 }),
  'usage-in-words': completionWithUsage({ prompt_tokens: 'many', completion_tokens: null, total_tokens: [] }),
};

export interface FaultyServer {
  origin: string;
  /** Number of open connections. */
  open(): Promise<number>;
  stop(): Promise<void>;
}

/** A server that fails on request: by `fault:<fault>` in a message to a model, or by the path `/<fault>`. */
export async function startFaultyServer(): Promise<FaultyServer> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      const path = (request.url ?? '').slice(1);
      const name = path.startsWith('v1/') ? (/fault:([\w-]+)/.exec(body)?.[1] ?? '') : path;
      // A request that names no fault gets a valid completion.
      const fault =
        FAULTS[name] ?? completionWithUsage({ prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 });
      fault(response, request);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
