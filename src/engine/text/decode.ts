/** Assumed encoding of texts that are not UTF-8 and have no byte order mark; the most common one. */
const LEGACY = 'windows-1252';

/**
 * Decodes bytes of unknown encoding. Uses the byte order mark, UTF-16 if every other byte is zero, UTF-8 if valid,
 * otherwise Windows-1252. Returns null for bytes that are not text.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const utf16 = markedUtf16(bytes) ?? unmarkedUtf16(bytes);
  if (utf16) return decodeAs(bytes, utf16);
  if (bytes.includes(0)) return null;
  try {
    // `bytes` may be the beginning of a file, which can end inside a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    const text = decodeAs(bytes, LEGACY);
    return hasControls(text) ? null : text;
  }
}

/** Bytes at the beginning of a document within which it must state its encoding (HTML standard, prescan of a byte stream). */
const DECLARATION_BYTES = 1024;

/**
 * Decodes the body of an HTTP response. Uses the byte order mark, the charset of the media type, the declaration of an XML or
 * HTML document, otherwise UTF-8. Unknown encodings are ignored, and invalid bytes become replacement characters.
 */
export function decodeBody(bytes: Uint8Array, contentType = ''): string {
  const marked = hasUtf8Mark(bytes) ? 'utf-8' : markedUtf16(bytes);
  return decodeAs(bytes, marked ?? knownEncoding(charsetOf(contentType)) ?? encodingOfDocument(bytes, contentType));
}

/** Returns the charset that a media type states. */
export function charsetOf(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
}

/** Returns the encoding that the declaration of an XML document states. */
export function xmlEncodingOf(xml: string): string | undefined {
  return /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'\s]+)["']/.exec(xml.slice(0, DECLARATION_BYTES))?.[1];
}

/** Returns the standard name of an encoding. Undefined: there is no decoder for it. */
export function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function encodingOfDocument(bytes: Uint8Array, contentType: string): string {
  const isUnmarkedUtf16Xml = (bytes[0] === 0x3c && bytes[1] === 0) || (bytes[0] === 0 && bytes[1] === 0x3c);
  if (isUnmarkedUtf16Xml) return unmarkedUtf16(bytes) ?? 'utf-8';
  const head = decodeAs(bytes.subarray(0, DECLARATION_BYTES), LEGACY);
  const declared = xmlEncodingOf(head) ?? (/html/i.test(contentType) ? htmlEncodingOf(head) : undefined);
  const encoding = knownEncoding(declared) ?? 'utf-8';
  // A declaration that is readable as single bytes is not in UTF-16.
  return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
}

function htmlEncodingOf(html: string): string | undefined {
  for (const [, attributes = ''] of html.matchAll(/<meta\s([^<>]*)/gi)) {
    const charset = /\bcharset\s*=\s*["']?([^"'\s;/>]+)/i.exec(attributes)?.[1];
    if (charset !== undefined) return charset;
  }
  return undefined;
}

function hasUtf8Mark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function markedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Latin text in UTF-16 has a zero byte in nearly every character. Other scripts are detected only by their byte order
 * mark.
 */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, Math.min(bytes.length, 4096) & ~1);
  if (sample.length < 4) return null;
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++;
  const half = sample.length / 2;
  if (zeros[1]! > 0.7 * half && zeros[0] === 0) return 'utf-16le';
  return zeros[0]! > 0.7 * half && zeros[1] === 0 ? 'utf-16be' : null;
}

/** Returns true for control characters other than tabs, line breaks and page breaks. Such bytes are not text. */
function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text.slice(0, 8192).replace(/[\t\n\v\f\r\u0080-\u009f]/g, ''));
}
