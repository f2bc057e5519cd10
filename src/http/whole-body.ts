import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { IncomingRequest, Middleware } from './middleware/middleware.js';

interface Options {
  /** Maximum size in bytes. */
  limit: number;
  /** Whether the body of a request is read. */
  type: (request: IncomingMessage) => boolean;
}

/**
 * Middleware that reads the body of a request into `body`, as bytes. An uncompressed body with a Content-Length within the limit is
 * collected directly. Express's parser reads or rejects all others.
 */
export function wholeBody({ limit, type }: Options): Middleware {
  const parser = express.raw({ type, limit }) as unknown as Middleware;
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
    if (length === undefined && transfer === undefined) return next();
    if (isPlainBody(request, limit) && type(request)) collect(request, next);
    else parser(request, response, next);
  };
}

/** Whether the body is uncompressed and has a Content-Length of at most `limit` bytes. */
export function isPlainBody({ headers }: IncomingMessage, limit: number): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer, 'content-encoding': coding } = headers;
  return (
    length !== undefined &&
    Number(length) <= limit &&
    transfer === undefined &&
    (coding === undefined || coding === 'identity')
  );
}

/** Never calls `next` if the client disconnects. */
function collect(request: IncomingRequest, next: (error?: unknown) => void): void {
  const chunks: Buffer[] = [];
  // Events of a request have the async context of its connection; a promise preserves the context of the request.
  const end = new Promise<void>(resolve => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', resolve);
    request.on('error', () => {});
  });
  void end.then(() => {
    request.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    next();
  });
}
