import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { forRequest } from '../base/request-id.js';
import type { Step } from './step.js';

const REQUEST_ID = /^[\w.-]{1,128}$/;

/** The id a caller sent, where it can stand in a header and a log; otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Stands first: whatever answers, its answer bears an id. */
export const withRequestId: Step = (request, response, next) => {
  const id = requestIdOf(request);
  response.setHeader('X-Request-Id', id);
  forRequest(id, next);
};
