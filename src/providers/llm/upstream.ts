import type { Readable } from 'node:stream';
import { isObject } from '../../engine/json-value.js';
import { PortError } from '../../engine/ports.js';
import { MASK } from '../../engine/secrets.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import { tryParseJson } from '../../platform/json/try-parse-json.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import type { Headers } from '../../platform/outbound/headers.js';
import type { Outbound, OutboundAnswer } from '../../platform/outbound/outbound.js';
import { MappedStream } from '../../platform/streams/mapped-stream.js';
import { storableText } from '../storable-text.js';
import { KeyMask, maskKey, maskKeyInBytes } from './key-mask.js';
import { retryAfterMs } from './retry-after.js';

/** The address and credentials of an upstream. */
export interface Upstream {
  baseUrl: string;
  apiKey: string | undefined;
  outbound: Outbound;
  /** Returns the authentication headers. Default: `Authorization: Bearer`. */
  credentials?: (apiKey: string) => Record<string, string>;
}

export interface UpstreamCall {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  /** The body as JSON, or in the format of the header `content-type`. */
  body?: string | Buffer;
  maxResponseBytes: number;
  signal: AbortSignal;
  /** Time limit for the complete response. Default: none. */
  timeoutMs?: number;
}

/** An error response of an upstream. */
export class UpstreamRefusal extends PortError {
  constructor(
    code: string,
    message: string,
    status: number,
    /** The delay that the upstream requests before a retry. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(code, message, { status });
    this.name = 'UpstreamRefusal';
  }
}

/** Maximum characters of the message of an error response in an error. */
const MAX_EXCERPT = 300;

/**
 * Returns the JSON response of the upstream, with the key masked. Throws a PortError, which quotes at most the message of
 * an error response, without the key.
 */
export async function callUpstream(upstream: Upstream, call: UpstreamCall): Promise<unknown> {
  const parsed = parseJson(await callUpstreamForBytes(upstream, call), upstream.apiKey);
  if (parsed !== undefined) return parsed;
  throw new PortError('bad_upstream_answer', 'The model provider did not answer with JSON.');
}

/** Returns the bytes of the response of the upstream, for example speech. Throws a PortError like `callUpstream`. */
export async function callUpstreamForBytes(upstream: Upstream, call: UpstreamCall): Promise<Buffer> {
  const { outbound, apiKey } = upstream;
  const answer = await outbound.request(requestOf(upstream, call)).catch((error: unknown) => {
    throw portErrorOf(error, call.signal);
  });
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, parseJson(answer.body, apiKey), apiKey);
  return answer.body;
}

/** Masks the key in a response that is passed on. Especially error responses can quote the request. */
export function withoutKey(body: Buffer | Readable, { apiKey }: Upstream): Buffer | Readable {
  if (apiKey === undefined || !KeyMask.hides(apiKey)) return body;
  return Buffer.isBuffer(body) ? maskKeyInBytes(body, apiKey) : new MappedStream(body, new KeyMask(apiKey));
}

/** Builds the headers of a request. */
export function headersOf({ apiKey, credentials = bearer }: Upstream, own: Headers = {}, hasBody = true): Headers {
  return {
    accept: 'application/json',
    ...(hasBody && { 'content-type': 'application/json' }),
    ...own,
    ...(apiKey !== undefined && credentials(apiKey)),
  };
}

function requestOf(upstream: Upstream, { path, ...call }: UpstreamCall) {
  const headers = headersOf(upstream, call.headers, call.body !== undefined);
  return { ...call, url: upstream.baseUrl + path, headers };
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

/** Converts a network failure or timeout to a PortError. Other aborts (a cancelled run, a stopping worker) are returned unchanged. */
export function portErrorOf(error: unknown, signal: AbortSignalLike): unknown {
  if (signal.aborted) {
    const isTimeout = (error as { name?: unknown } | null)?.name === 'TimeoutError';
    return isTimeout ? new PortError('upstream_timeout', 'The model provider did not answer in time.') : error;
  }
  if (!(error instanceof OutboundError)) return error;
  switch (error.code) {
    case 'timeout':
      return new PortError('upstream_timeout', 'The model provider did not answer in time.');
    case 'response_too_large':
    case 'bad_response':
      return new PortError('bad_upstream_answer', `The response of the model provider is invalid. ${error.message}`);
    default:
      return new PortError('upstream_unreachable', `The model provider cannot be reached. ${error.message}`);
  }
}

function refusal({ status, headers }: OutboundAnswer<Buffer>, parsed: unknown, apiKey: string | undefined): PortError {
  const refused = (code: string, message: string) => new UpstreamRefusal(code, message, status, retryAfterMs(headers));
  if (status === 401 || status === 403) {
    // Omits the message: providers quote parts of a rejected key.
    return refused(
      'upstream_error',
      `The model provider rejected the configured credentials (status ${status}). Check its API key.`,
    );
  }
  const text = excerptOf(parsed, apiKey);
  const detail = `status ${status}${text === '' ? '' : `: ${text}`}`;
  if (status === 429) return refused('rate_limited_upstream', `The model provider limits the rate (${detail}).`);
  if (status === 408 || status === 504)
    return refused('upstream_timeout', `The model provider did not answer in time (${detail}).`);
  return refused('upstream_error', `The model provider answered with an error (${detail}).`);
}

/** Extracts the message of an error response as one line of at most 300 characters, without texts that look like keys. */
function excerptOf(parsed: unknown, apiKey: string | undefined): string {
  if (!isObject(parsed)) return '';
  const { error, message } = parsed;
  const text = typeof error === 'string' ? error : isObject(error) ? error.message : message;
  if (typeof text !== 'string') return '';
  // Masks short keys too, which `parseJson` leaves.
  const masked = (apiKey ? text.replaceAll(apiKey, MASK) : text).replaceAll(/\bsk-[\w*.-]+/g, MASK);
  const line = storableText(masked).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT).toWellFormed()}…` : line;
}

/** Masks the key before parsing, because responses are stored and displayed. */
function parseJson(body: Buffer, apiKey: string | undefined): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  return tryParseJson(apiKey === undefined ? text : maskKey(text, apiKey));
}
