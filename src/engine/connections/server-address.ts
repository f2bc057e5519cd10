/** Returns the host of a URL in its normal form, without brackets. Undefined: it is not a name or an IP address. */
export function hostOf(url: URL): string | undefined {
  // Hosts of http addresses are names or IP addresses. Others could be folders of Unix sockets.
  const host = URL.parse(`http://${url.hostname}/`)?.hostname;
  return host?.startsWith('[') ? host.slice(1, -1) : host;
}

/** Returns the port of a URL. Undefined for port 0, on which no server listens. */
export function portOf(url: URL, defaultPort: number): number | undefined {
  const port = url.port === '' ? defaultPort : Number(url.port);
  return port === 0 ? undefined : port;
}
