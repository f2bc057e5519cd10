import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RestError, restErrorOf, restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import { domainErrorOf } from '../../graphql/errors.js';
import type { Log } from '../../platform/logging/log.js';
import { currentRequestId } from '../../platform/requests/request-id.js';

export type ErrorHandler = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

/** Answers faults of body parsers and errors that were thrown outside an operation; never with an HTML page or a stack. */
export function createErrorHandler(log: Log): ErrorHandler {
  return (error, _request, response) => {
    // An answer that has begun cannot be taken back.
    if (response.headersSent) return void response.destroy();
    const refusal = restErrorOf(domainErrorOf(error) ?? error) ?? refusalOfStatus(error);
    if (refusal) return sendRestError(response, refusal);
    log.error({ err: error, requestId: currentRequestId() }, 'a request failed');
    sendRestError(response, restErrors.INTERNAL_SERVER_ERROR);
  };
}

/** Express and its parsers say by a status whose fault it is; every other word of theirs stays inside. */
function refusalOfStatus(error: unknown): RestError | undefined {
  const status = Number((error as { status?: unknown } | null)?.status);
  if (!(status >= 400 && status < 500)) return undefined;
  return (
    Object.values<RestError>(restErrors).find(kind => kind.status === status && status !== 400) ??
    restErrors.PARSE_ERROR
  );
}
