import type { ServerResponse } from 'node:http';
import { challenges } from './challenges.js';
import { errorFormat, errorObject, messagesErrorObject } from './error-object.js';
import { type FieldMessages, type RestError, restErrors } from './errors.js';
import { type ToRestPath, toDefaultRestPath } from './input/rest-path.js';
import type { AuthKind } from './route.js';
import { sendJson } from './send-json.js';

export interface RestErrorResponse extends RestError {
  /** The credentials of the route, which decide the header `WWW-Authenticate` of a 401. */
  readonly auth?: AuthKind | undefined;
  /** Value of the header `Allow` of a 405. */
  readonly allow?: readonly string[] | undefined;
  /** Converts the keys of `fields`. Default: snake case. */
  readonly toRestPath?: ToRestPath | null | undefined;
}

/** Sends every error of the REST API, of routes and of middleware. Closes the connection if headers are already sent. */
export function sendRestError(res: ServerResponse, error: RestErrorResponse): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.status === 401) res.setHeader('WWW-Authenticate', challenges[error.auth ?? 'API_KEY']);
  if (error.allow) res.setHeader('Allow', error.allow.join(', '));
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', String(error.retryAfter));
  sendJson(res, error.status, bodyOf(res, error));
}

function bodyOf(res: ServerResponse, error: RestErrorResponse): unknown {
  const format = errorFormat(res);
  if (format !== 'service') {
    const { detail } =
      error.status === restErrors.INTERNAL_SERVER_ERROR.status ? restErrors.INTERNAL_SERVER_ERROR : error;
    const fields = error.fields && renameFields(error.fields, error.toRestPath);
    return (format === 'anthropic' ? messagesErrorObject : errorObject)({ ...error, detail, fields });
  }
  if (error.fields) return renameFields(error.fields, error.toRestPath);
  if (error.status !== restErrors.INTERNAL_SERVER_ERROR.status) return { detail: error.detail, code: error.code };
  // The text of an internal error must never be sent.
  const { detail, code } = restErrors.INTERNAL_SERVER_ERROR;
  return { detail, code, request_id: String(res.getHeader('X-Request-Id') ?? '') };
}

/** Collects the messages in a map, because a path may be a name that a client chose, such as `constructor`. */
function renameFields(fields: FieldMessages, toRestPath: RestErrorResponse['toRestPath']): FieldMessages {
  const renamed = new Map<string, readonly string[]>();
  for (const [path, messages] of Object.entries(fields)) {
    const name = (toRestPath ?? toDefaultRestPath)(path);
    renamed.set(name, [...(renamed.get(name) ?? []), ...messages]);
  }
  return Object.fromEntries(renamed);
}
