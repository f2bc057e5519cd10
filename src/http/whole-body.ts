import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { Incoming, Step } from './middleware/step.js';
import { Request } from './request.js';

interface Options {
  /** Bytes. */
  limit: number;
  /** Bodies that are taken; the others are left to whoever reads them. */
  type: (request: IncomingMessage) => boolean;
}

/**
 * The body of a request as bytes, in `body`. Express's parser takes those that are compressed, of unknown length or too
 * large, and refuses what is to be refused; what comes plain and with its length needs no more than to be collected.
 */
export function wholeBody({ limit, type }: Options): Step {
  const parser = express.raw({ type, limit }) as unknown as Step;
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': transfer, 'content-encoding': coding } = request.headers;
    if (length === undefined && transfer === undefined) return next();
    const isPlain = transfer === undefined && (coding === undefined || coding === 'identity');
    if (isPlain && Number(length) <= limit && type(request) && request instanceof Request) collect(request, next);
    else parser(request, response, next);
  };
}

function collect(request: Incoming & Request, next: () => void): void {
  void request.whole().then(body => {
    request.body = body;
    next();
  });
}
