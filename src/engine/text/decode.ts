/** Assumed encoding of texts that are not UTF-8 and have no byte order mark; the most common one. */
const LEGACY = 'windows-1252';

/**
 * Decodes bytes of unknown encoding. Uses the byte order mark, UTF-16 if every other byte is zero, UTF-8 if valid,
 * otherwise Windows-1252. Returns null for bytes that are not text.
 */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs(bytes, 'utf-16be');
  const utf16 = unmarkedUtf16(bytes);
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
