import pg from 'pg';
import type { Bench } from '../bench.js';
import { startN8n } from '../comparisons/n8n.js';
import { skipPeer } from '../comparisons/peers.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { load, once } from '../load/load.js';
import { measureInRounds, median, WARM_UP } from '../load/measurements.js';
import { httpGraph, makeWorkflow, modelGraph, pureGraph, restStart, runsPerSecond } from '../load/run-calls.js';
import { type StartedProcess, startScript, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = 50;
const DELAYS_MS = [0, 50];

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
      'an HTTP node': await startOf(httpGraph(`${stub.url}/`)),
      'an LLM node': await startOf(modelGraph()),
    };
    const n8n = bench.isSmoke ? undefined : await startN8n().catch(skipPeer(bench, 'nodes', 'n8n'));
    if (n8n) started.push(n8n);
    const theirs = await n8n?.publishCalling(`${stub.url}/`);
    const perSecond = async (call: HttpCall, options: { clients: number; ms: number }) =>
      (await runsPerSecond(pool, call, options)).perSecond;
    if (!bench.isSmoke) for (const call of [pure, ...Object.values(calls)]) await perSecond(call, WARM_UP);
    if (theirs) await load(theirs, WARM_UP);

    const figures: Figure[] = [];
    for (const delayMs of bench.isSmoke ? [0] : DELAYS_MS) {
      await once({ url: `${stub.url}/delay`, method: 'PUT', body: String(delayMs) });
      bench.log(`nodes: upstream with ${delayMs} ms`);
      const options = { clients: bench.isSmoke ? 2 : CLIENTS, ms: bench.roundMs };
      const candidates = Object.entries({ pure, ...calls }).map(
        ([name, call]) => [name, () => perSecond(call, options)] as const,
      );
      if (theirs) candidates.push(['n8n', async () => (await load(theirs, options)).perSecond]);
      const measured = await measureInRounds(Object.fromEntries(candidates), bench.rounds);
      for (const name of Object.keys(calls))
        figures.push(
          figureOf({
            bench: 'nodes',
            what: `${options.clients} clients, ${name}, upstream ${delayMs} ms`,
            measure: 'runs/s',
            ours: median(measured[name]!),
            comparison: 'runs without external calls',
            theirs: median(measured.pure!),
          }),
        );
      if (measured.n8n)
        figures.push(
          figureOf({
            bench: 'nodes',
            what: `${options.clients} clients, an HTTP node, upstream ${delayMs} ms`,
            measure: 'runs/s',
            ours: median(measured['an HTTP node']!),
            comparison: 'n8n',
            theirs: median(measured.n8n),
          }),
        );
    }
    return figures;
  } finally {
    await pool.end();
    for (const one of started.toReversed()) await one.stop();
  }
}
