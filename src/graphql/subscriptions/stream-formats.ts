import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';

/** The format of an HTTP response that carries a stream of results. Each member is text of the response body. */
export interface StreamFormat {
  contentType: string;
  /** Sent first, so that proxies and browsers forward the headers. */
  start: string;
  heartbeat: string;
  result(result: FormattedExecutionResult): string;
  /** Sent when the subscription has no further results. */
  completed: string;
  /** Sent when the service ends the stream and a retry would fail with the same error. */
  refused(error: GraphQLFormattedError): string;
  /** Sent when the service ends the stream and clients may subscribe again. */
  interrupted(error: GraphQLFormattedError): string;
}

/** Distinct connections mode of the protocol graphql-sse. */
const eventStream: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  start: ':\n\n',
  heartbeat: ':\n\n',
  result: result => `event: next\ndata: ${JSON.stringify(result)}\n\n`,
  completed: 'event: complete\ndata:\n\n',
  refused: error => eventStream.result({ errors: [error] }) + eventStream.completed,
  // Clients of the protocol connect again after a stream without `complete`.
  interrupted: () => '',
};

const BOUNDARY = 'graphql';

/** Each part is followed by its boundary, because clients read a part only up to the next boundary. */
const partOf = (value: object) => `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(value)}\r\n--${BOUNDARY}`;

/** Apollo's protocol for subscriptions over HTTP (multipart/mixed, subscriptionSpec=1.0). */
const multipart: StreamFormat = {
  contentType: `multipart/mixed;boundary="${BOUNDARY}";subscriptionSpec=1.0`,
  start: `\r\n--${BOUNDARY}`,
  heartbeat: partOf({}),
  result: result => partOf({ payload: result }),
  completed: '--\r\n',
  refused: error => `${partOf({ payload: null, errors: [error] })}--\r\n`,
  interrupted: error => multipart.refused(error),
};

/** Returns the stream format that an `Accept` header requests. Null: none. */
export function streamFormatOf(accept = ''): StreamFormat | null {
  if (/\btext\/event-stream\b/i.test(accept)) return eventStream;
  return accept.split(',').some(isMultipartRange) ? multipart : null;
}

function isMultipartRange(range: string): boolean {
  return /\bmultipart\/mixed\b/i.test(range) && /\bsubscriptionSpec="?1\.0\b/i.test(range);
}

/** Whether an `Accept` header also permits a single JSON result. */
export function acceptsJson(accept = ''): boolean {
  return /\bapplication\/(?:graphql-response\+|graphql\+)?json\b|\*\/\*/i.test(accept);
}

/**
 * Returns the media type of a single JSON result. `application/graphql-response+json` is preferred, because clients then
 * read the errors of a response with any HTTP status.
 */
export function jsonTypeOf(accept = ''): string {
  const isPreferred = /\bapplication\/graphql-response\+json\b/i.test(accept);
  return `${isPreferred ? 'application/graphql-response+json' : 'application/json'}; charset=utf-8`;
}
