import type { Readable } from 'node:stream';
import type { AbortSignalLike } from '../async/abort-signal.js';
import type { Headers } from './headers.js';

/** A body that is read once as it is sent: a call with one follows no redirects. */
export interface SizedStream {
  stream: Readable;
  /** Bytes. */
  length: number;
}

export interface OutboundRequest {
  method: string;
  url: string;
  /** Frozen ones are checked at their first call alone. */
  headers?: Readonly<Headers>;
  body?: string | Uint8Array | SizedStream;
  /** Ends the call with the signal's own reason. */
  signal: AbortSignalLike;
  /** Limit of the body as received and as decoded. */
  maxResponseBytes: number;
  /** `request`: until the whole answer is there; `open`: until its headers are. None unless given. */
  timeoutMs?: number;
  /** At most 5, each hop checked like the first; what may be a credential does not go to another origin. */
  followRedirects?: boolean;
}

export interface OutboundAnswer<Body> {
  status: number;
  /** Names in lower case; a repeated header joined by commas. */
  headers: Headers;
  /** Every header by itself, for those that cannot be joined (`set-cookie`). */
  headerList(): [string, string][];
  /** Where the answer came from, after redirects. */
  url: string;
  body: Body;
}

/** The only way out of this process for calls that are made for users. Its failures are `OutboundError`s. */
export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundAnswer<Buffer>>;
  /** The body as it comes in; whoever opens it reads it to its end or destroys it. */
  open(request: OutboundRequest): Promise<OutboundAnswer<Readable>>;
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}
