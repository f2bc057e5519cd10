import type { Bench } from '../bench.js';
import { startNginx } from '../comparisons/nginx.js';
import { skipPeer } from '../comparisons/peers.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { measureInRounds, median, warmUp } from '../load/measurements.js';
import { type StreamLoad, streamLoad } from '../load/stream-load.js';
import { cpuSeconds } from '../processes/process-costs.js';
import { ADMIN_KEY, type StartedProcess, startScript, startService } from '../processes/processes.js';
import { withProcesses } from '../processes/with-processes.js';
import { type Figure, figureOf } from '../report.js';

const STREAMS = 200;
const PACE_MS = 20;
const MICROSECONDS = 1e6;

interface StreamMeasure extends StreamLoad {
  /** CPU time of the proxy for each chunk, in microseconds. */
  cpuPerChunk: number;
}

/** Compares streamed chat completions with nginx and with plain Node in front of the same upstream, and all with direct streams. */
export async function benchStreams(bench: Bench): Promise<Figure[]> {
  return withProcesses(async start => {
    const chunks = Math.max(5, Math.round(bench.roundMs / PACE_MS));
    const stub = await start(startScript('load/stub-stream', String(PACE_MS), String(chunks)));
    const nginx = bench.isSmoke
      ? undefined
      : await start(startNginx(stub.url)).catch(skipPeer(bench, 'streams', 'nginx'));
    const service = await start(
      startService(await bench.databases.create(), bench.databases.folder, {
        ROLE: 'api',
        OPENAI_BASE_URL: `${stub.url}/v1`,
        OPENAI_API_KEY: 'sk-stub-that-is-masked',
      }),
    );
    const node = bench.isSmoke ? undefined : await start(startScript('comparisons/bare-proxy', stub.url));
    const proxies = { direct: stub, ours: service, ...(nginx && { nginx }), ...(node && { node }) };
    const count = bench.isSmoke ? 2 : STREAMS;
    const candidates = Object.entries(proxies).map(([name, proxy]) => [name, () => measure(proxy, count)] as const);
    if (!bench.isSmoke) for (const [, work] of candidates) await warmUp(work);
    bench.log(`streams: ${count} streams with a chunk each ${PACE_MS} ms`);
    return figuresOf(
      `${count} streams, ${PACE_MS} ms pace`,
      await measureInRounds(Object.fromEntries(candidates), bench.rounds),
    );
  });
}

async function measure(proxy: StartedProcess, count: number): Promise<StreamMeasure> {
  const roots = [proxy.pid ?? 0];
  const before = await cpuSeconds(roots);
  const load = await streamLoad(completion(proxy.url), count, count * 2);
  const cpuPerChunk = (((await cpuSeconds(roots)) - before) * MICROSECONDS) / load.chunks;
  return { ...load, cpuPerChunk };
}

function figuresOf(what: string, measured: Record<string, StreamMeasure[]>): Figure[] {
  const { ours = [], direct = [], nginx, node } = measured;
  const medianOf = (loads: StreamMeasure[], member: keyof StreamMeasure) => median(loads.map(one => one[member]));
  const added = (loads: StreamMeasure[], member: 'firstP50Ms' | 'firstP99Ms') =>
    median(loads.map((one, round) => one[member] - direct[round]![member]));
  const figure = (measure: string, comparison: string, mine: number, theirs: number) =>
    figureOf({ bench: 'streams', what, measure, ours: mine, comparison, theirs });
  const share = 'chunks on time, share';
  const cpu = 'CPU of a chunk, µs';
  const nodeFigures = node
    ? [figure(cpu, 'proxy in plain Node', medianOf(ours, 'cpuPerChunk'), medianOf(node, 'cpuPerChunk'))]
    : [];
  if (!nginx) return [figure(share, 'direct', medianOf(ours, 'onTime'), medianOf(direct, 'onTime')), ...nodeFigures];
  return [
    figure('added first chunk p50, ms', 'nginx', added(ours, 'firstP50Ms'), added(nginx, 'firstP50Ms')),
    figure('added first chunk p99, ms', 'nginx', added(ours, 'firstP99Ms'), added(nginx, 'firstP99Ms')),
    figure(share, 'nginx', medianOf(ours, 'onTime'), medianOf(nginx, 'onTime')),
    figure(cpu, 'nginx', medianOf(ours, 'cpuPerChunk'), medianOf(nginx, 'cpuPerChunk')),
    ...nodeFigures,
  ];
}

function completion(origin: string): HttpCall {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}` };
  const body = JSON.stringify({
    ...{ model: 'gpt-4o-mini', stream: true, stream_options: { include_usage: true } },
    messages: [{ role: 'user', content: 'What is a workflow? '.repeat(20) }],
  });
  return { url: `${origin}/v1/chat/completions`, method: 'POST', headers, body };
}
