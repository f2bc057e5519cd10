import type { ServerResponse } from 'node:http';
import type { Route } from '../route.js';
import { sendJsonText } from '../send-json.js';

/** A success as it leaves, and as it is kept for a request that is sent again. */
export interface Reply {
  readonly status: number;
  /** JSON; null for an answer without a body. */
  readonly text: string | null;
  /** Where the body is an envelope: the status inside, which the HTTP status does not tell. */
  readonly innerStatus?: number;
  /** Ids of the items that it shows without their payloads. */
  readonly shortened?: readonly string[];
}

/** Makes an answer of the value under the alias `body`. */
export type MakeReply = (route: Route, value: unknown) => Reply;

export function sendReply(res: ServerResponse, { status, text }: Reply): void {
  if (text !== null) return sendJsonText(res, status, text);
  res.statusCode = status;
  res.end();
}
