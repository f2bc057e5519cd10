import type { Bench } from '../bench.js';
import { startNginx } from '../comparisons/nginx.js';
import { skipPeer } from '../comparisons/peers.js';
import { startPortkey } from '../comparisons/portkey.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { type Load, load, once } from '../load/load.js';
import { measureInRounds, median, WARM_UP } from '../load/measurements.js';
import { ADMIN_KEY, type StartedProcess, startScript, startService } from '../processes/processes.js';
import { withProcesses } from '../processes/with-processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = [1, 50, 200];
const DELAYS_MS = [0, 50];

const BODY = JSON.stringify({
  model: 'gpt-4o-mini',
  temperature: 0.2,
  messages: [
    { role: 'system', content: 'You answer briefly. '.repeat(10) },
    { role: 'user', content: 'What is a workflow? '.repeat(20) },
  ],
});

/**
 * Compares the chat proxy with a direct call, a minimal Node proxy and another gateway, all in front of the same
 * stub.
 */
export async function benchChat(bench: Bench): Promise<Figure[]> {
  return withProcesses(async start => {
    const stub = await start(startScript('load/stub-upstream'));
    const calls: Record<string, HttpCall> = {
      direct: completion(stub.url),
      'bare proxy': completion((await start(startScript('comparisons/bare-proxy', stub.url))).url),
    };
    const nginx = bench.isSmoke ? undefined : await start(startNginx(stub.url)).catch(skipPeer(bench, 'chat', 'nginx'));
    if (nginx) calls.nginx = completion(nginx.url);
    const portkey = bench.isSmoke
      ? undefined
      : await start(startPortkey()).catch(skipPeer(bench, 'chat', '@portkey-ai/gateway'));
    if (portkey)
      calls.Portkey = completion(portkey.url, {
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${stub.url}/v1`,
      });
    const service = await start(
      startService(await bench.databases.create(), bench.databases.folder, {
        ROLE: 'api',
        // A limit that the load does not reach. Requests are counted nevertheless.
        RATE_LIMIT_PER_MINUTE: '1000000',
        OPENAI_BASE_URL: `${stub.url}/v1`,
        OPENAI_API_KEY: 'sk-stub',
      }),
    );
    calls.ours = completion(service.url);
    return await compare(bench, stub, calls);
  });
}

async function compare(bench: Bench, stub: StartedProcess, calls: Record<string, HttpCall>): Promise<Figure[]> {
  for (const [name, call] of Object.entries(calls)) {
    const { body } = await once(call);
    if (!body.includes('chatcmpl-bench')) throw new Error(`${name} did not pass the stub's answer on: ${body}`);
    if (!bench.isSmoke) await load(call, WARM_UP);
  }
  const figures: Figure[] = [];
  for (const delayMs of bench.isSmoke ? [0] : DELAYS_MS) {
    await once({ url: `${stub.url}/delay`, method: 'PUT', body: String(delayMs) });
    for (const clients of bench.isSmoke ? [2] : CLIENTS) {
      bench.log(`chat: ${clients} clients, upstream with ${delayMs} ms`);
      const candidates = Object.entries(calls).map(
        ([name, call]) => [name, () => load(call, { clients, ms: bench.roundMs })] as const,
      );
      const measured = await measureInRounds(Object.fromEntries(candidates), bench.rounds);
      figures.push(...figuresOf(`${clients} clients, upstream ${delayMs} ms`, measured));
    }
  }
  return figures;
}

/** Compares requests per second, and the latency that each candidate adds to a direct call. */
function figuresOf(what: string, measured: Record<string, Load[]>): Figure[] {
  const { ours = [], direct = [], ...others } = measured;
  const perSecond = (loads: Load[]) => median(loads.map(one => one.perSecond));
  // Direct calls of the same round: they were made within seconds, so a slow phase of the machine affects both.
  const added = (loads: Load[]) => median(loads.map((one, round) => one.p50Ms - direct[round]!.p50Ms));
  const figure = (measure: string, comparison: string, mine: number, theirs: number) =>
    figureOf({ bench: 'chat', what, measure, ours: mine, comparison, theirs });
  return [
    ...Object.entries({ direct, ...others }).map(([comparison, theirs]) =>
      figure('requests/s', comparison, perSecond(ours), perSecond(theirs)),
    ),
    ...Object.entries(others).map(([comparison, theirs]) =>
      figure('added p50, ms', comparison, added(ours), added(theirs)),
    ),
  ];
}

function completion(origin: string, more: Record<string, string> = {}): HttpCall {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}`, ...more };
  return { url: `${origin}/v1/chat/completions`, method: 'POST', headers, body: BODY };
}
