/** The host part of a URL for a listening address. IPv6 addresses get brackets; wildcard addresses become 127.0.0.1. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
