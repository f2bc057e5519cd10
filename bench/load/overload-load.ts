import { setTimeout as delay } from 'node:timers/promises';
import { type HttpCall, KeepAliveClient } from './keep-alive-client.js';
import { quantile } from './measurements.js';

/** Refused clients retry after this time, much earlier than Retry-After demands. */
const PAUSE_MS = 300;

export interface OverloadResult {
  /** Responses with a status below 300, per second. */
  acceptedPerSecond: number;
  acceptedP99Ms: number;
  /** Number of responses with 429 and 503. */
  refused: number;
  refusedP99Ms: number;
  /** Number of other responses and of lost connections, by kind. */
  others: Map<string, number>;
}

/** Sends requests from more clients than the service accepts. Refused clients retry soon. */
export async function measureOverload(
  call: HttpCall,
  { clients, ms }: { clients: number; ms: number },
): Promise<OverloadResult> {
  const accepted: number[] = [];
  const refused: number[] = [];
  const others = new Map<string, number>();
  const open: KeepAliveClient[] = [];
  for (let each = 0; each < clients; each++) open.push(await KeepAliveClient.open(call));
  const started = performance.now();
  const runClient = async (client: KeepAliveClient) => {
    do {
      const sent = performance.now();
      const { status } = await client.call();
      const took = performance.now() - sent;
      if (status < 300) accepted.push(took);
      else if (status === 429 || status === 503) {
        refused.push(took);
        await delay(PAUSE_MS);
      } else others.set(`${status}`, (others.get(`${status}`) ?? 0) + 1);
    } while (performance.now() - started < ms);
  };
  await Promise.all(
    open.map(client =>
      runClient(client).catch((error: Error) => others.set(error.message, (others.get(error.message) ?? 0) + 1)),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const client of open) client.close();
  return {
    acceptedPerSecond: accepted.length / seconds,
    acceptedP99Ms: p99(accepted),
    refused: refused.length,
    refusedP99Ms: p99(refused),
    others,
  };
}

function p99(latencies: number[]): number {
  return quantile(
    latencies.toSorted((a, b) => a - b),
    0.99,
  );
}
