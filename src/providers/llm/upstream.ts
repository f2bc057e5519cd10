import { OutboundError } from '../../base/outbound/errors.js';
import type { Outbound, OutboundAnswer } from '../../base/outbound.js';
import { PortError } from '../../engine/ports.js';
import { storableText } from '../storable-text.js';

/** Where a provider is reached and with what credential. */
export interface Upstream {
  baseUrl: string;
  apiKey: string | undefined;
  outbound: Outbound;
}

export interface UpstreamCall {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  /** JSON text. */
  body?: string;
  maxResponseBytes: number;
  signal: AbortSignal;
}

const maxExcerpt = 300;
/** Shorter keys are those of servers that ask for none, and words of any text. */
const minMaskedKey = 16;

/** The upstream's JSON answer. Whatever goes wrong is a PortError that holds neither the key nor the body. */
export async function callUpstream(upstream: Upstream, call: UpstreamCall): Promise<unknown> {
  const { path, body, method, maxResponseBytes, signal } = call;
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (upstream.apiKey !== undefined) headers.authorization = `Bearer ${upstream.apiKey}`;
  const url = upstream.baseUrl + path;
  const answer = await upstream.outbound
    .request({ method, url, headers, body, maxResponseBytes, signal })
    .catch((error: unknown) => {
      throw portErrorOf(error, signal);
    });
  const parsed = parseJson(answer.body, upstream.apiKey);
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, parsed, upstream.apiKey);
  if (parsed !== undefined) return parsed;
  throw new PortError('bad_upstream_answer', 'The model provider did not answer with JSON.');
}

/** An abort for another reason than time (a cancelled run, a stopping worker) stays what it is. */
function portErrorOf(error: unknown, signal: AbortSignal): unknown {
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
      return new PortError('bad_upstream_answer', `The model provider's answer cannot be used. ${error.message}`);
    default:
      return new PortError('upstream_unreachable', `The model provider cannot be reached. ${error.message}`);
  }
}

function refusal({ status }: OutboundAnswer<Buffer>, parsed: unknown, apiKey: string | undefined): PortError {
  if (status === 401 || status === 403) {
    // Providers quote parts of the key that they refuse.
    return new PortError('upstream_error', `The model provider refused the configured credentials (status ${status}).`);
  }
  const said = excerptOf(parsed, apiKey);
  const detail = `status ${status}${said === '' ? '' : `: ${said}`}`;
  if (status === 429) return new PortError('rate_limited_upstream', `The model provider limits the rate (${detail}).`);
  if (status === 408 || status === 504)
    return new PortError('upstream_timeout', `The model provider did not answer in time (${detail}).`);
  return new PortError('upstream_error', `The model provider answered with an error (${detail}).`);
}

/** The message of an error object in the usual places, in one short line without anything that looks like a key. */
function excerptOf(parsed: unknown, apiKey: string | undefined): string {
  if (!isObject(parsed)) return '';
  const { error, message } = parsed;
  const said = typeof error === 'string' ? error : isObject(error) ? error.message : message;
  if (typeof said !== 'string') return '';
  const masked = (apiKey ? said.replaceAll(apiKey, '********') : said).replaceAll(/\bsk-[\w*.-]+/g, '********');
  const line = storableText(masked).replaceAll(/\s+/g, ' ').trim();
  return line.length > maxExcerpt ? `${line.slice(0, maxExcerpt).toWellFormed()}…` : line;
}

/** An upstream that says again what it was sent does not say the key: its answers are stored and shown. */
function parseJson(body: Buffer, apiKey: string | undefined): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  try {
    const isMasked = apiKey !== undefined && apiKey.length >= minMaskedKey;
    return JSON.parse(isMasked ? text.replaceAll(apiKey, '********') : text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
