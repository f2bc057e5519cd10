import http from 'node:http';
import { pipeline } from 'node:stream';

/**
 * A minimal proxy in plain Node, without checks or counters. The argument is the origin of the upstream. Prints its own
 * origin for the parent process.
 */
const { hostname, port } = new URL(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1_024 });

const server = http.createServer((request, response) => {
  const { method, url: path, headers } = request;
  const upstreamRequest = http.request({ hostname, port, method, path, headers, agent }, upstreamResponse => {
    response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
    pipeline(upstreamResponse, response, () => {});
  });
  upstreamRequest.on('error', () => response.writeHead(502).end());
  request.pipe(upstreamRequest);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 2_048, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});
