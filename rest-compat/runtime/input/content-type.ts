import { RestFault } from '../errors.js';

export interface ContentType {
  /** Lower case, without parameters; null when the request named none. */
  readonly type: string | null;
  readonly charset: string;
}

/** What nearly all requests say. */
const PLAIN_JSON: ContentType = { type: 'application/json', charset: 'utf-8' };

export function readContentType(header: string | undefined): ContentType {
  if (header === 'application/json') return PLAIN_JSON;
  const [type = '', ...parameters] = (header ?? '').split(';').map(text => text.trim());
  const charset = parameters.find(parameter => /^charset=/i.test(parameter))?.slice('charset='.length);
  return { type: type.toLowerCase() || null, charset: charset?.replaceAll('"', '').trim().toLowerCase() || 'utf-8' };
}

export function isJson(type: string | null): boolean {
  return type === 'application/json' || (type !== null && /^application\/[^/]+\+json$/.test(type));
}

/** A form whose parts may be files. It is read as it comes, and not before it is known what it is for. */
export function isMultipart(type: string | null): boolean {
  return type === 'multipart/form-data';
}

const binaryTypes = [
  /^(image|audio|video|font|multipart|model)\//,
  /^application\/(octet-stream|pdf|wasm|zip|gzip|zstd|msgpack|cbor|protobuf|rtf|epub\+zip|java-archive)$/,
  /^application\/x-(zip|gzip|bzip2?|tar|7z|rar|xz|protobuf|msgpack|executable)(-compressed)?$/,
  /^application\/vnd\.(?!.*\+(json|xml)$)/,
];

/** Types that no reading could make a text of. */
export function isBinary(type: string | null): boolean {
  return type !== null && binaryTypes.some(pattern => pattern.test(type));
}

/** Whether the bytes of a text are UTF-8 as they are, without a byte order mark. */
export function isPlainUtf8(bytes: Buffer, charset: string): boolean {
  return UTF_8.includes(charset) && bytes[0] !== 0xef;
}

const UTF_8 = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

/** The bytes as text; a byte order mark is taken off. */
export function decodeText(bytes: Buffer, charset: string): string {
  if (['latin1', 'iso-8859-1', 'iso8859-1', 'l1'].includes(charset)) return bytes.toString('latin1');
  const label = encodingOf(bytes, charset);
  if (label === null) {
    throw new RestFault('UNSUPPORTED_MEDIA_TYPE', 'Unsupported charset: utf-8, utf-16 and latin1 are what is read.');
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
