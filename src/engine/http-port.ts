import type { CallContext } from './call-context.js';

/** An outgoing HTTP request. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** Connection that adds credentials. It also completes a `url` that is a path. Absent: none. */
  connectionId?: number;
  maxResponseBytes: number;
  /** Form of the response body. `auto`: text unless the response is binary. Absent: `auto`. */
  response?: HttpResponseForm;
  /** Throws a PortError if a redirect must not be followed. Absent: redirects to any host are followed. */
  checkRedirect?(next: RedirectedRequest): void;
}

/** The request that follows a redirect. */
export interface RedirectedRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

/** How the body of a response is returned. */
export type HttpResponseForm = 'auto' | 'text' | 'bytes';

/** The response to an outgoing HTTP request. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  /** Empty if `bytes` is set. */
  body: string;
  /** The body without conversion. Set only if it is binary, or bytes were requested. */
  bytes?: Uint8Array;
}

/** The status and the headers of a response as a value. Header names are in lower case. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** Sends HTTP requests. */
export interface HttpCaller {
  request(request: HttpRequest, call: CallContext): Promise<HttpAnswer>;
}
