import type { IncomingMessage } from 'node:http';

/** The path of a request, without its query. */
export function pathOf({ url }: IncomingMessage): string | undefined {
  return url?.split('?')[0];
}

/** A client of a proxy may send the whole address (RFC 9112, section 3.2.2), of which only the path counts. */
export function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const origin = /^https?:\/\/[^/?]*/i.exec(url)?.[0];
  if (origin === undefined) return url;
  const path = url.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}
