/** How texts are encoded that are not UTF-8 and bear no mark: what most of them out there are. */
const LEGACY = 'windows-1252';

/**
 * The bytes as text, whatever encoding they are in: by their byte order mark, as UTF-16 when every other byte is zero, as
 * UTF-8 when they are valid, as Windows-1252 otherwise. Null for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs(bytes, 'utf-16be');
  const utf16 = unmarkedUtf16(bytes);
  if (utf16) return decodeAs(bytes, utf16);
  if (bytes.includes(0)) return null;
  try {
    // A sample may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    const text = decodeAs(bytes, LEGACY);
    return hasControls(text) ? null : text;
  }
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** Latin text in UTF-16 has a zero in nearly every character; other scripts are told by their mark. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, Math.min(bytes.length, 4096) & ~1);
  if (sample.length < 4) return null;
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++;
  const half = sample.length / 2;
  if (zeros[1]! > 0.7 * half && zeros[0] === 0) return 'utf-16le';
  return zeros[0]! > 0.7 * half && zeros[1] === 0 ? 'utf-16be' : null;
}

/** Control characters that no text holds: the bytes are something else. Tabs, line and page breaks are fine. */
function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text.slice(0, 8192).replace(/[\t\n\v\f\r\u0080-\u009f]/g, ''));
}
