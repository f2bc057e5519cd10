import type { ServerResponse } from 'node:http';
import type { Route } from '../route.js';
import { sendJsonText } from '../send-json.js';

/** A successful response, also in the form in which it is stored for an idempotency key. */
export interface Reply {
  readonly status: number;
  /** JSON text; null for a response without a body. */
  readonly text: string | null;
  /** Member `status` of an envelope, which can differ from the HTTP status. */
  readonly innerStatus?: number;
  /** The entity tag of the body. */
  readonly etag?: string;
  /** Ids of the list items without payloads. */
  readonly shortened?: readonly string[];
}

/** Builds the reply from the value with the alias `body`. */
export type BuildReply = (route: Route, value: unknown) => Reply;

/** Sends a reply as JSON, or without a body. */
export function sendReply(res: ServerResponse, { status, text, etag }: Reply): void {
  if (etag !== undefined) res.setHeader('ETag', etag);
  if (text !== null) return sendJsonText(res, status, text);
  res.statusCode = status;
  res.end();
}
