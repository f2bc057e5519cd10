const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** A complete HTTP request or response. */
export interface HttpMessage {
  /** The first line and the headers. */
  head: string;
  body: Buffer;
  /** Whether `body` consists of chunks (`decodeChunks`). */
  isChunked: boolean;
}

/**
 * Returns the only message in `received`, or undefined while it is incomplete. Its body has a length, or chunks, or is absent. For the tools of
 * the benchmark, which use little CPU time because they run on the measured machine.
 */
export function readMessage(received: Buffer): HttpMessage | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const body = received.subarray(end + HEAD_END.length);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  const isComplete = isChunked ? body.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : body.length >= length;
  return isComplete ? { head, body, isChunked } : undefined;
}

export function decodeChunks(body: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, line), 16);
    if (!(size > 0)) return Buffer.concat(parts).toString('utf8');
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
