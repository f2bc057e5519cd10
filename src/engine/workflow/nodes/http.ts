import { z } from 'zod';
import { textOf } from '../../json-value.js';
import { type CallContext, type HttpRequest, PortError } from '../../ports.js';
import { nodeKind, oneOutput } from '../graph/node-kind.js';
import type { SettingMode } from '../graph/settings.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Idempotent methods (RFC 9110), which need no idempotency key. */
const REPEATABLE = new Set<string>(['GET', 'HEAD', 'PUT', 'DELETE']);
const BODILESS = new Set<string>(['GET', 'HEAD']);
const MIB = 1024 * 1024;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Settings of the HTTP node, shared with HTTP tools of agents. */
export const httpSettings = (setting: SettingMode) =>
  z.looseObject({
    method: setting.value(z.enum(METHODS)).nullish().describe('HTTP method. Default `GET`.'),
    url: setting
      .text(z.string().refine(text => text.includes('{{') || isHttpUrl(text), 'must be an http or https address'))
      .describe('URL of the request, http or https.'),
    headers: setting
      .value(z.record(z.string(), scalar.nullable()))
      .nullish()
      .describe('Request headers by name; null omits a header. Default: none.'),
    params: setting
      .value(z.record(z.string(), z.union([scalar, z.array(scalar)]).nullable()))
      .nullish()
      .describe(
        'Query parameters that are added to the URL; a list repeats the parameter, null omits it. Default: none.',
      ),
    body: z
      .unknown()
      .optional()
      .describe(
        'Request body: a text with placeholders, or any JSON value. Not sent with GET and HEAD. Default: none.',
      ),
    fail_on_error_status: setting
      .value(z.boolean())
      .nullish()
      .describe('True: a response status of 400 or more fails the node. Default true.'),
    max_response_bytes: setting
      .value(
        z
          .number()
          .int()
          .min(1)
          .max(16 * MIB),
      )
      .nullish()
      .describe(
        'Maximum bytes of the response body, 1-16777216. A larger body fails the node. Default 1048576 (1 MiB).',
      ),
  });
export type HttpSettings = z.infer<ReturnType<typeof httpSettings>>;

export const http = nodeKind({
  type: 'http-node',
  nodeType: 'HTTPNodeInput',
  title: 'HTTP request',
  description: 'Sends an HTTP request. The content is the response body as text.',
  category: 'integration',
  effects: 'outside',
  outputs: oneOutput,
  defaults: { method: 'GET', url: '', headers: {}, params: {}, fail_on_error_status: true, max_response_bytes: MIB },
  settings: httpSettings,
  references: ({ url: value }) => [{ kind: 'host', path: 'url', value }],
  execute: async ({ settings, ports, call }) => {
    const answer = await ports.http.request(requestOf(settings, call), call);
    if (answer.status >= 400 && (settings.fail_on_error_status ?? true)) {
      throw new PortError('http_status', `the server answered with status ${answer.status}`);
    }
    return { content: answer.body };
  },
});

/** Builds the request from resolved settings. Throws a PortError for values that are invalid after resolution. */
export function requestOf(settings: HttpSettings, call: CallContext): HttpRequest {
  const method = settings.method ?? 'GET';
  const headers = headersOf(settings.headers ?? {});
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()));
  if (!REPEATABLE.has(method) && !names.has('idempotency-key')) headers['Idempotency-Key'] = call.idempotencyKey;
  const body = BODILESS.has(method) ? undefined : bodyOf(settings.body);
  if (body && !names.has('content-type')) headers['Content-Type'] = body.type;
  return {
    method,
    url: urlOf(settings),
    headers,
    ...(body ? { body: body.text } : {}),
    maxResponseBytes: settings.max_response_bytes ?? MIB,
  };
}

function urlOf({ url: text, params }: HttpSettings): string {
  if (!isHttpUrl(text)) throw new PortError('invalid_url', 'url must be an http or https address');
  const url = new URL(text);
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(item));
  }
  return url.href;
}

/** Converts headers to texts. Throws a PortError for an invalid name or value. */
export function headersOf(raw: NonNullable<HttpSettings['headers']>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === null) continue;
    const text = String(value).trim();
    // A line break in a value would inject another header.
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(text)) {
      throw new PortError('invalid_header', 'headers must have plain names and values without line breaks');
    }
    headers[name] = text;
  }
  return headers;
}

function bodyOf(body: unknown): { text: string; type: string } | undefined {
  if (body === undefined || body === null || body === '') return undefined;
  const text = textOf(body);
  return { text, type: typeof body !== 'string' || isJson(text) ? 'application/json' : 'text/plain; charset=utf-8' };
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns true for an http or https URL. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}
