import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A complete HTTP response from a resolver. */
export interface VerbatimAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes or a stream. A stream is read with backpressure and destroyed when the client disconnects. */
  readonly body: Buffer | Readable;
}

/** Up to this size, copying the body is faster than a separate write. */
const SHORT = 16_384;

/** Sends a verbatim response. Resolves when it is sent or the client has disconnected. */
export async function sendVerbatim(res: ServerResponse, { status, headers, body }: VerbatimAnswer): Promise<void> {
  const head: string[] = [];
  for (const name of Object.keys(headers)) head.push(name, headers[name] as string);
  if (Buffer.isBuffer(body)) {
    head.push('content-length', String(body.length));
    res.writeHead(status, head);
    // Node sends headers and a string in one write, but headers and a buffer in two. Latin-1 preserves every byte.
    if (body.length <= SHORT) res.end(body.toString('latin1'), 'latin1');
    else res.end(body);
    return;
  }
  res.writeHead(status, head).flushHeaders();
  // The headers are already sent, so an error can only close the connection. The resolver reports the error.
  await pipeline(body, res).catch(() => res.destroy());
}
