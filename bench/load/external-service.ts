import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP service of this process. */
export interface ExternalService {
  url: string;
  /** Expects the next call. The promise resolves with the time of its arrival. */
  next(): Promise<number>;
  /** Answers the call that arrived last. */
  release(): void;
  close(): void;
}

/** Starts an external service that records the time of each call (`performance.now()`) and answers on command. */
export async function startExternalService(): Promise<ExternalService> {
  let arrived = Promise.withResolvers<number>();
  let answer: () => void = () => {};
  const server = http.createServer((_, response) => {
    answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    arrived.resolve(performance.now());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: () => {
      arrived = Promise.withResolvers<number>();
      return arrived.promise;
    },
    release: () => answer(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
