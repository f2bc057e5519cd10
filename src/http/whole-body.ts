import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { Incoming, Step } from './middleware/step.js';

interface Options {
  /** Bytes. */
  limit: number;
  /** Which bodies are read; the others are left to those who need them. */
  type: (request: IncomingMessage) => boolean;
}

/**
 * Reads the body of a request into `body`, as bytes. A body that is not compressed and states its length within the limit is
 * collected here; Express's parser reads or refuses the rest.
 */
export function wholeBody({ limit, type }: Options): Step {
  const parser = express.raw({ type, limit }) as unknown as Step;
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
    if (length === undefined && transfer === undefined) return next();
    if (isPlain(request, limit) && type(request)) collect(request, next);
    else parser(request, response, next);
  };
}

/** Whether the body comes as it is, with a length of at most `limit` bytes. */
export function isPlain({ headers }: IncomingMessage, limit: number): boolean {
  const { 'content-length': length, 'transfer-encoding': transfer, 'content-encoding': coding } = headers;
  return (
    length !== undefined &&
    Number(length) <= limit &&
    transfer === undefined &&
    (coding === undefined || coding === 'identity')
  );
}

/** Never calls `next` when the client leaves: nothing waits for a response then. */
function collect(request: Incoming, next: (error?: unknown) => void): void {
  const chunks: Buffer[] = [];
  // Events of a request come in the context of its connection, a promise continues in that of the request.
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
