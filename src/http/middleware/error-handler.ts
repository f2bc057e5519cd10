import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RestError, restErrorOf, restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import { domainErrorOf } from '../../graphql/errors.js';
import type { Log } from '../../platform/logging/log.js';
import { currentRequestId } from '../../platform/requests/request-id.js';

export type ErrorHandler = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

/** Responds to body parser errors and to errors thrown outside an operation, always in the JSON error format and without a stack. */
export function createErrorHandler(log: Log): ErrorHandler {
  return (error, _request, response) => {
    // After the response has started its status cannot change.
    if (response.headersSent) return void response.destroy();
    const refusal = restErrorOf(domainErrorOf(error) ?? error) ?? refusalOfStatus(error);
    if (refusal) return sendRestError(response, refusal);
    log.error({ err: error, requestId: currentRequestId() }, 'request failed');
    sendRestError(response, restErrors.INTERNAL_SERVER_ERROR);
  };
}

/** Maps the status of an error of Express or its parsers. The message is not passed on, because it may contain input. */
function refusalOfStatus(error: unknown): RestError | undefined {
  const status = Number((error as { status?: unknown } | null)?.status);
  if (!(status >= 400 && status < 500)) return undefined;
  return (
    Object.values<RestError>(restErrors).find(kind => kind.status === status && status !== 400) ??
    restErrors.PARSE_ERROR
  );
}
