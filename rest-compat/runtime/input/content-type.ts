import { RestFault } from '../errors.js';

export interface ContentType {
  /** Media type in lower case, without parameters; null without the header. */
  readonly type: string | null;
  readonly charset: string;
}

/** The most common header, without parsing. */
const PLAIN_JSON: ContentType = { type: 'application/json', charset: 'utf-8' };

/** Parses the header `Content-Type`. The default charset is UTF-8. */
export function readContentType(header: string | undefined): ContentType {
  if (header === 'application/json') return PLAIN_JSON;
  const [type = '', ...parameters] = (header ?? '').split(';').map(text => text.trim());
  const charset = parameters.find(parameter => /^charset=/i.test(parameter))?.slice('charset='.length);
  return { type: type.toLowerCase() || null, charset: charset?.replaceAll('"', '').trim().toLowerCase() || 'utf-8' };
}

export function isJson(type: string | null): boolean {
  return type === 'application/json' || (type !== null && /^application\/[^/]+\+json$/.test(type));
}

/** Whether the body is a multipart form, which is read as a stream after the route is known. */
export function isMultipart(type: string | null): boolean {
  return type === 'multipart/form-data';
}

const binaryTypes = [
  /^(image|audio|video|font|multipart|model)\//,
  /^application\/(octet-stream|pdf|wasm|zip|gzip|zstd|msgpack|cbor|protobuf|rtf|epub\+zip|java-archive)$/,
  /^application\/x-(zip|gzip|bzip2?|tar|7z|rar|xz|protobuf|msgpack|executable)(-compressed)?$/,
  /^application\/vnd\.(?!.*\+(json|xml)$)/,
];

/** Whether a media type is binary and cannot be decoded as text. */
export function isBinary(type: string | null): boolean {
  return type !== null && binaryTypes.some(pattern => pattern.test(type));
}

/** Whether the bytes are declared as UTF-8 and do not start like a byte order mark. */
export function isPlainUtf8(bytes: Buffer, charset: string): boolean {
  return UTF_8.includes(charset) && bytes[0] !== 0xef;
}

const UTF_8 = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

/** Decodes text and removes a byte order mark. @throws RestFault for an unsupported charset or invalid bytes. */
export function decodeText(bytes: Buffer, charset: string): string {
  if (['latin1', 'iso-8859-1', 'iso8859-1', 'l1'].includes(charset)) return bytes.toString('latin1');
  const label = encodingOf(bytes, charset);
  if (label === null) {
    throw new RestFault('UNSUPPORTED_MEDIA_TYPE', 'Unsupported charset. Use utf-8, utf-16 or latin1.');
  }
  try {
    return decoderOf(label).decode(bytes);
  } catch {
    throw new RestFault('PARSE_ERROR', `JSON parse error - the body is not valid ${label} text.`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoderOf(label: string): Pick<typeof utf8, 'decode'> {
  return label === 'utf-8' ? utf8 : new TextDecoder(label, { fatal: true });
}

function encodingOf(bytes: Buffer, charset: string): string | null {
  if (UTF_8.includes(charset)) return 'utf-8';
  if (charset === 'utf-16le' || charset === 'utf-16be') return charset;
  if (charset !== 'utf-16' && charset !== 'utf16') return null;
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-16le';
}
