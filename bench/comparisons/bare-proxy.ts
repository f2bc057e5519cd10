import http from 'node:http';
import { pipeline } from 'node:stream';

/** A process with a minimal proxy in plain Node, without checks and counters. The argument is the origin. */
const { hostname, port } = new URL(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1_024 });

const server = http.createServer((request, response) => {
  const { method, url: path, headers } = request;
  const asked = http.request({ hostname, port, method, path, headers, agent }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => {});
  });
  asked.on('error', () => response.writeHead(502).end());
  request.pipe(asked);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 2_048, () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});
