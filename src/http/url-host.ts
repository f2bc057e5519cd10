/** An IPv6 address stands in brackets inside a URL; "any" is reached as the local host. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
