import { type HttpCall, type HttpReply, KeepAliveClient } from './keep-alive-client.js';
import { quantile } from './measurements.js';

export interface Load {
  /** Number of responses. */
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadOptions {
  /** Number of connections, each with one request at a time. */
  clients: number;
  /** Duration of the load. Every client sends at least one request. */
  ms: number;
  /** The expected status. Any other status ends the measurement with an error. Default: 200. */
  status?: number;
}

/**
 * Sends requests repeatedly from several clients. A refusal fails the measurement, because it costs less than a
 * response.
 */
export async function load(call: HttpCall, { clients, ms, status = 200 }: LoadOptions): Promise<Load> {
  const latencies: number[] = [];
  const open = await Promise.all(Array.from({ length: clients }, () => KeepAliveClient.open(call)));
  try {
    const started = performance.now();
    await Promise.all(
      open.map(async client => {
        do {
          const sent = performance.now();
          check(call, await client.call(), status);
          latencies.push(performance.now() - sent);
        } while (performance.now() - started < ms);
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    latencies.sort((a, b) => a - b);
    return {
      requests: latencies.length,
      perSecond: latencies.length / seconds,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
    };
  } finally {
    for (const client of open) client.close();
  }
}

/** Sends one request and returns its response. Throws for another status. */
export async function once(call: HttpCall, status = 200): Promise<HttpReply> {
  const client = await KeepAliveClient.open(call);
  try {
    return check(call, await client.call(), status);
  } finally {
    client.close();
  }
}

/** Returns the response. Throws for another status. */
export function check({ url }: HttpCall, reply: HttpReply, status: number): HttpReply {
  if (reply.status !== status) throw new Error(`${url} answered ${reply.status}: ${reply.body.slice(0, 300)}`);
  return reply;
}
