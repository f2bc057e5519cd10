import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request. `body` is set after it has been read; undefined for a request without a body. */
export type IncomingRequest = IncomingMessage & { body?: unknown };

/** Middleware without Express APIs: it responds or calls `next`. */
export type Middleware = (request: IncomingRequest, response: ServerResponse, next: (error?: unknown) => void) => void;
