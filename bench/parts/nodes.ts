import pg from 'pg';
import { chain, http, output, trigger } from '../../test/support/graphs.js';
import type { Bench } from '../bench.js';
import { N8N_ENGINES, type N8nEngine, startN8n } from '../comparisons/n8n.js';
import { skipPeer } from '../comparisons/peers.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { load, once } from '../load/load.js';
import { measureInRounds, median, WARM_UP } from '../load/measurements.js';
import { httpGraph, makeWorkflow, modelGraph, pureGraph, restStart, runsPerSecond } from '../load/run-calls.js';
import { type StartedProcess, startScript, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = 50;
const DELAYS_MS = [0, 50];
const PURE = 'runs without external calls';
const PLAIN = 'trigger → HTTP → output';
const HTTP = 'an HTTP node';
const peerName = (engine: N8nEngine, graph: string) => `n8n, ${engine} engine, ${graph}`;
/** Our graphs, and the comparisons with n8n. */
const PAIRS = [PLAIN, HTTP].flatMap(graph => N8N_ENGINES.map(engine => [graph, peerName(engine, graph)] as const));

/** Compares the runs per second of graphs with one external call with those of graphs without a call, and with n8n. */
export async function benchNodes(bench: Bench): Promise<Figure[]> {
  const { databases } = bench;
  const database = await databases.create();
  const pool = new pg.Pool({ connectionString: database, max: 2 });
  const started: StartedProcess[] = [];
  try {
    const stub = await startScript('load/stub-upstream');
    started.push(stub);
    const service = await startService(database, databases.folder, {
      OPENAI_BASE_URL: `${stub.url}/v1`,
      OPENAI_API_KEY: 'sk-stub',
    });
    started.push(service);
    const startOf = async (graph: unknown) => restStart(service.url, await makeWorkflow(service.url, graph));
    const pure = await startOf(pureGraph());
    const calls: Record<string, HttpCall> = {
      [PLAIN]: await startOf(chain(trigger(), http(`${stub.url}/`, { method: 'GET' }), output())),
      [HTTP]: await startOf(httpGraph(`${stub.url}/`)),
      'an LLM node': await startOf(modelGraph()),
    };
    const peers = bench.isSmoke ? {} : await startPeers(bench, started, `${stub.url}/`);
    const perSecond = async (call: HttpCall, options: { clients: number; ms: number }) =>
      (await runsPerSecond(pool, call, options)).perSecond;
    if (!bench.isSmoke) for (const call of [pure, ...Object.values(calls)]) await perSecond(call, WARM_UP);
    for (const call of Object.values(peers)) await load(call, WARM_UP);

    const figures: Figure[] = [];
    for (const delayMs of bench.isSmoke ? [0] : DELAYS_MS) {
      await once({ url: `${stub.url}/delay`, method: 'PUT', body: String(delayMs) });
      bench.log(`nodes: upstream with ${delayMs} ms`);
      const options = { clients: bench.isSmoke ? 2 : CLIENTS, ms: bench.roundMs };
      const candidates: Record<string, () => Promise<number>> = {};
      for (const [name, call] of Object.entries({ [PURE]: pure, ...calls }))
        candidates[name] = () => perSecond(call, options);
      for (const [name, call] of Object.entries(peers))
        candidates[name] = async () => (await load(call, options)).perSecond;
      const measured = await measureInRounds(candidates, bench.rounds);
      for (const [name, comparison] of [...Object.keys(calls).map(name => [name, PURE] as const), ...PAIRS])
        if (measured[comparison])
          figures.push(
            figureOf({
              bench: 'nodes',
              what: `${options.clients} clients, ${name}, upstream ${delayMs} ms`,
              measure: 'runs/s',
              ours: median(measured[name]!),
              comparison,
              theirs: median(measured[comparison]!),
            }),
          );
    }
    return figures;
  } finally {
    await pool.end();
    for (const one of started.toReversed()) await one.stop();
  }
}

/** Starts n8n once with each engine. Returns the requests that start its runs, by the name of the comparison. */
async function startPeers(bench: Bench, started: StartedProcess[], url: string): Promise<Record<string, HttpCall>> {
  const calls: Record<string, HttpCall> = {};
  for (const engine of N8N_ENGINES) {
    const n8n = await startN8n(bench.databases, engine).catch(skipPeer(bench, 'nodes', `n8n, ${engine} engine`));
    if (!n8n) continue;
    started.push(n8n);
    const { plain, text } = await n8n.publishCalling(url);
    calls[peerName(engine, PLAIN)] = plain;
    calls[peerName(engine, HTTP)] = text;
  }
  return calls;
}
