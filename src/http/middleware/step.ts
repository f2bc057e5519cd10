import type { IncomingMessage, ServerResponse } from 'node:http';

/** `body`: what has been read of the request; undefined when there was nothing to read. */
export type Incoming = IncomingMessage & { body?: unknown };

/** Middleware that uses nothing of Express: it responds, or calls `next`. */
export type Step = (request: Incoming, response: ServerResponse, next: (error?: unknown) => void) => void;
