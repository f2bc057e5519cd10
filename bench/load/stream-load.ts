import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpCall } from './keep-alive-client.js';
import { quantile } from './measurements.js';

/** A chunk that arrives later than this after it was sent counts as late. */
const ON_TIME_MS = 20;
/** Characters kept between packets: more than one timestamp or `[DONE]` that two packets split. */
const MAX_TAIL = 200;

export interface StreamLoad {
  /** From the request to the first chunk. */
  firstP50Ms: number;
  firstP99Ms: number;
  /** Share of chunks that arrived within `ON_TIME_MS` after the upstream sent them. */
  onTime: number;
  chunks: number;
}

/** Opens streams evenly over `overMs` and reads them to their ends. Chunks carry the time at which they were sent. */
export async function streamLoad(call: HttpCall, streams: number, overMs: number): Promise<StreamLoad> {
  const firsts: number[] = [];
  const totals = { chunks: 0, late: 0 };
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      await delay((index * overMs) / streams);
      firsts.push(await readStream(call, totals));
    }),
  );
  firsts.sort((a, b) => a - b);
  return {
    firstP50Ms: quantile(firsts, 0.5),
    firstP99Ms: quantile(firsts, 0.99),
    onTime: 1 - totals.late / totals.chunks,
    chunks: totals.chunks,
  };
}

/**
 * Reads one stream to its end and adds its chunks to `totals`. Returns the milliseconds from the request to the first
 * chunk.
 */
function readStream(call: HttpCall, totals: { chunks: number; late: number }): Promise<number> {
  const { hostname, port, host, pathname } = new URL(call.url);
  const body = call.body ?? '';
  const headers = Object.entries({ Host: host, ...call.headers, 'Content-Length': `${Buffer.byteLength(body)}` });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    let sentAt = 0;
    let firstMs: number | undefined;
    let rest = '';
    socket.once('connect', () => {
      sentAt = performance.now();
      socket.write(`POST ${pathname} HTTP/1.1\r\n${head}\r\n${body}`);
    });
    socket.on('data', data => {
      const now = performance.now();
      const text = rest + data.toString('latin1');
      let end = 0;
      // The stub (`stub-stream.ts`) sends ` <milliseconds since 1970>` in each chunk.
      for (let at = text.indexOf(' <'); at >= 0; at = text.indexOf(' <', end)) {
        const close = text.indexOf('>', at);
        if (close < 0) break;
        firstMs ??= now - sentAt;
        totals.chunks++;
        if (performance.timeOrigin + now - Number(text.slice(at + 2, close)) > ON_TIME_MS) totals.late++;
        end = close;
      }
      rest = text.slice(Math.max(end, text.length - MAX_TAIL));
      if (!text.includes('[DONE]')) return;
      socket.destroy();
      if (firstMs === undefined) reject(new Error(`${call.url} answered without a chunk: ${text.slice(0, 300)}`));
      else resolve(firstMs);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${call.url} closed a stream before its end: ${rest.slice(0, 300)}`)));
  });
}
