import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RoundRobin {
  url: string;
  /** Number of backends that are ready. */
  ready(): number;
  replace(from: string, to: string): void;
  stop(): Promise<void>;
}

const PROBE_MS = 100;

/** A small load balancer: sends each request to the next ready backend (`/readyz` returns 200), and never retries. */
export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  const backends = urls.map(url => ({ url, isReady: true }));
  const agent = new http.Agent({ keepAlive: true });
  let nth = 0;

  const server = http.createServer((request, response) => {
    const ready = backends.filter(({ isReady }) => isReady);
    const backend = ready[nth++ % ready.length];
    const refuse = () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (!backend) return refuse();
    const { method, headers, url = '/' } = request;
    const forwarded = http.request(new URL(url, backend.url), { method, headers, agent }, answer => {
      // Hop-by-hop headers are not forwarded (RFC 9110, section 7.6.1).
      const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.on('error', refuse).pipe(response);
    });
    forwarded.on('error', refuse);
    request.pipe(forwarded);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  const probe = setInterval(() => {
    for (const backend of backends) {
      const { url } = backend;
      void fetch(`${url}/readyz`)
        .then(answer => answer.status === 200)
        .catch(() => false)
        .then(isReady => {
          if (backend.url === url) backend.isReady = isReady;
        });
    }
  }, PROBE_MS);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => backends.filter(({ isReady }) => isReady).length,
    replace(from, to) {
      const backend = backends.find(({ url }) => url === from);
      if (backend) Object.assign(backend, { url: to, isReady: false });
    },
    async stop() {
      clearInterval(probe);
      agent.destroy();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
