/**
 * Returns the file name of a response: that of its `Content-Disposition` (RFC 6266), otherwise the last segment of the
 * path, otherwise `download`.
 */
export function parseFilename(disposition: string | undefined, url: string): string {
  return fromDisposition(disposition ?? '') || fromUrl(url) || 'download';
}

/** A longer header has no file name, so that the cost of parsing is limited. */
const MAX_HEADER_CHARACTERS = 2_000;

/** `filename*` (RFC 8187) takes precedence over `filename`. */
function fromDisposition(header: string): string {
  if (header.length > MAX_HEADER_CHARACTERS) return '';
  const extended = /;\s*filename\*=utf-8'[^';]*'([^;\s]+)/i.exec(header)?.[1];
  const decoded = extended === undefined ? undefined : tryDecode(extended);
  if (decoded) return decoded;
  const [, text, token] = /;\s*filename=(?:"([^"]*)"|([^;\s"]+))/i.exec(header) ?? [];
  return text ?? token ?? '';
}

function fromUrl(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  return tryDecode(last) ?? last;
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
