/** Returns the file name that a response names, or the last part of its address. */
export function responseFilename(disposition: string | undefined, url: string): string {
  return fromDisposition(disposition ?? '') || fromUrl(url) || 'download';
}

/** `filename*` (RFC 8187) takes precedence over `filename`. */
function fromDisposition(header: string): string {
  if (header.length > 2_000) return '';
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
