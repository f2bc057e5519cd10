import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** An answer that a resolver hands over as it is to leave. */
export interface VerbatimAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes, or what they come from: it is read as fast as the client reads, and destroyed when the client has gone. */
  readonly body: Buffer | Readable;
}

/** Bytes that are sooner copied than sent apart. */
const SHORT = 16_384;

/** Resolves when the answer has left, or nobody waits for it any more. */
export async function sendVerbatim(res: ServerResponse, { status, headers, body }: VerbatimAnswer): Promise<void> {
  const head: string[] = [];
  for (const name of Object.keys(headers)) head.push(name, headers[name] as string);
  if (Buffer.isBuffer(body)) {
    head.push('content-length', String(body.length));
    res.writeHead(status, head);
    // Head and text are one piece to Node, head and bytes two; this encoding keeps every byte.
    if (body.length <= SHORT) res.end(body.toString('latin1'), 'latin1');
    else res.end(body);
    return;
  }
  res.writeHead(status, head).flushHeaders();
  // An answer that has begun cannot be taken back: it breaks off, and whoever made it knows why.
  await pipeline(body, res).catch(() => res.destroy());
}
