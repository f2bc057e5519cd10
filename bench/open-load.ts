import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from './clock.js';
import { type HttpCall, KeepAliveClient } from './keep-alive-client.js';

const TICK_MS = 5;

export interface OpenLoad {
  /** Answers with a status below 300, in a second. */
  acceptedPerSecond: number;
  acceptedP99Ms: number;
  /** Answers with 429 and 503. */
  refused: number;
  refusedP99Ms: number;
  /** Answers of any other kind, and connections that were lost, by what they were. */
  others: Map<string, number>;
}

/** Calls at a rate that does not wait for answers, from as many connections as that takes; past `connections` it skips. */
export async function openLoad(
  call: HttpCall,
  { perSecond, ms, connections }: { perSecond: number; ms: number; connections: number },
): Promise<OpenLoad> {
  const idle: KeepAliveClient[] = [];
  const open = new Set<KeepAliveClient>();
  const accepted: number[] = [];
  const refused: number[] = [];
  const others = new Map<string, number>();
  const one = async () => {
    const sent = performance.now();
    const client = idle.pop() ?? (await KeepAliveClient.open(call));
    open.add(client);
    try {
      const { status } = await client.call();
      const took = performance.now() - sent;
      if (status < 300) accepted.push(took);
      else if (status === 429 || status === 503) refused.push(took);
      else others.set(`${status}`, (others.get(`${status}`) ?? 0) + 1);
      idle.push(client);
    } catch (error) {
      open.delete(client);
      const what = (error as Error).message;
      others.set(what, (others.get(what) ?? 0) + 1);
    }
  };
  const started = performance.now();
  const all = new Set<Promise<void>>();
  let sent = 0;
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - started) {
    for (; sent < (elapsed / 1000) * perSecond; sent++) {
      if (all.size >= connections) continue;
      const each = one().finally(() => all.delete(each));
      all.add(each);
    }
    await delay(TICK_MS);
  }
  await Promise.all(all);
  const seconds = (performance.now() - started) / 1000;
  for (const client of open) client.close();
  const p99 = (latencies: number[]) =>
    quantile(
      latencies.toSorted((a, b) => a - b),
      0.99,
    );
  return {
    acceptedPerSecond: accepted.length / seconds,
    acceptedP99Ms: p99(accepted),
    refused: refused.length,
    refusedP99Ms: p99(refused),
    others,
  };
}
