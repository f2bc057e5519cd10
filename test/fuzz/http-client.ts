import http from 'node:http';

/** Time limit of a request. The goal is 2 s; a loaded machine needs more. */
const HANG_MS = 100_000;

export interface SentRequest {
  method: string;
  /** Path and query as they are sent. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends requests over a few persistent connections, and does not normalize them as `fetch` would. */
export class HttpClient {
  readonly #agent: http.Agent;

  constructor(
    private readonly url: string,
    connections: number,
  ) {
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  }

  async send({ method, path, headers, body }: SentRequest): Promise<HttpAnswer> {
    // Declares the length for every body: that of a GET would otherwise remain on the connection, in front of the next
    // request.
    const length: Record<string, string> =
      body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    return this.#exchange(method, path, { ...headers, ...length }, body);
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(method: string, path: string, headers: Record<string, string>, body: string | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const { hostname, port } = new URL(this.url);
    const request = http.request({ agent: this.#agent, hostname, port, method, path, headers, timeout: HANG_MS });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${HANG_MS} ms`)));
    request.on('error', reject);
    request.on('response', response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.end(body);
    return promise;
  }
}
