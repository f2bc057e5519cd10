import { z } from 'zod';
import { parseFilename } from '../../../files/filename.js';
import { encodeForm, type FormPart } from '../../../files/multipart.js';
import type { FileStore } from '../../../files/port.js';
import { fileIdOfSetting, fileSetting, MAX_READ_BYTES } from '../../../files/reference.js';
import type { HttpResponse } from '../../../http-port.js';
import { setOwn, textOf } from '../../../json-value.js';
import { type CallContext, type HttpAnswer, type HttpRequest, PortError, type Ports } from '../../../ports.js';
import { storable } from '../../../storable.js';
import type { FieldForms } from '../../graph/node-form.js';
import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';
import {
  addressFaults,
  connectionField,
  connectionReferences,
  connectionSetting,
  isPath,
  NO_ADDRESS,
} from './connection.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Idempotent methods (RFC 9110), which need no idempotency key. */
const REPEATABLE = new Set<string>(['GET', 'HEAD', 'PUT', 'DELETE']);
/** Maximum characters of the names and values of the headers that a result keeps. */
const MAX_HEADER_CHARACTERS = 16 * 1024;
const COOKIES = new Set(['set-cookie', 'set-cookie2']);
const METHODS_WITHOUT_BODY = new Set<string>(['GET', 'HEAD']);
const MIB = 1024 * 1024;

/** Maximum number of parts of a form. */
const MAX_PARTS = 50;
const RESPONSES = ['auto', 'text', 'file'] as const;
const FILE_HELP = 'a file reference, such as the content of a node that returns a file, or its id';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Settings for files in the request and the response. */
const fileMembers = (setting: SettingMode) => ({
  body_file: setting
    .value(fileSetting)
    .nullish()
    .describe(
      `Request body instead of \`body\`: ${FILE_HELP}, at most 16 MiB. Its bytes are sent unchanged. Default: none.`,
    ),
  form: setting
    .value(
      z
        .array(
          z.looseObject({
            name: setting.text(z.string().min(1).max(200)).describe('Name of the part, 1-200 characters.'),
            value: setting.text(z.string()).nullish().describe('Text of the part. Default: the part is a file.'),
            file: setting.value(fileSetting).nullish().describe(`The file of the part: ${FILE_HELP}. Default: none.`),
          }),
        )
        .max(MAX_PARTS),
    )
    .nullish()
    .describe(
      'Parts of a multipart form (RFC 7578) that is sent instead of `body`, at most 50, together at most 16 MiB. Default: none.',
    ),
  response: setting
    .value(z.enum(RESPONSES))
    .nullish()
    .describe(
      'Form of the content. `auto`: a binary response becomes a file and the content its reference as JSON; any other response is text. `text`: always text. `file`: always a file. Default `auto`.',
    ),
});

/** Settings of the HTTP node, shared with HTTP tools of agents. */
export const httpSettings = (setting: SettingMode) =>
  z.looseObject({
    method: setting.value(z.enum(METHODS)).nullish().describe('HTTP method. Default `GET`.'),
    url: setting
      .text(z.string().refine(text => text.includes('{{') || isPath(text) || isHttpUrl(text), NO_ADDRESS))
      .describe(
        'URL of the request, http or https. Private addresses are refused unless `OUTBOUND_ALLOW` lists them. With a connection also a path below its base URL.',
      ),
    connection_id: connectionSetting(setting, 'http'),
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
    ...fileMembers(setting),
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

/** Form of the HTTP settings. */
export const httpFields: FieldForms = {
  connection_id: connectionField,
  method: { title: 'Method', widget: 'select', group: 'request' },
  url: { title: 'URL', widget: 'url', group: 'request' },
  params: { title: 'Query parameters', widget: 'key_value', group: 'request' },
  headers: { title: 'Headers', widget: 'key_value', group: 'request', isSecret: true },
  body: {
    title: 'Body',
    widget: 'textarea',
    group: 'request',
    showIf: { path: 'method', equals: METHODS.filter(method => !METHODS_WITHOUT_BODY.has(method)) },
  },
  body_file: { title: 'File as body', widget: 'text', group: 'advanced' },
  form: { title: 'Multipart form', widget: 'list', group: 'advanced' },
  'form.*.name': { title: 'Name', widget: 'text' },
  'form.*.value': { title: 'Text', widget: 'textarea' },
  'form.*.file': { title: 'File', widget: 'text' },
  response: { title: 'Content', widget: 'select', group: 'advanced' },
  fail_on_error_status: { title: 'Fail on status 400 and above', widget: 'switch', group: 'advanced' },
  max_response_bytes: { title: 'Maximum bytes of the response', widget: 'number', group: 'advanced' },
};

export const http = nodeKind({
  type: 'http-node',
  nodeType: 'HTTPNodeInput',
  title: 'HTTP request',
  description:
    'Sends an HTTP request. The content is the response body as text; of a binary response the reference of a file.',
  category: 'integration',
  effects: 'external',
  outputs: oneOutput,
  hasResponse: true,
  defaults: { method: 'GET', url: '', headers: {}, params: {}, fail_on_error_status: true, max_response_bytes: MIB },
  form: {
    icon: 'world',
    color: '#0891b2',
    fields: httpFields,
    content: { sample: '{"temperature": 21.5}' },
  },
  settings: httpSettings,
  references: data => [{ kind: 'host', path: 'url', value: data.url }, ...connectionReferences(data, 'http')],
  check: data => addressFaults(data, 'url'),
  execute: async ({ settings, ports, call }) => {
    const answer = await sendRequest(settings, ports, call);
    if (answer.status >= 400 && (settings.fail_on_error_status ?? true)) {
      const message = `the server answered with status ${answer.status}`;
      throw new PortError('http_status', message, { status: answer.status });
    }
    return { content: await contentOfResponse(answer, settings, ports, call), response: toResponse(answer) };
  },
});

/** Sends a request whose body may contain files. Throws a PortError. */
export async function sendRequest(settings: HttpSettings, ports: Ports, call: CallContext): Promise<HttpAnswer> {
  const body = await fileBody(settings, ports, call);
  const { response } = settings;
  const form = response === 'file' ? 'bytes' : response;
  return ports.http.request({ ...requestOf(settings, call, body), ...(form ? { response: form } : {}) }, call);
}

/** Returns a response for placeholders, without cookies, which are credentials, and without headers beyond the limit. */
export function toResponse({ status, headers }: HttpAnswer): HttpResponse {
  const kept: Record<string, string> = {};
  let left = MAX_HEADER_CHARACTERS;
  for (const [name, value] of Object.entries(headers)) {
    left -= name.length + value.length;
    if (left < 0) break;
    if (!COOKIES.has(name.toLowerCase())) setOwn(kept, name.toLowerCase(), storable(value));
  }
  return { status, headers: kept };
}

/** Returns the content of a response. Binary bodies are stored as files. */
export async function contentOfResponse(
  answer: HttpAnswer,
  { url }: HttpSettings,
  { files }: Ports,
  call: CallContext,
): Promise<string> {
  if (!answer.bytes) return answer.body;
  const name = parseFilename(answer.headers['content-disposition'], url);
  return JSON.stringify(await files.write({ name, bytes: answer.bytes }, call.idempotencyKey));
}

interface Body {
  content: string | Uint8Array;
  type: string;
}

async function fileBody(settings: HttpSettings, { files }: Ports, call: CallContext): Promise<Body | undefined> {
  const { body_file: file, form, body } = settings;
  if ([file, form, body].filter(source => source !== undefined && source !== null && source !== '').length > 1)
    throw new PortError('invalid_body', 'only one of body, body_file and form can be sent', { isFinal: true });
  if (METHODS_WITHOUT_BODY.has(settings.method ?? 'GET')) return undefined;
  if (form) return formBody(form, files, call);
  if (!file) return undefined;
  const { bytes, reference } = await files.read(fileIdOfSetting(file), MAX_READ_BYTES);
  return { content: bytes, type: reference.content_type };
}

async function formBody(form: NonNullable<HttpSettings['form']>, files: FileStore, call: CallContext): Promise<Body> {
  const parts: FormPart[] = [];
  let total = 0;
  for (const { name, value, file: partFile } of form) {
    if ((value ?? null) !== null && partFile)
      throw new PortError('invalid_body', `the part ${name} must have either value or file`, { isFinal: true });
    const loaded = partFile ? await files.read(fileIdOfSetting(partFile), MAX_READ_BYTES) : undefined;
    total += loaded?.bytes.length ?? value?.length ?? 0;
    if (total > MAX_READ_BYTES)
      throw new PortError('file_too_large', `the form has more than ${MAX_READ_BYTES} bytes`, { isFinal: true });
    const content = loaded
      ? { bytes: loaded.bytes, filename: loaded.reference.name, contentType: loaded.reference.content_type }
      : (value ?? '');
    parts.push({ name, content });
  }
  const { bytes, contentType } = encodeForm(parts, call.idempotencyKey);
  return { content: bytes, type: contentType };
}

/** Builds the request from resolved settings. Throws a PortError for values that are invalid after resolution. */
export function requestOf(settings: HttpSettings, call: CallContext, given?: Body): HttpRequest {
  const method = settings.method ?? 'GET';
  const headers = headersOf(settings.headers ?? {});
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()));
  if (!REPEATABLE.has(method) && !names.has('idempotency-key')) headers['Idempotency-Key'] = call.idempotencyKey;
  const body = METHODS_WITHOUT_BODY.has(method) ? undefined : (given ?? bodyOf(settings.body));
  if (body && !names.has('content-type')) headers['Content-Type'] = body.type;
  return {
    method,
    url: urlOf(settings),
    headers,
    ...(body ? { body: body.content } : {}),
    maxResponseBytes: settings.max_response_bytes ?? MIB,
    ...(settings.connection_id ? { connectionId: settings.connection_id } : {}),
  };
}

/** The address of a request whose `url` is a path. The connection replaces it. */
const PATH_BASE = 'http://connection.invalid';

function urlOf({ url: text, params, connection_id: connection }: HttpSettings): string {
  const isBelowBase = Boolean(connection) && isPath(text);
  if (!isBelowBase && !isHttpUrl(text)) throw new PortError('invalid_url', `url ${NO_ADDRESS}`, { isFinal: true });
  const url = new URL(text, PATH_BASE);
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(item));
  }
  return isBelowBase ? `${url.pathname}${url.search}` : url.href;
}

/** Converts headers to texts. Throws a PortError for an invalid name or value. */
export function headersOf(raw: NonNullable<HttpSettings['headers']>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === null) continue;
    const text = String(value).trim();
    // A line break in a value would inject another header.
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(text)) {
      throw new PortError('invalid_header', 'headers must have plain names and values without line breaks', {
        isFinal: true,
      });
    }
    headers[name] = text;
  }
  return headers;
}

function bodyOf(body: unknown): Body | undefined {
  if (body === undefined || body === null || body === '') return undefined;
  const text = textOf(body);
  return {
    content: text,
    type: typeof body !== 'string' || isJson(text) ? 'application/json' : 'text/plain; charset=utf-8',
  };
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
