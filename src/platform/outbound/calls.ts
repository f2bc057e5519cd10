import type { Readable } from 'node:stream';
import type { AbortSignalLike } from '../async/abort-signal.js';
import type { Headers } from './headers.js';

/** A body that is streamed and readable only once. A request with such a body cannot follow redirects. */
export interface SizedStream {
  stream: Readable;
  /** Length in bytes. */
  length: number;
}

export interface OutboundRequest {
  method: string;
  url: string;
  /** Frozen headers are validated only at their first call. */
  headers?: Readonly<Headers>;
  body?: string | Uint8Array | SizedStream;
  /** An abort ends the call with the reason of the signal. */
  signal: AbortSignalLike;
  /** Limit in bytes for the body as received and as decoded. */
  maxResponseBytes: number;
  /** `request`: until the whole response has arrived; `open`: until its headers have. Default: none. */
  timeoutMs?: number;
  /**
   * Follows at most 5 redirects and checks each like the first request. Possible credentials are not sent to another
   * origin.
   */
  followRedirects?: boolean;
  /** Throws if a redirect must not be followed. The error becomes the cause of the `OutboundError` with which the call rejects. */
  checkRedirect?: RedirectCheck | undefined;
}

/** The request that follows a redirect. */
export interface RedirectedRequest {
  url: string;
  headers: Readonly<Headers>;
  body: string | Uint8Array | undefined;
}

export type RedirectCheck = (next: RedirectedRequest) => void;

export interface OutboundAnswer<Body> {
  status: number;
  /** Names in lower case. Values of a repeated header are joined by commas. */
  headers: Headers;
  /** All headers as separate entries, for those that cannot be joined (`set-cookie`). */
  headerList(): [string, string][];
  /** The URL of the response after redirects. */
  url: string;
  body: Body;
}

/** The only HTTP client for calls on behalf of users. Rejects with `OutboundError`. */
export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundAnswer<Buffer>>;
  /** Opens the body as a stream. The caller must read it to the end or destroy it. */
  open(request: OutboundRequest): Promise<OutboundAnswer<Readable>>;
  fetch(
    input: Parameters<typeof globalThis.fetch>[0],
    init?: RequestInit & Pick<OutboundRequest, 'checkRedirect'>,
  ): Promise<Response>;
  close(): Promise<void>;
}
