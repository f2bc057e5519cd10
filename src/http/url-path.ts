import type { IncomingMessage } from 'node:http';

/** The path of a request without its query. */
export function pathOf({ url }: IncomingMessage): string | undefined {
  return url?.split('?')[0];
}

/** Reduces a URL in absolute form, as clients send it to a proxy (RFC 9112, section 3.2.2), to its path and query. */
export function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const origin = /^https?:\/\/[^/?]*/i.exec(url)?.[0];
  if (origin === undefined) return url;
  const path = url.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}
